"""In: cases and systems. Out: graded outcomes, and how sure a decision is."""
