"""In: a chat answer. Out: its blocks of code, line by line with their roles, and the sentences around them."""
