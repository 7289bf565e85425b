"""In: cases. Out: speed: what each edit cost, with drafts and without."""
