"""What is noticed of a change: where its lines stand, old versions beside new ones, what is spoken of and not done."""

import pytest

from redraft.edit.features.edit import Edit, alike
from redraft.edit.features.features import features
from redraft.edit.merge.read import read
from redraft.edit.merge.reading import Candidate

FILE = """\
import os


def load(path):
    text = open(path).read()
    return parse(text)


def save(path, rows):
    limit = 3
    write(path, rows[:limit])


def close():
    flush()
"""
LOAD = "def load(path):\n    text = open(path, encoding='utf-8').read()\n    return parse(text)\n"
NEW = FILE.replace("open(path)", "open(path, encoding='utf-8')")


def noticed(answer: str, text: str, instruction: str = "", original: str = FILE) -> dict[str, float]:
    """What differs from 0 in a text that someone made of the file by an answer."""
    reading = read(original, answer, "a.py")
    found = features(original, reading, Candidate(text, 0.0), instruction)
    return {name: value for name, value in found.items() if value}


def fenced(code: str, prose: str = "Here:") -> str:
    return f"{prose}\n\n```python\n{code}```\n"


def test_a_change_whose_neighbours_are_shown_is_anchored() -> None:
    found = noticed(fenced(LOAD), NEW)
    assert found["anchored"] == 1
    assert found["one place"] == 1
    assert not {"open", "unanchored", "torn", "twin", "gone unasked", "missing"} & found.keys()


def test_lines_at_the_end_of_a_block_have_an_open_place() -> None:
    code = "def drop(path):\n    os.remove(path)\n"
    found = noticed(fenced(code), FILE.replace("def close", f"{code}\n\ndef close"))
    assert (found["open"], found.get("anchored")) == (1, None)


def test_lines_shown_side_by_side_that_stand_apart_are_torn() -> None:
    text = FILE.replace("    return parse(text)\n", "").replace(
        "    flush()\n", "    flush()\n    return parse(text)\n"
    )
    found = noticed(fenced("def load(path):\n    text = open(path).read()\n    return parse(text)\n"), text)
    assert found["torn"] == 0.5
    assert found["unanchored"] > 0


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("twin", FILE.replace("    limit = 3\n", "    limits = 3, 4\n    limit = 3\n")),
        ("edge twice", FILE.replace("    flush()\n", "    flush()\n    flush()\n")),
        ("head twice", FILE.replace("    flush()\n", "    text = open(it)\n    flush()\n")),
        ("key twice", FILE.replace("    flush()\n", "    limit = 3 + 1\n    flush()\n")),
    ],
)
def test_an_old_version_beside_the_new_one_is_noticed(name: str, text: str) -> None:
    assert noticed(fenced(LOAD), text).get(name, 0) >= 1
    assert name not in noticed(fenced(LOAD), NEW)


def test_lines_that_go_unasked() -> None:
    text = FILE.replace("    limit = 3\n", "")
    assert noticed(fenced(LOAD), text)["gone unasked"] > 0
    assert "gone unasked" not in noticed(fenced(LOAD, "I removed the limit:"), text)
    assert "gone unasked" not in noticed(fenced(LOAD), text, "Remove the limit.")


def test_what_is_said_to_go_and_stays() -> None:
    prose = "`close()` is removed."
    assert noticed(fenced(LOAD, prose), NEW)["said to go and stays"] == 0.5
    gone = NEW.replace("def close():\n    flush()\n", "")
    assert noticed(fenced(LOAD, prose), gone)["said to go and goes"] == 0.5
    assert noticed(fenced(LOAD, "`close()` goes."), NEW)["perhaps said to go and stays"] == 0.5
    assert noticed(fenced(LOAD), FILE + "stop()\n", "Delete it.")["nothing taken as asked"] == 1
    assert "nothing taken as asked" not in noticed(fenced(LOAD), gone, "Delete close.")


def test_what_words_spell_as_code_has_it_comes_or_is_absent() -> None:
    found = noticed(fenced(LOAD, "Opens it as `utf-8`, and `limit = 30` below."), NEW, "encoding utf-8, release 1.2.0")
    assert (found["told and comes"], found["told and absent"], found["asked and absent"]) == (0.5, 0.5, 0.5)
    assert not {"told and comes", "told and absent"} & set(noticed(fenced(LOAD, "`load` parses `text`."), NEW))


def test_names_that_are_spoken_of_where_nothing_changes() -> None:
    names = "MAX = 1\n\n\n" + FILE
    found = noticed(fenced(LOAD, "`MAX` is what counts:"), names.replace("open(path)", "open(path, 'r')"), "", names)
    assert found["spoken of and untouched"] == 0.5


def test_indentation_that_fits_no_neighbour() -> None:
    text = FILE.replace("    flush()\n", "    flush()\n  stop()\n")
    assert noticed(fenced(LOAD), text)["odd indentation"] == 1
    assert noticed(fenced(LOAD), FILE.replace("    flush()", "        flush()"))["indentation only"] > 0


def test_a_comment_in_the_place_of_code() -> None:
    text = FILE.replace("    limit = 3\n", "    # the limit\n")
    assert noticed(fenced(LOAD), text)["comment for code"] == 1


def test_a_marker_whose_lines_went() -> None:
    code = "def save(path, rows):\n    # limit as before\n    write(path, rows[:limit])\n"
    assert "marked and gone" not in noticed(fenced(code), FILE)
    gone = FILE.replace("    limit = 3\n", "").replace("rows[:limit]", "rows")
    assert noticed(fenced(code), gone)["marked and gone"] == 0.5


def test_lines_of_an_edit() -> None:
    edit = Edit(FILE, NEW)
    (change,) = edit.changes
    assert edit.gone == ["    text = open(path).read()"]
    assert edit.new == ["    text = open(path, encoding='utf-8').read()"]
    assert next(edit.above(change)) == "def load(path):"
    assert next(edit.below(change)) == "    return parse(text)"
    assert len(edit.kept) == len(edit.before) - 1


def test_likeness_of_lines() -> None:
    assert alike(" a = 1", "a = 1 ") == 1
    assert alike("", "a = 1") == alike("a", "a much longer line") == 0
    assert 0.8 < alike("limit = 3", "limits = 3") < 1
