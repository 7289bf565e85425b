"""What notes say is gone from the file."""

from pathlib import Path
from string import printable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.edit.words import Deletion, Known, deletion

WORDS = Path(__file__).parent / "words"
LINES = ["x = 1", "import json", "import warnings", "open(path)", "retry(3)", "log.debug('x')", "const a = 1;"]
NAMES = ["fetch_all", "parse", "open", "retry", "load", "ping", "cache", "handler", "Store", "flush", "rows", "entries"]
KNOWN = Known(frozenset(LINES), frozenset([*NAMES, "legacyTotal"]), frozenset(["cache_dir", "session", "json"]))


def _lines(name: str) -> list[str]:
    return (WORDS / name).read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("line", _lines("notes.txt"))
def test_notes_are_read(line: str) -> None:
    assert deletion(line, KNOWN) is not None
    assert deletion(line, Known(frozenset([line]), KNOWN.declared, KNOWN.words)) is None


@pytest.mark.parametrize("line", _lines("no_notes.txt"))
def test_descriptions_and_commands_are_no_notes(line: str) -> None:
    assert deletion(line, KNOWN) is None


@pytest.mark.parametrize(
    ("line", "gone"),
    [
        ("# fetch_all() is gone", Deletion(("fetch_all",))),
        ("// removed: open(path) ... retry(3)", Deletion(first="open(path)", last="retry(3)")),
        ("// removed: open ... retry", Deletion(first="open", last="retry")),
        ("// removed: const ... log.debug", Deletion(first="const a = 1;", last="log.debug('x')")),
        ("# import json removed", Deletion(first="import json", last="import json")),
        ("// const a = 1 is gone", Deletion(first="const a = 1;", last="const a = 1;")),
        ("# (3 lines removed)", Deletion(count=3)),
        ("// removed 12 lines", Deletion(count=12)),
        ("# removed", Deletion()),
        ("[removed: load, ping]", Deletion(("load", "ping"))),
        ("// load and ping deleted, nobody needs them", Deletion(("load", "ping"))),
        ("// removed Store.flush", Deletion(("Store.flush",))),
        ("/* dropped the session */", Deletion()),
        ("/* dropped the moon */", None),
    ],
)
def test_what_is_gone(line: str, gone: Deletion | None) -> None:
    assert deletion(line, KNOWN) == gone


@given(st.text(max_size=300) | st.text(alphabet="# //removed:linesgone 3().…`" + printable, max_size=300))
def test_any_line_is_read(line: str) -> None:
    found = deletion(line, KNOWN)
    assert found is None or set(found.names) <= KNOWN.declared | KNOWN.lines or "." in "".join(found.names)
