"""An answer is parsed once an edit, and what two texts differ in is found once, however many ask."""

import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

from redraft.apply import Redraft
from redraft.edit.answer.answer import parse
from redraft.edit.answer.parsed import parsed
from redraft.edit.prompts.template import find_template
from redraft.edit.text.changes import _line_changes
from redraft.engines.scripted import Scripted
from redraft.measure.score.small import read_small

FILE = "import os\n\n\ndef first():\n    return os.name\n\n\ndef second():\n    return 2\n"
SKETCH = "Return three:\n\n```python\n# ... existing code ...\ndef second():\n    return 3\n```\n"
CASES = read_small(Path(__file__).parent / "cases" / "short.jsonl")[::7]


def entered(code: CodeType, work: Callable[[], object]) -> Counter[str]:
    """How often a function is entered while work is done, by what it is given."""
    found: Counter[str] = Counter()

    def seen(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code is code:
            found[repr([frame.f_locals[name] for name in code.co_varnames[: code.co_argcount]])] += 1

    sys.setprofile(seen)
    try:
        work()
    finally:
        sys.setprofile(None)
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_reader_parses_once_and_compares_two_texts_once(case: Any) -> None:
    parsed.cache_clear()
    _line_changes.cache_clear()
    assert entered(parse.__code__, lambda: Redraft().apply(case.original, case.update, path=case.path)).total() <= 1
    _line_changes.cache_clear()
    other = f"{case.original}\n"
    found = entered(_line_changes.__wrapped__.__code__, lambda: Redraft().apply(other, case.update, path=case.path))
    assert set(found.values()) <= {1}


@pytest.mark.parametrize("template", ["chat", "apply"])
def test_the_guards_of_a_model_parse_no_second_time(template: str) -> None:
    parsed.cache_clear()
    editor = Redraft.of(Scripted(FILE.replace("2", "3")), find_template(template))
    assert entered(parse.__code__, lambda: editor.apply(FILE, SKETCH, path="a.py")).total() == 1
