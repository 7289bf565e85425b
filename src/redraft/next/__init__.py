"""In: prompts of editors, or a file and what was changed last. Out: what they mean token by token; the next edit."""
