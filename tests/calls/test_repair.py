"""A call that fails becomes one that works letter for letter, with its proof; or it is refused, with the places."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import redraft
from redraft.calls.repair import Repair, repair, repair_call
from redraft.calls.report import described
from redraft.calls.spell import AGENTS, WHOLE_LINES, agent_of, like, spelled_for
from redraft.edit.exact.read import read_exact
from redraft.errors import RedraftError

FILE = """\
import os


class Basket:
    def __init__(self, items=()):
        self.items = list(items)

    def total(self):
        return sum(item.price for item in self.items)

    def clear(self):
        self.items = []
        return self


class Wishes:
    def clear(self):
        self.items = []
        return self
"""
TOTAL = "    def total(self):\n        return sum(item.price for item in self.items)"
NEW = TOTAL.replace("item.price", "item.cost")
RIGHT = FILE.replace("item.price", "item.cost")


def lines(text: str, change: str) -> str:
    return "\n".join(change.format(at, line) for at, line in enumerate(text.split("\n"), 8))


SLIPS = {
    "one common shift of indentation": (TOTAL.replace("\n    ", "\n")[4:], NEW.replace("\n    ", "\n")[4:]),
    "one common shift of indentation ": (f"  {TOTAL}".replace("\n", "\n  "), f"  {NEW}".replace("\n", "\n  ")),
    "gutter of line numbers": (lines(TOTAL, "{:>6}\t{}"), lines(NEW, "{:>6}\t{}")),
    "gutter of line numbers ": (lines(TOTAL, "{:>6}\u2192{}"), NEW),
    "escapes for line breaks and quotes": (json.dumps(TOTAL)[1:-1], json.dumps(NEW)[1:-1]),
    "no-break spaces": (TOTAL.replace(" ", "\u00a0"), NEW.replace(" ", "\u00a0")),
    "ticks around old and new text": (f"```python\n{TOTAL}\n```", f"```python\n{NEW}\n```"),
    "tags of the call": (f"{TOTAL}\n</old_string>", f"{NEW}\n</new_string>"),
    "tags of the call ": (f"{TOTAL}\n</old_string>", NEW),
    "blanks at the ends of lines": (TOTAL.replace(":\n", ":  \n"), NEW),
    "line endings": (TOTAL.replace("\n", "\r\n"), NEW.replace("\n", "\r\n")),
}


def proved(text: str, found: Repair) -> str:
    """What the edits make of the file by nothing but exact replacement, each at its one place."""
    for edit in found.edits:
        assert edit.replace_all or text.count(edit.old) == 1
        text = text.replace(edit.old, edit.new)
    return text


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_mended_named_and_proved(slip: str) -> None:
    old, new = SLIPS[slip]
    assert FILE.count(old) == 0
    found = repair(FILE, old, new, path="basket.py")
    assert (found.status, found.output) == ("repaired", RIGHT)
    assert slip.strip() in found.healed
    assert proved(FILE, found) == RIGHT
    assert found.edits[0].lines[0] <= 9 <= found.edits[0].lines[1]


def test_a_call_that_works_stays_as_it_is() -> None:
    found = repair(FILE, TOTAL, NEW)
    assert (found.status, found.healed, found.output) == ("exact", (), RIGHT)
    assert [(edit.old, edit.new) for edit in found.edits] == [(TOTAL, NEW)]


def test_what_stands_several_times_is_refused_with_each_place_told() -> None:
    found = repair(FILE, "        self.items = []", "        self.items.clear()")
    assert (found.status, found.output, found.edits) == ("refused", None, ())
    assert "stands 2 times in the file, at lines 12 and 18" in found.message
    assert [place.lines for place in found.places] == [(12, 12), (18, 18)]
    for place in found.places:
        assert FILE.count(place.old) == 1
        assert "self.items = []" in place.old


def test_the_line_tells_which_place_is_meant() -> None:
    found = repair(FILE, "self.items = []", "self.items.clear()", line=18)
    at = FILE.rindex("self.items = []")
    assert found.output == FILE[:at] + "self.items.clear()" + FILE[at + len("self.items = []") :]
    assert found.status == "repaired"
    assert proved(FILE, found) == found.output


def test_all_places_are_replaced_where_that_is_asked_for() -> None:
    found = repair(FILE, "  self.items = []\n  return self", "  self.items = []\n  return None", replace_all=True)
    assert found.output == FILE.replace("return self\n", "return None\n")
    assert [edit.replace_all for edit in found.edits] == [True]
    assert proved(FILE, found) == found.output


def test_what_the_file_does_not_have_is_refused_with_what_differs() -> None:
    found = repair(FILE, TOTAL.replace("price", "weight"), NEW)
    assert found.status == "refused"
    assert found.places[0].lines == (8, 9)
    assert found.places[0].differs == ((TOTAL.split("\n")[1].replace("price", "weight"), TOTAL.split("\n")[1]),)
    assert "item.price" in described(found)


def test_a_made_edit_is_no_change() -> None:
    assert repair(RIGHT, TOTAL, NEW).status == "no_change"


def test_what_belongs_to_the_call_is_never_written() -> None:
    for new in (f"{NEW}\n</new_string>", f"{NEW}\n        # ... existing code ...", lines(NEW, "{:>6}\t{}")):
        found = repair(FILE, TOTAL, new, path="basket.py")
        assert (found.status, found.output) == ("refused", None)
        assert "new text" in found.message


def test_a_message_names_the_edit_and_the_text() -> None:
    edits = [{"old_string": TOTAL, "new_string": NEW}, {"old_string": "x = 1", "new_string": "x = 2"}]
    found = repair_call(FILE, json.dumps({"file_path": "basket.py", "edits": edits}), path="basket.py")
    assert found.message.startswith("the old text of edit 2 ('x = 1')")


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_the_new_file_has_the_endings_of_the_old_one(ending: str) -> None:
    old, new = SLIPS["one common shift of indentation"]
    assert repair("\ufeff" + FILE.replace("\n", ending), old, new).output == "\ufeff" + RIGHT.replace("\n", ending)


@pytest.mark.parametrize("agent", AGENTS)
def test_each_agent_gets_the_call_in_its_words(agent: str) -> None:
    old, new = SLIPS["one common shift of indentation"]
    found = repair(FILE, old, new, path="basket.py")
    call = spelled_for(agent, FILE, RIGHT, found.edits, "basket.py")
    read = read_exact(FILE, call, "basket.py")
    assert read is not None
    assert (read.text, read.healed) == (RIGHT, ())
    assert agent_of(call) in (agent, "claude-code" if agent == "gemini" else agent)
    assert repair_call(FILE, call, path="basket.py").output == RIGHT


@pytest.mark.parametrize("agent", WHOLE_LINES)
def test_whole_lines_are_shown_to_agents_that_need_them(agent: str) -> None:
    found = repair(FILE, "item.price", "item.cost")
    call = spelled_for(agent, FILE, RIGHT, found.edits, "basket.py")
    read = read_exact(FILE, call, "basket.py")
    assert read is not None
    assert (read.text, read.healed) == (RIGHT, ())


def test_a_call_keeps_its_own_words() -> None:
    old, new = SLIPS["one common shift of indentation"]
    call = {"name": "edit", "arguments": json.dumps({"filePath": "basket.py", "oldText": old, "newText": new})}
    found = repair_call(FILE, json.dumps(call), path="basket.py")
    made = json.loads(like(json.dumps(call), FILE, RIGHT, found.edits, "basket.py"))
    given = json.loads(made["arguments"])
    assert (made["name"], given["filePath"]) == ("edit", "basket.py")
    assert FILE.replace(given["oldText"], given["newText"], 1) == RIGHT


def test_what_the_file_shows_of_calls_is_no_hindrance() -> None:
    file = 'TOOL = {"old_string": "text", "new_string": "text"}\n\n\ndef call():\n    return TOOL\n'
    call = json.dumps({"file_path": "tool.py", "old_string": "  return TOOL", "new_string": "  return dict(TOOL)"})
    assert repair_call(file, call, path="tool.py").output == file.replace("return TOOL", "return dict(TOOL)")


def test_what_is_no_call_is_said_to_be_none() -> None:
    with pytest.raises(RedraftError, match="no call"):
        repair_call(FILE, "Please rename total.", path="basket.py")
    with pytest.raises(RedraftError, match="sketch"):
        repair_call(FILE, json.dumps({"target_file": "basket.py", "code_edit": "# ... existing code ...\nx = 1\n"}))


def test_it_is_at_the_door() -> None:
    assert redraft.repair(FILE, TOTAL, NEW).output == redraft.repair_call(FILE, _json(TOTAL, NEW)).output == RIGHT


def _json(old: str, new: str) -> str:
    return json.dumps({"file_path": "basket.py", "old_string": old, "new_string": new})


LINE = st.sampled_from(["a = 1", "    b(a)", "", "c", "  d = [", "]", "\te"])


@given(st.lists(LINE, min_size=2, max_size=12), st.data())
def test_what_is_written_is_proved_and_what_is_not_leaves_the_file(file: list[str], data: st.DataObject) -> None:
    text = "\n".join([*file, "end"]) + "\n"
    start = data.draw(st.integers(0, len(file) - 1))
    old = [data.draw(st.sampled_from(["", " ", "\t"])) + line for line in file[start : start + 3]]
    new = [*old[:1], "new line", *old[2:]]
    found = repair(text, "\n".join(old), "\n".join(new), replace_all=data.draw(st.booleans()))
    if found.output is None:
        assert found.status == "refused"
        assert found.message
    else:
        assert proved(text, found) == found.output
    for place in found.places:
        assert place.old in text


def test_an_answer_about_places_is_short() -> None:
    long = FILE + "".join(f"    def method_{at}(self):\n        return {at}\n\n" for at in range(400))
    for old in ("return self", "def method(self):\n        return 7", TOTAL.replace("price", "weight")):
        assert len(described(repair(long, old, "x = 1"))) < 1500


def test_the_page_of_formats_names_each_slip() -> None:
    page = (Path(__file__).parents[2] / "docs" / "formats.md").read_text()
    for name in ("gutter of line numbers", "tags of the call", "typographic quotes"):
        assert name in page
