"""Who decides: the deterministic reader where it is sure, a model among its candidates where it is not, nobody else."""

import os
import subprocess
import sys
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from confidence import example, surest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from redraft.apply import Redraft, load
from redraft.edit.decide import by_reading
from redraft.edit.evidence import SURE, WRITTEN_FROM, Evidence
from redraft.edit.guard.check import WRITTEN
from redraft.edit.merge.read import read
from redraft.edit.merge.reading import Candidate, Reading
from redraft.edit.prompts.template import find_template
from redraft.engines.scripted import Scripted
from redraft.engines.spec import size_of
from redraft.errors import MissingError
from redraft.measure.score.small import Small

FILE = "def a(x):\n    check(x)\n    return x\n\n\ndef b(x):\n    check(x)\n    return x\n"
SURELY = "@@ -1,3 +1,3 @@\n def a(x):\n-    check(x)\n+    check(x, 1)\n     return x\n"
EITHER = "# ...\n    check(x)\n    log(x)\n    return x\n# ...\n"
IN_A = FILE.replace("check(x)\n", "check(x)\n    log(x)\n", 1)
LOGGED = "def b(x):\n    check(x)\n    log(x)\n    return x\n"
EXACT = "<<<<<<< SEARCH\ndef b(x):\n=======\ndef c(x):\n>>>>>>> REPLACE\n"
IN_B = FILE.replace("b(x):\n    check(x)\n", "b(x):\n    check(x)\n    log(x)\n")


def editor(target: str) -> Redraft:
    return Redraft.of(Scripted(target), find_template("chat"), "auto")


def unopened() -> Any:
    raise AssertionError("the model was opened")


def test_where_the_reader_is_sure_no_model_is_opened() -> None:
    result = Redraft(unopened, "auto").apply(FILE, SURELY, path="a.py")
    assert (result.status, result.decided_by, result.margin) == ("applied", "format", None)
    assert result.output == FILE.replace("check(x)", "check(x, 1)", 1)
    assert result.confidence is not None
    assert result.confidence >= SURE


def test_in_doubt_a_model_decides_for_the_readers_first_text() -> None:
    result = editor(IN_A).apply(FILE, EITHER, path="a.py")
    assert (result.status, result.output, result.decided_by) == ("applied", IN_A, "ranking")
    assert {each.candidate.text for each in result.weighed} >= {IN_A, IN_B}
    assert result.margin == 20


def test_a_model_that_is_sure_of_another_text_than_the_reader_decides() -> None:
    result = editor(IN_B).apply(FILE, EITHER, path="a.py")
    assert (result.status, result.output, result.decided_by) == ("applied", IN_B, "ranking")


def test_where_the_model_would_write_neither_text_nothing_is_written() -> None:
    result = editor(IN_B.replace("log(x)", "print(x)")).apply(FILE, EITHER, path="a.py")
    assert (result.status, result.confidence) == ("needs_context", 0)


def test_without_a_model_what_can_be_read_in_two_ways_is_refused() -> None:
    result = load(readers="merge").apply(FILE, EITHER, path="a.py")
    assert (result.status, result.confidence, result.decided_by) == ("needs_context", 0, "merge")
    assert (
        "'log(x)' (line 3 of the answer) comes below line 2 of the file, 'check(x)', or below line 7" in result.message
    )
    assert len(result.weighed) >= 2


def test_a_model_that_is_not_installed_leaves_the_doubt_and_says_what_to_install() -> None:
    def missing() -> Any:
        raise MissingError("the model needs torch: pip install 'redraft[model]'")

    result = Redraft(missing, "auto").apply(FILE, EITHER, path="a.py")
    assert (result.status, result.decided_by) == ("needs_context", "merge")
    assert result.way_on == (
        "a model could decide: the model needs torch: pip install 'redraft[model]', or name a chat model to ask: "
        "--engine openai:URL#MODEL"
    )
    assert result.message == load(readers="merge").apply(FILE, EITHER, path="a.py").message
    assert Redraft(missing, "auto").apply(FILE, SURELY, path="a.py").status == "applied"


