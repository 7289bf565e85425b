"""In: nothing. Out: what a coding agent is told about the tools: when to use them, and how a good sketch looks."""

INSTRUCTIONS = """\
redraft changes existing files from short sketches of their new version. Prefer edit_file to writing a whole file again,
and edit_files where a change needs several files at once. When an edit call of your own fails, send its texts to
repair_edit.
"""

EDIT_FILE = """\
Change an existing file by a short sketch of its new version, in one call. The sketch is merged into the file by its
functions, classes and lines; what it leaves out stays as it is. An edit that is ambiguous or would break the file is
refused, and the file is left as it was.

How to write `update`:
- Write only the code that changes. Show a function or block that changes a lot as a whole: it replaces the one of the
  same name.
- Around a small change show one or two unchanged lines above and below it, exactly as they are in the file.
- Put a line `... existing code ...`, in a comment of the file's language (`# ...`, `// ...`, `<!-- ... -->`), wherever
  lines of the file are left out: before the first line shown, between two changes, after the last.
- To delete lines, show the line before and the line after them next to each other, with no such comment between them.
- To add lines, show them between the lines that they belong between.
- Keep the indentation of the file. Write nothing twice, and no line numbers.

Example, for a new parameter of one method:
```python
class Cart:
    # ... existing code ...
    def total(self, discount=0):
        return sum(item.price for item in self.items) - discount

    # ... existing code ...
```

If it is refused, the answer names the line in doubt: read that part of the file, and send the sketch again with more
unchanged lines around the change. A user takes the last change back with `redraft undo`.
"""

EDIT_FILES = """\
Change several existing files at once, each by a sketch as in edit_file: all are written, or none. Use it where one
change alone would leave the project broken, such as a rename with its callers. One sketch for each file.
"""

REPAIR_EDIT = """\
Make an edit call that failed because its old text was not found, or was found several times: send the same texts here.
Slips of copying (indentation, blanks, line numbers, escapes) are mended and named. If no one place is meant, nothing is
written, and the answer shows the nearest lines as the file has them.
"""

OLD = "The text to replace, as in the call that failed."
NEW = "What takes its place."
ALL = "Replace every place where the old text stands."
LINE = "The line of the file at which the old text begins, where it stands several times; 0 if not known."
PATH = "The file: relative to the root, or absolute below it. It has to exist, unless `new_file` is set."
NEW_FILE = "Make the file if it is not there; then `update` is all of its text."
UPDATE = "The sketch: changed code, unchanged lines around it, a comment `... existing code ...` for what is left out."
INSTRUCTION = "One sentence on what the change does. It helps where the sketch alone could be read in two ways."
