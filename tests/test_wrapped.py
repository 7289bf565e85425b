"""In: answers that break lines elsewhere than the file does. Out: the file's breaks, unless other breaks are meant."""

from redraft.edit.merge.read import read

FILE = """def load(path, mode):
    with open(path, mode) as file:
        return parse(
            file.read(),
            strict=True,
        )


def close(file):
    file.close()
"""


def likeliest(answer: str) -> str:
    return read(FILE, answer, "store.py").candidates[0].text


def test_lines_that_are_only_joined_or_wrapped_keep_the_breaks_of_the_file() -> None:
    answer = """Files are locked first:

```python
def load(path, mode):
    lock(path)
    with open(
            path, mode) as file:
        return parse(file.read(), strict=True)
```
"""
    assert likeliest(answer) == FILE.replace("mode):\n", "mode):\n    lock(path)\n")


def test_breaks_are_the_change_where_nothing_else_is() -> None:
    answer = """One line is enough here:

```python
    with open(path, mode) as file:
        return parse(file.read(), strict=True)
```
"""
    joined = "        return parse(file.read(), strict=True)\n"
    before, _, after = FILE.partition("        return parse(\n")
    assert likeliest(answer) == before + joined + after.partition("        )\n")[2]


def test_breaks_are_meant_where_the_lines_are_shown_as_they_are_too() -> None:
    answer = """Old:

```python
        return parse(
            file.read(),
            strict=True,
        )
```

New:

```python
        log(path)
        return parse(file.read(), strict=True)
```
"""
    joined = "        log(path)\n        return parse(file.read(), strict=True)\n"
    before, _, after = FILE.partition("        return parse(\n")
    assert likeliest(answer) == before + joined + after.partition("        )\n")[2]
