"""In: a request as text. Out: prompts, the merged file, answers, verdicts and files: all that knows no ids."""
