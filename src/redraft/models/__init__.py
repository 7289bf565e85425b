"""In: nothing. Out: the embedded model, a standard Hugging Face folder."""
