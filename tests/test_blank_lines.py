"""Blank lines: retold ones are the file's, those that somebody speaks of are meant, and new code gets its own."""

from redraft.edit.merge.read import read

FILE = "a = first()\n\nb = second()\nc = third()\nd = last()\n"


def best(original: str, answer: str, path: str = "") -> str:
    return read(original, answer, path).candidates[0].text


def test_blank_lines_lost_or_won_in_the_retelling_are_those_of_the_file() -> None:
    answer = "The last one takes a limit:\n\n```\na = first()\nb = second()\n\nc = third()\nd = last(5)\n```\n"
    assert best(FILE, answer) == FILE.replace("last()", "last(5)")


def test_blank_lines_that_the_answer_speaks_of_are_meant() -> None:
    answer = "A limit, and an empty line less:\n\n```\na = first()\nb = second()\nc = third()\nd = last(5)\n```\n"
    assert best(FILE, answer) == "a = first()\nb = second()\nc = third()\nd = last(5)\n"


def test_a_sketch_without_a_word_is_faithful() -> None:
    sketch = "a = first()\nb = second()\nc = third()\nd = last(5)\n"
    assert best(FILE, sketch) == sketch


def test_the_blank_lines_around_a_note_of_deletion_are_one() -> None:
    file = "def a():\n    pass\n\ndef b():\n    pass\n\ndef c():\n    pass\n"
    answer = "`b` can go.\n\n```python\ndef a():\n    pass\n\n# b() is gone\n\ndef c():\n    pass\n```\n"
    assert best(file, answer, "x.py") == "def a():\n    pass\n\ndef c():\n    pass\n"


def test_what_stands_close_to_the_declaration_below_is_inserted_there() -> None:
    file = "mod one;\nmod two;\n\nuse one::First;\nuse two::Second;\n"
    answer = "```rust\nmod one;\nmod two;\n\nuse all::Zero;\nuse one::First;\nuse two::Second;\n```\n"
    assert best(file, f"One import more:\n\n{answer}", "lib.rs") == file.replace("use one", "use all::Zero;\nuse one")


def test_an_import_at_the_top_keeps_the_blank_line_that_is_shown_below_it() -> None:
    answer = "Import it first:\n\n```scss\n@import './colours';\n\n.box {\n  color: $accent;\n}\n```\n"
    assert best(".box {\n  color: red;\n}\n", answer, "box.scss") == (
        "@import './colours';\n\n.box {\n  color: $accent;\n}\n"
    )
