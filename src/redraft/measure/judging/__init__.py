"""In: outputs of an evaluation. Out: what a model says of them, and how far it agrees with grades and hands."""
