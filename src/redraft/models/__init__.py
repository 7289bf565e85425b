"""In: the base model on this machine and the adapter in this package. Out: the embedded model, a folder."""
