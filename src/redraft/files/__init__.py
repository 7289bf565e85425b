"""In: paths and new contents. Out: files read, written all or none, and brought back."""
