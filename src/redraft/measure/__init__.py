"""In: cases, engines and systems. Out: how right and how fast they are: records, tables, pictures."""
