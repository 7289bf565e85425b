"""In: manifests and clones. Out: cases to measure on."""
