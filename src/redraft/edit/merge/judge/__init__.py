"""In: a file, and what an answer may make of it. Out: what is likely only paraphrased, and what stays but is to go."""
