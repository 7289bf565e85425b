"""In: scenarios of other projects, and steps of commits. Out: how good next edits are, and what drafts bring."""
