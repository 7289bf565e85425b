"""In: a call of a coding agent's editing tool. Out: a call that works, with its proof, or what is open."""
