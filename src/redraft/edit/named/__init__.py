"""In: an answer that names files. Out: what it says about each of them, and what it is where it is no edit at all."""
