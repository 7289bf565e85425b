"""The next edit: its place and text, histories, steps of commits, samples and figures made of them."""

import json
from base64 import b64encode
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

import next_prompts as sent
from command_line import done, refusal
from redraft.data.edits import Edit, write_edits
from redraft.data.next_samples import samples
from redraft.edit.prompts.prompt import Part
from redraft.engines import Sampling
from redraft.engines.scripted import Scripted
from redraft.engines.tokens import read_tokens
from redraft.errors import RedraftError
from redraft.measure.next.chrf import chrf, delta_chrf
from redraft.measure.next.scenarios import read_positions
from redraft.next.history import changes_of
from redraft.next.predict import Situation, predict
from redraft.next.recognise import recognise
from redraft.next.steps import steps
from redraft.next.sweep import Change
from redraft.train.packed import Sequenced, read_packed
from serving import scripted, serving
from tiny_models import save, tokenizer

DIFF = "--- a/shape.py\n+++ b/shape.py\n@@ -1,2 +1,2 @@\n-width = 3\n+w = 3\n print(w)\n"
CHANGE = Change("shape.py", "width = 3\nprint(w)\n", "w = 3\nprint(w)\n")
LINES = st.lists(st.sampled_from(["a", "b", "", "  c", "d"]), max_size=30).map("\n".join)


def test_a_history_is_a_unified_diff() -> None:
    assert changes_of(DIFF) == (CHANGE,)
    assert changes_of(f"diff --git a/shape.py b/shape.py\nindex 1..2\n{DIFF}{DIFF}") == (CHANGE, CHANGE)
    assert changes_of("--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+-- a\n") == (Change("new.py", "", "-- a\n"),)
    assert changes_of(" \n") == ()


@pytest.mark.parametrize("text", ["hello", "@@ -1,2 +1,2 @@\n-a\n", "@@ -1 +1 @@\n-a\n?b\n"])
def test_what_is_no_history_is_named(text: str) -> None:
    with pytest.raises(RedraftError, match="history"):
        changes_of(text)


def said(text: str, now: Situation) -> dict[str, object]:
    return predict(Scripted(text), now, Sampling()).record()


def test_an_edit_has_a_place_a_text_and_the_cursors_next_place() -> None:
    record = said(sent.NEW, Situation(sent.WINDOW, 2, 1, "shape.py", (CHANGE,)))
    assert record["status"] == "edit"
    assert record["edit"] == {"first": 5, "last": 5, "text": "print(area(w, 2))\n"}
    assert record["cursor"] == {"line": 5, "column": len("print(area(w") + 1}


def test_an_insertion_lies_before_its_line() -> None:
    record = said("a\nnew\nb\n", Situation("a\nb\n", 1))
    assert (record["edit"], record["cursor"]) == ({"first": 2, "last": 1, "text": "new\n"}, {"line": 2, "column": 1})


def test_the_embedded_model_fills_the_gap_at_the_cursor() -> None:
    now = Situation("def area(w, h):\n    return \n\nprint(area(1, 2))\n", 2, 12, "shape.py")
    found = predict(Scripted("w * h\n\ndef more():\n", template="regions"), now, Sampling())
    assert (found.status, found.output) == ("edit", now.text.replace("return ", "return w * h"))
    assert found.record()["cursor"] == {"line": 2, "column": 12}
    assert predict(Scripted("\n", template="regions"), now, Sampling()).status == "no_change"


@pytest.mark.parametrize(
    "answer", [sent.WINDOW, sent.WINDOW.rstrip(), f"```py\n{sent.WINDOW}```", "", "def area(w, h):\n"]
)
def test_the_same_window_and_one_that_ends_early_are_no_edit(answer: str) -> None:
    assert said(answer, Situation(sent.WINDOW, 2))["status"] == "no_change"


def test_what_a_model_says_behind_a_fence_is_not_read() -> None:
    chatting = f"{sent.NEW}```\n\nThis is " + "the file. " * 50
    found = predict(Scripted(chatting), Situation(sent.WINDOW, 2), Sampling())
    assert (found.status, found.text) == ("edit", "print(area(w, 2))\n")
    assert found.tokens < 60
    assert said("def area(w):\n```\nNo more.", Situation(sent.WINDOW, 2))["status"] == "cut_off"


def test_an_answer_that_is_cut_off_is_no_edit() -> None:
    found = predict(Scripted(sent.NEW), Situation(sent.WINDOW, 2), Sampling(max_tokens=5))
    assert (found.status, found.output) == ("cut_off", sent.WINDOW)