@pytest.mark.parametrize(("spec", "fetched"), [("embedded", "small (491 MB)"), ("embedded:large", "large (1,117 MB)")])
def test_without_a_model_auto_writes_what_is_sure_and_names_the_commands_in_doubt(
    tmp_path: Path, spec: str, fetched: str
) -> None:
    code = (
        "import sys\nsys.modules |= {'torch': None, 'numpy': None}\nimport redraft\n"
        f"editor = redraft.load({spec!r})\n"
        f"print(editor.apply({FILE!r}, {SURELY!r}, path='a.py').status)\n"
        f"print(editor.apply({FILE!r}, {EITHER!r}, path='a.py').way_on)\n"
    )
    environment = {**os.environ, "REDRAFT_HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    sure, doubted = done.stdout.splitlines()
    assert sure == "applied"
    way = f"a model could decide: pip install 'redraft[local]' and redraft model get {fetched}, or name a chat"
    assert doubted.startswith(way)


@pytest.mark.parametrize(
    "answer",
    [
        "### `other.py`\n\n```python\ndef b(x):\n    return 2\n```\n",
        "I'm sorry, but I cannot do that.\n",
        "Run it like this:\n\n```bash\npython a.py\n```\n",
        "```python\ndef b(x):\n    return 2\n",
        "```python\n12#AB:def a(x):\n13#CD:    return 2 * x\n```\n",
        "a.py\n<<<<<<< SEARCH\n    gone()\n=======\n    come()\n>>>>>>> REPLACE\n",
        "```python\ndef b(x):\n    check(x, 1)\n    return x\n```\n\nI also set the limit to 115200.\n",
    ],
)
def test_no_model_is_named_where_none_could_help(answer: str) -> None:
    def missing() -> Any:
        raise MissingError("no torch")

    result = Redraft(missing, "auto").apply(FILE, answer, path="a.py")
    alone = load(readers="merge").apply(FILE, answer, path="a.py")
    assert result.status not in WRITTEN
    assert (result.way_on, result.message) == ("", alone.message)


def test_an_answer_without_candidates_says_why() -> None:
    assert by_reading(FILE, Reading(read(FILE, "", "a.py").answer, (), "why")).message == "why"


def test_what_is_seen_of_a_candidate() -> None:
    reading = read(FILE, EITHER, "a.py")
    found = Evidence.of(FILE, reading, reading.candidates[0])
    assert (found.close, found.unchanged, found.missing, found.short) == (1, 0, 0, 1)
    unchanged = Evidence.of(FILE, reading, Candidate(FILE, 0.5))
    assert (unchanged.unchanged, unchanged.cost, unchanged.missing) == (1, 0.5, 0.5)


def test_what_comes_at_another_depth_than_what_goes_is_shifted() -> None:
    reading = read(FILE, EITHER, "a.py")
    deeper, as_deep = (FILE.replace("    return x", f"{width}return 2", 1) for width in ("        ", "    "))
    assert [Evidence.of(FILE, reading, Candidate(text, 0.0)).shifted for text in (deeper, as_deep)] == [1, 0]


@pytest.mark.parametrize(
    ("sign", "more"),
    [("cost", 1.0), ("costly", 1.0), ("missing", 1.0), ("paraphrased", 0.5), ("outdated", 0.5), ("shifted", 1.0)],
)
def test_what_speaks_against_a_text_makes_it_less_sure(sign: str, more: float) -> None:
    reading = read(FILE, EITHER, "a.py")
    found = Evidence.of(FILE, reading, reading.candidates[0])
    assert replace(found, **{sign: getattr(found, sign) + more}).confidence < found.confidence
    assert replace(found, margin=found.margin + 1).confidence > found.confidence
    assert 0 < WRITTEN_FROM <= SURE < 1


def test_a_confidence_is_fitted_on_what_it_decides() -> None:
    doubtful = example(Small("own-1", "", "a.py", FILE, f"Log it:\n\n```python\n{LOGGED}```\n", (IN_B,), False))
    assert doubtful is not None
    assert doubtful.features.keys() == {*Evidence.__struct_fields__}
    assert (doubtful.right, doubtful.group) == (True, "own")
    assert example(Small("own-2", "", "a.py", FILE, EXACT, (IN_B,), False)) is None


def test_the_least_confidence_from_which_a_share_is_right() -> None:
    held = [(0.99, True), (0.9, True), (0.9, False), (0.5, True)]
    assert surest(held, 0.97) == 0.99
    assert surest(held, 0.7) == 0.5


def test_of_a_long_file_a_model_that_chooses_is_shown_a_few_lines() -> None:
    asked: list[str] = []

    class Listening(Scripted):
        def rank(self, prompt: Any, texts: Sequence[str]) -> list[float]:
            asked.extend(texts)
            return super().rank(prompt, texts)

    long = FILE + "".join(f"\n\ndef f{n}(x):\n    return {n}\n" for n in range(200))
    Redraft.of(Listening(IN_B), find_template("chat"), "auto").apply(long, EITHER, path="a.py")
    assert asked
    assert all(text.count("\n") < 80 for text in asked)


def test_what_costs_a_model_more_than_the_unchanged_file_is_not_written() -> None:
    result = editor(FILE).apply(FILE, EITHER, path="a.py")
    assert (result.status, result.confidence) == ("needs_context", 0)


BLOCKS = ("def one():\n    return 11\n", "def two():\n    return 22\n", "def three():\n    return 33\n")
SOURCE = "import os\n\n\n" + "\n\n".join(
    f"def {name}():\n    # {name}\n    return {n}\n" for n, name in enumerate(("zero", "one", "two", "three", "four"))
)


@pytest.mark.parametrize("order", list(permutations(BLOCKS)))
def test_the_order_of_blocks_does_not_matter(order: Sequence[str]) -> None:
    answer, as_written = (
        "\n".join(f"Change this:\n\n```python\n{block}```\n" for block in blocks) for blocks in (order, BLOCKS)
    )
    result = load(readers="merge").apply(SOURCE, answer, path="a.py")
    reading = read(SOURCE, answer, "a.py")
    expected = {each.text for each in read(SOURCE, as_written, "a.py").candidates}
    assert {each.text for each in reading.candidates} == expected
    assert result.status in (*WRITTEN, "needs_context")


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(("zero", "one", "two", "three", "four")), st.integers(100, 999))
def test_what_no_operation_names_is_byte_for_byte_the_same(name: str, value: int) -> None:
    answer = f"```python\ndef {name}():\n    # {name}\n    return {value}\n```\n"
    crooked = SOURCE.replace("import os\n", "import  os \t\n").replace("def ", "def  ") if value % 2 else SOURCE
    for candidate in read(crooked, answer, "a.py").candidates[:1]:
        old, new = crooked.split("\n\n\n"), candidate.text.split("\n\n\n")
        touched = [(a, b) for a, b in zip(old, new, strict=True) if a != b]
        assert [name in a for a, _ in touched] == [True]


