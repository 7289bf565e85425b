"""In: the cases of the tests. Out: `Case`, the input of a fuzzer, and those that each target begins with."""

import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path

from exact.rendering import NUMBERS, PLACED, Edit
from redraft.measure.score.small import read_small

TESTS = Path(__file__).parent.parent
CORPUS = Path(__file__).parent / "corpus"
_SETS = ("cases/short.jsonl", "cases/edits.jsonl", "cases/kinds.jsonl", "conformance")
_PYTHON = Edit(("def one():", "    return 1", "", "def two():", "    return 2"), 3, 5, ("def two():", "    return 3"))
_TEXT = Edit(("# Title", "", "a & b", "", "- é one", "- two", "", "end"), 2, 6, ("a < b", "", "- é one", "- three"))
# An answer is of each format that it has a mark of.
FORMATS = {
    "blocks": re.compile(r"[<-]{5,} ?SEARCH"),
    "patch": re.compile(r"\*\*\* Begin Patch"),
    "diff": re.compile(r"^(?:@@|--- |\d+(?:,\d+)?[acd]\d+)", re.MULTILINE),
    "calls": re.compile(r"\"(?:old|new|search|replace|find)\w*\"\s*:"),
    "tags": re.compile(r"<(?:parameter|invoke|function|old|new|search|find|original|edit)\w*[ =>]", re.IGNORECASE),
    "counts": re.compile(r"replace_?all|expected_", re.IGNORECASE),
    "insert": re.compile(r"insert_?(?:line|content|after)", re.IGNORECASE),
    "ranges": re.compile(r"start_line|end_line|edit \d+:\d+|^\s*\d+ ?[|\u2192]", re.MULTILINE),
    "whole": re.compile(r"write_?(?:to_)?file|\"(?:content|file_text)\"|\*\*\* Add File|create_file", re.IGNORECASE),
}
_CALLS: dict[str, tuple[dict[str, object], ...]] = {
    "counts": (
        {"path": "a.py", "old_string": "one", "new_string": "three", "replace_all": True},
        {"path": "a.py", "old_string": "return", "new_string": "yield", "expected_replacements": 2},
        {"path": "a.py", "edits": [{"oldText": "    return 1\n", "newText": "    return 7\n", "replaceAll": "true"}]},
    ),
    "insert": (
        {"command": "insert", "path": "a.py", "insert_line": 2, "new_str": "    # here\n"},
        {"command": "insert", "path": "a.py", "insert_line": 0, "insert_text": "import os"},
        {"tool": "insert_content", "path": "a.py", "line": 4, "content": "x = 1\ny = 2"},
    ),
    "ranges": (
        {"path": "a.py", "start_line": 2, "end_line": 2, "new_content": "    return 8"},
        {"path": "a.py", "changes": [{"start_line": 4, "end_line": 5, "new_code": ""}]},
    ),
    "whole": (
        {"name": "write_file", "arguments": {"file_path": "a.py", "content": _PYTHON.edited}},
        {"command": "create", "path": "a.py", "file_text": _PYTHON.original},
    ),
}


@dataclass(frozen=True)
class Case:
    """A file, an answer, and a text that somebody made of both; `broke` is the property that it broke once."""

    path: str
    original: str
    update: str
    text: str = ""
    broke: str = ""

    @staticmethod
    def of(line: str | bytes) -> "Case":
        return Case(**json.loads(line))

    @property
    def line(self) -> str:
        return json.dumps(
            {name: value for name, value in asdict(self).items() if value or name in ("path", "update", "original")}
        )


def seeds(target: str) -> list[Case]:
    """What a target begins with: the cases of the tests that are for it, and its corpus."""
    pattern = FORMATS.get(target)
    found = [case for case in chain(_small(), _rendered()) if pattern is None or pattern.search(case.update)]
    calls = (json.dumps(call) for call in _CALLS.get(target, ()))
    return [*found, *(Case("a.py", _PYTHON.original, call) for call in calls), *corpus(target)]


def corpus(target: str) -> list[Case]:
    file = CORPUS / f"{target}.jsonl"
    return [Case.of(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


def _small() -> Iterator[Case]:
    for name in _SETS:
        for case in read_small(TESTS / name):
            yield Case(case.path, case.original, case.update, next(iter(case.right), case.original))


def _rendered() -> Iterator[Case]:
    for edit in (_PYTHON, _TEXT):
        for render in (*PLACED, *NUMBERS):
            yield Case("a.py" if edit is _PYTHON else "a.txt", edit.original, render(edit), edit.edited)