def test_the_next_place_may_lie_outside_of_the_window() -> None:
    """Where the window stays as it is, the lines that still have what was taken away are asked about."""
    head = "".join(f"line {number}\n" for number in range(11))
    text = f"{head}{'x = 1' + chr(10)}" * 4 + "print(width)\n"
    record = said(head.removesuffix("\n"), Situation(text, 1, changes=(CHANGE,)))
    assert record["status"] == "edit"
    assert record["cursor"]["line"] > 30  # type: ignore[index]
    assert said(head.removesuffix("\n"), Situation(text, 1))["status"] == "no_change"


def test_a_place_that_the_file_has_not_is_named() -> None:
    with pytest.raises(RedraftError, match="9:1"):
        Situation("a\n", 9)


@given(LINES, LINES, st.integers(0, 3))
def test_steps_lead_from_before_to_after(before: str, after: str, seed: int) -> None:
    found = list(steps("f.py", before, after, seed=seed))
    assert bool(found) == (before.split("\n") != after.split("\n"))
    for step in found:
        lines = step.now.lines
        start, end = step.window
        assert start <= step.now.line - 1 < max(end, 1)
        assert (step.before == step.after) == (step.kind == "quiet")
        whole = "\n".join([*lines[:start], *step.after.split("\n"), *lines[end:]])
        if step.kind != "quiet":
            assert list(steps("f.py", step.now.text, whole))
        assert 1 <= len(step.now.changes) <= 3
        # The last change is told as the file is, without what comes next.
        assert step.now.changes[-1].after in f"{step.now.text}\n"
    if found:
        last = next(step for step in found if step.kind == "quiet")
        assert before != last.now.text


def test_a_step_knows_what_was_changed_and_what_comes_next() -> None:
    before, after = "a = 1\nb\nc\nprint(a)\nend", "x = 1\nb\nc\nprint(x)\nend"
    speaking, quiet = steps("f.py", before, after)
    assert speaking.now.text == "x = 1\nb\nc\nprint(a)\nend"
    assert speaking.now.changes == (Change("f.py", "a = 1\nb\nc\n", "x = 1\nb\nc\n"),)
    assert (speaking.now.line, speaking.after, quiet.now.text) == (1, after, after)


def edit(before: str, after: str, hashes: tuple[str, str]) -> Edit:
    return Edit("o/n", "c", "f.py", *hashes, before, after, "python", "MIT")