PIECES = (
    *("```python\n", "```\n", "# ... existing code ...\n", "def a(x):\n", "    check(x)\n", "+    log(x)\n"),
    *("-    return x\n", "@@ -1,3 +1,4 @@\n", "<<<<<<< SEARCH\n", "=======\n", ">>>>>>> REPLACE\n"),
    *("*** Begin Patch\n", "*** Update File: a.py\n", "Remove `b` and rename `a` to `c`.\n", "Before:\n", "After:\n"),
    *("\u2028", "\x00", "class X:\n", "\t}\n", "  \n", "\ud800"),
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.sampled_from(PIECES) | st.text(max_size=12), max_size=12).map("".join),
    st.lists(st.sampled_from(FILE.splitlines(keepends=True)) | st.text(max_size=12), max_size=10).map("".join),
    st.sampled_from(("a.py", "a.ts", "a.html", "a.yaml", "a.md", "", "Makefile")),
)
def test_any_text_is_read_or_refused(update: str, original: str, path: str) -> None:
    result = load(readers="merge").apply(original, update, path=path)
    assert (result.status == "error") == (not update.strip())
    assert "\n" not in result.message
    assert result.output is not None or result.status not in WRITTEN


def test_a_long_file_is_no_reason_to_doubt() -> None:
    answer = "`f7` subtracts now:\n\n```python\ndef f7(a, b):\n    total = a - 7\n    return total * b\n```\n"
    for count in (80, 1200):
        file = "\n\n".join(f"def f{n}(a, b):\n    total = a + {n}\n    return total * b\n" for n in range(count))
        decision = by_reading(file, read(file, answer, "a.py"))
        assert decision.is_sure
        assert decision.text == file.replace("a + 7\n", "a - 7\n")


@pytest.mark.parametrize("remark", ["straight", "of the plane", "as a crow flies"])
def test_a_comment_that_is_only_left_out_stays(remark: str) -> None:
    head, body = "def distance(a, b):\n", "    return abs(a - b)\n"
    other = "\n\ndef middle(a, b):\n    return (a + b) / 2\n"
    typed = "def distance(a: float, b: float) -> float:\n"
    update = f"With type hints, `distance` becomes:\n\n```python\n{typed}{body}```\n"
    comment = f"    # {remark}\n"
    result = load(readers="merge").apply(f"{head}{comment}{body}{other}", update, path="a.py")
    assert (result.status, result.output) == ("applied", f"{typed}{comment}{body}{other}")


@pytest.mark.parametrize(
    ("spec", "size"),
    [("embedded", "small"), ("embedded:small", "small"), ("embedded:large", "large"), ("numpy:", ""), ("hf:a/b", "")],
)
def test_only_embedded_models_have_a_size(spec: str, size: str) -> None:
    assert size_of(spec) == size
