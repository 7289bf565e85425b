"""In: a request. Out: what a model is shown, and the texts that its output is likely to repeat."""