def test_samples_are_prompts_as_editors_send_them_half_of_them_quiet(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    texts = ["a = 1\nb\nprint(a)\n", "x = 1\nb\nprint(x)\n", "x = 2\nb\nprint(x, 2)\n"]
    edits = [edit(texts[n], texts[n + 1], (f"{n}", f"{n + 1}")) for n in range(2)]
    assert write_edits(tmp_path / "edits.parquet", edits) == 2
    model, out = save("qwen2", tmp_path / "model"), tmp_path / "packed.safetensors"
    known = Tokenizer.from_str(tokenizer().to_str())
    known.add_special_tokens(["<|file_sep|>"])
    known.save(str(model / "tokenizer.json"))
    ways = set()
    for seed in range(6):
        done(
            capfd, "data", "next", tmp_path / "edits.parquet", "--out", out, "--model", model,
            "--permissive", "--seed", seed,
        )  # fmt: skip
        packed = read_packed(out)
        assert sorted(each.style for each in packed) == ["next", "next", "quiet", "quiet"]
        prompts, answers = zip(*(parted(known, each) for each in packed), strict=True)
        assert any("a = 1" in prompt for prompt, each in zip(prompts, packed, strict=True) if "c/next" in each.id)
        for prompt, answer, each in zip(prompts, answers, packed, strict=True):
            read = recognise(prompt, lambda name: name == "<|file_sep|>")
            assert read is not None
            written = prompt.rpartition("updated/f.py")[2].partition("\n")[2]
            ways.add("<|cursor|>" in prompt)
            assert answer.endswith("\n<|file_sep|>")
            assert (written + answer == read.window + "<|file_sep|>") == (each.style == "quiet")
    assert ways == {True, False}
    assert [each.style for each in samples(edits, unchanged=0)] == ["next", "next"]
    assert [each.style for each in samples(edits, unchanged=0.3)].count("quiet") == 1


def test_a_gap_is_what_comes_at_the_cursor() -> None:
    before, after = "a = 1\nprint(a)\n", "a = 1\nbig = compute(a, 2)\nprint(a)\n"
    found = [*samples([edit(before, after, ("1", "2"))], unchanged=0.5, gaps=0.5)]
    gaps = [sample for sample in found if sample.style.startswith("gap")]
    assert {sample.style for sample in gaps} <= {"gap, inside", "gap, quiet"}
    for sample in gaps:
        text = "".join(part.text for part in sample.prompt)
        read = recognise(text, lambda _: True)
        assert read is not None
        assert read.template == "fim"
        above, below = text.removeprefix("<|fim_prefix|>").removesuffix("<|fim_middle|>").split("<|fim_suffix|>")
        come = "".join(part.text for part in sample.output).removesuffix("<|endoftext|>")
        assert bool(come) == (sample.style == "gap, inside")
        assert (above + come + below).rstrip() in f"{after}{before}"


def test_what_is_foretold_brings_no_word_that_the_prompt_has_not() -> None:
    renamed = edit("width = 1\nb\nc\nprint(width)\nend", "w = 1\nb\nc\nprint(w)\nend", ("1", "2"))
    told = edit("a\nb\nc\nd\n", "a1\nb\nc\nsomething(else)\n", ("3", "4"))
    kept = samples([renamed, told], unchanged=0, foretold=True)
    assert [sample.id for sample in kept] == ["c/next"]


def parted(known: Tokenizer, sample: Sequenced) -> tuple[str, str]:
    """The prompt and the answer of a packed sample."""
    start, ids = sample.start, list(sample.ids)
    return known.decode(ids[:start], skip_special_tokens=False), known.decode(ids[start:], skip_special_tokens=False)


@given(LINES, LINES, st.integers(0, 5))
def test_a_sample_asks_for_what_the_step_comes_to(before: str, after: str, seed: int) -> None:
    found = {step.kind: step for step in steps("f.py", before, after, seed=seed)}
    for sample in samples([edit(before, after, ("1", "2"))], seed):
        step = found[sample.style]
        written = "".join(part.text for part in sample.prompt).rpartition("updated/f.py")[2].partition("\n")[2]
        whole = step.after if step.after.endswith("\n") else f"{step.after}\n"
        assert "".join(part.text for part in sample.output) == f"{whole.removeprefix(written)}<|file_sep|>"
        assert whole.startswith(written)


def test_chrf_counts_changed_lines_alone() -> None:
    assert (chrf("", ""), chrf("a", ""), chrf("abc", "abc")) == (100.0, 0.0, 100.0)
    before = ["a", "b", "c"]
    assert delta_chrf(before, ["a", "new", "c"], ["a", "new", "c"]) == 100.0
    assert delta_chrf(before, before, ["a", "new", "c"]) == 0.0
    assert 0 < delta_chrf(before, ["a", "now", "c"], ["a", "new", "c"]) < 100


SCENARIO = """A width becomes w.
id: rename
language: python
file: shape.py
row: 5
col: 6
fim-row: 2
fim-col: 11
-- buffer.txt --
{buffer}-- history --
<|file|> shape.py
<|old|>
width = 3
<|new|>
w = 3
-- steps --
request-completion manual
-- expected --
{expected}"""


def test_scenarios_are_scored(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "1.txtar").write_text(SCENARIO.format(buffer=sent.WINDOW, expected=sent.NEW))
    quiet = SCENARIO.partition("-- expected")[0].replace("col: 6\n", "col: 6\ncursor-positions: 1:2, 2:0\n", 1)
    (tmp_path / "2.txtar").write_text(quiet.format(buffer=sent.WINDOW))
    first, *others = read_positions(tmp_path)
    assert [each.id for each in others] == ["rename", "rename@1", "rename@2"]
    prompt = "".join(part.text for part in first.prompt("sweep", lambda _: True).prompt.parts)
    assert prompt == sent.cursortab_sweep(cursor=sent.WINDOW.index("area(width"))
    assert first.after("sweep", "print(area(w, 2))\n") == first.expected
    assert first.after("sweep", "print(area(width, 2))\n") == first.lines
    # What the answer repeats of the text behind the gap is there already.
    assert first.after("fim", "- w * h\n\n\nprint")[1] == "    return - w * h"
    engine = tmp_path / "said"
    engine.write_text("print(area(w, 2))\n")
    out = tmp_path / "answers.jsonl"
    options = ("--way", "sweep", "--engine", f"scripted:{engine}", "--out", out, "--plain", 9, "--warm")
    table, _ = done(capfd, "eval", "next", "--scenarios", tmp_path, *options)
    assert "| cursortab, sweep | 1 + 3 |" in table
    assert "4 of 4" in table
    records = [json.loads(line) for line in out.read_text().splitlines()]
    assert [record["is_exact"] for record in records] == [True, False, False, False]
    assert all(record["seconds"] > 0 and record["warm"] > 0 for record in records)


def test_recorded_answers_are_counted_in_forwards(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """No model is run: with the window as the draft three forwards, where llama.cpp took five."""
    (tmp_path / "1.txtar").write_text(SCENARIO.format(buffer=sent.WINDOW, expected=sent.NEW))
    said = {"choices": [{"text": "print(area(w, 2))\n", "finish_reason": "stop"}]}
    rows = [
        {
            "kind": "request",
            "body_b64": coded({"prompt": sent.cursortab_sweep(cursor=sent.WINDOW.index("area(width"))}),
        },
        {"kind": "response", "body_b64": coded(said | {"timings": {"predicted_n": 9, "draft_n_accepted": 4}})},
    ]
    (tmp_path / "1").mkdir()
    (tmp_path / "1" / "some.ndjson").write_text("\n".join(map(json.dumps, rows)))
    folder = save("qwen2", tmp_path / "tiny")
    file = folder / "tokenizer.json"
    file.write_text(file.read_text().replace("<|user|>", "<|file_sep|>"))
    table, told = done(capfd, "eval", "next", "--scenarios", tmp_path, "--recorded", "some", "--engine", f"hf:{folder}")
    cells = table.splitlines()[-1].split(" | ")
    tokens = len(read_tokens(file).encode((Part("print(area(w, 2))\n"),))) + 1
    assert cells[-7:-5] == [f"{tokens}", f"{tokens / 3:.1f}"]
    assert told == "llama.cpp took 5 forwards for its 9 tokens: 1.80 a forward\n"
    assert "no answer of other" in refusal(
        capfd, "eval", "next", "--scenarios", tmp_path, "--recorded", "other", "--engine", f"hf:{folder}"
    )
    recorded = ("--recorded", "some", "--engine", f"hf:{folder}", "--plain", 1, "--out", tmp_path / "timed.jsonl")
    done(capfd, "eval", "next", "--scenarios", tmp_path, *recorded)
    timed = json.loads((tmp_path / "timed.jsonl").read_text().splitlines()[0])
    assert (timed["tokens"], timed["forwards"]) == (tokens, 3)
    assert timed["warm"] > 0 < timed["plain"]


def coded(body: dict[str, object]) -> str:
    return b64encode(json.dumps(body).encode()).decode()


def test_the_command_prints_a_diff_or_a_record(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file, history, engine = tmp_path / "shape.py", tmp_path / "last.diff", tmp_path / "said"
    file.write_text(sent.WINDOW)
    history.write_text(DIFF)
    engine.write_text(sent.NEW)
    call = ("next", "--file", file, "--engine", f"scripted:{engine}", "--cursor")
    shown, told = done(capfd, *call, "2:5")
    assert "+print(area(w, 2))" in shown
    assert told == f"next: {file}:5:13\n"
    record = json.loads(done(capfd, *call, "2:5", "--history", history, "--json")[0])
    assert (record["status"], record["cursor"]["line"]) == ("edit", 5)
    assert file.read_text() == sent.WINDOW
    assert done(capfd, "next", file, *call[3:], "2:5")[0] == shown
    assert "name the FILE once" in refusal(capfd, "next", file, *call[1:], "2:5")
    assert "name the FILE once" in refusal(capfd, "next", *call[3:], "2:5")
    assert "99:1" in refusal(capfd, *call, "99")
    assert "not 'x'" in refusal(capfd, *call, "x")


def test_the_route_says_the_same(tmp_path: Path) -> None:
    with serving(scripted(tmp_path, sent.NEW)) as live:
        body = {"text": sent.WINDOW, "line": 2, "path": "shape.py", "history": DIFF}
        answer = live.client.post("/v1/next", json=body).json()
        listed = body | {"history": [{"before": "width = 3\n", "after": "w = 3\n"}]}
        assert live.client.post("/v1/next", json=listed).json()["edit"] == answer["edit"]
        assert (answer["cursor"], answer["status"]) == ({"line": 5, "column": 13}, "edit")
        assert "+print(area(w, 2))" in answer["diff"]
        for wrong in (body | {"line": 99}, body | {"history": "no diff"}):
            assert live.client.post("/v1/next", json=wrong).status_code == 400
