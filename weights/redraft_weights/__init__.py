"""In: nothing. Out: the folders beside this file, one for each model."""
