"""In: texts. Out: their lines, endings and differences."""
