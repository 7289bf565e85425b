"""In: a file, and what an answer may make of it. Out: what is likely only retold, and what stays though it is to go."""
