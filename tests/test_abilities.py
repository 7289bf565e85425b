"""What a reader needs for an answer is told by rules that know the right file."""

import pytest

from redraft.measure.sets.abilities import ABILITIES, abilities

BEFORE = """import os


class Store:
    # Where the files lie.
    folder = "here"

    def open(self):
        return open(self.folder)

    def close(self):
        self.file.close()

    def flush(self):
        self.file.flush()
"""
AFTER = BEFORE.replace("self.file.flush()", "self.file.flush(hard=True)")
NEW = "        self.file.flush(hard=True)"


def fenced(*lines: str, tag: str = "py") -> str:
    return "\n".join([f"```{tag}", *lines, "```", ""])


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (fenced("class Store:", "    # ... existing code ...", "    def flush(self):", NEW), []),
        (fenced("    # open() and close(): nothing to do", "    def flush(self):", NEW), ["marker in free words"]),
        (fenced("class Store:", "    # where it lies", "    def flush(self):", NEW), ["context drift"]),
        (fenced("class Store:", "    def flush(self):", NEW), ["neighbours without a marker"]),
        (fenced("def flush(self):", NEW[4:]), ["fragment indented otherwise"]),
        (fenced("-        self.file.flush()", f"+{NEW}"), ["undeclared diff"]),
        (fenced("@@ -14,2 +14,2 @@", "-        self.file.flush()", f"+{NEW}", tag="diff"), ["diff"]),
        (fenced("14 |     def flush(self):", f"15 | {NEW}"), ["gutter"]),
        ("In `flush`, after the head:\n" + fenced(NEW), ["place told in prose"]),
        ("`flush` gets `hard=True`.\n", ["change told in words"]),
        (fenced("        self.file.flush()") + "becomes\n" + fenced(NEW), ["old version shown", "several blocks"]),
        (fenced("    def flush(self):", NEW) + fenced("import os"), ["other order", "several blocks"]),
        (fenced("    def close(self): ...", "    def flush(self):", NEW), ["context drift"]),
        (fenced(*AFTER.splitlines()), ["whole file"]),
    ],
)
def test_what_an_answer_asks_for(answer: str, expected: list[str]) -> None:
    assert abilities(answer, BEFORE, AFTER) == expected
    assert set(expected) <= set(ABILITIES)


def test_a_deletion_note_is_told_from_a_marker() -> None:
    after = BEFORE.replace("    def close(self):\n        self.file.close()\n\n", "")
    answer = fenced("        return open(self.folder)", "", "    # close() is gone", "", "    def flush(self):")
    assert abilities(answer, BEFORE, after) == ["deletion note"]
