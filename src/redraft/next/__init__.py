"""The next edit: prompts of editors understood token by token, and edits predicted from what was changed last."""
