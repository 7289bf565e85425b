"""An edit to watch: what is decided comes first, then both ways, whose texts are the same and say where from."""

import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import redraft
from redraft.changes.change import lines_of
from redraft.changes.hunks import hunks
from redraft.edit.decide import Weighed
from redraft.edit.merge.reading import Candidate
from redraft.serve.tracing import Tracer
from serving import Live, scripted, serving

FILE = "def a():\n    return 1\n\n\ndef b():\n    return 2\n"
UPDATE = "# ... existing code ...\n\n\ndef b():\n    return 3\n"
NEW = FILE.replace("2", "3")


def events(live: Live, **body: str) -> list[tuple[str, Any]]:
    said = live.client.post("/v1/race", json={"original": FILE, "update": UPDATE, "path": "a.py", **body})
    assert said.headers["content-type"].startswith("text/event-stream")
    found = [block.split("\n") for block in said.text.strip().split("\n\n")]
    return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in found]


def test_a_race_from_its_decision_to_its_end(tmp_path: Path) -> None:
    with serving(scripted(tmp_path, NEW)) as live:
        found = events(live)
    names = [name for name, _ in found]
    assert names[:2] == ["decided", "begin"]
    assert names[-1] == "compared"
    assert names.count("end") == 2
    assert set(names) == {"decided", "begin", "lap", "end", "written", "compared"}
    said = dict(found)
    assert said["decided"]["output"] == said["written"]["output"] == NEW
    assert (said["decided"]["status"], said["written"]["decided_by"]) == ("applied", "model")
    assert said["compared"]["first_difference"] is None
    laps: dict[str, list[Any]] = {"token by token": [], "with drafts": []}
    for name, lap in found:
        if name == "lap":
            laps[lap["way"]].append(lap)
    texts = ["".join(text for lap in way for _, text in lap["runs"]) for way in laps.values()]
    assert texts == [NEW, NEW]
    assert all(lap["tokens"] == 1 for lap in laps["token by token"])
    assert len(laps["with drafts"]) == 1
    assert [home for home, _ in laps["with drafts"][0]["runs"]] == ["file", "sketch"]


def test_an_edit_that_cannot_be_raced_says_why(tmp_path: Path) -> None:
    with serving(scripted(tmp_path, NEW, readers="merge")) as live:
        found = events(live)
        assert [name for name, _ in found] == ["decided", "error"]
        assert "no model" in found[1][1]["error"]["message"]
        assert live.client.post("/v1/race", json={"original": FILE}).status_code == 200


def test_a_refusal_is_decided_with_its_reason_and_not_raced_unless_asked(tmp_path: Path) -> None:
    with serving(scripted(tmp_path, FILE, readers="merge")) as live:
        cut_off = {"original": FILE, "update": "```python\ndef b():\n    ret", "race": False}
        said = live.client.post("/v1/race", json=cut_off)
    name, data = said.text.strip().split("\n")
    decided = json.loads(data.removeprefix("data: "))
    assert name == "event: decided"
    assert decided["status"] == "truncated"
    assert "cut off" in decided["message"]


TEXTS = st.text(alphabet="ab\n", max_size=40)


@given(st.data(), TEXTS, TEXTS)
def test_pieces_are_the_text_however_it_was_drafted(data: st.DataObject, original: str, expected: str) -> None:
    origins = st.sampled_from(["prediction", "original", "update", "output", "model"])
    runs = data.draw(st.lists(st.tuples(origins, st.text(alphabet="ab\n", min_size=1, max_size=9)), max_size=8))
    traced = list(Tracer(original, expected).trace(runs))
    assert "".join(text for _, text in traced) == "".join(text for _, text in runs)


@given(TEXTS, TEXTS, st.lists(st.integers(1, 7), max_size=9))
def test_what_follows_the_merged_text_is_told_line_by_line(original: str, expected: str, cuts: list[int]) -> None:
    runs, at = [], 0
    for length in [*cuts, len(expected)]:
        if piece := expected[at : at + length]:
            runs.append(("prediction", piece))
            at += len(piece)
    tracer = Tracer(original, expected)
    whole = [home for home, text in tracer.trace(runs) for _ in text]  # type: ignore[arg-type]
    again = [home for home, text in Tracer(original, expected).trace([("prediction", expected)]) for _ in text]
    assert whole == again
    assert "sketch" in whole or not set(expected.split("\n")) - {*original.split("\n"), ""}


def test_the_models_own_words_do_not_lose_the_thread() -> None:
    expected = "keep\nnew one\nkeep more\n"
    tracer = Tracer("keep\nkeep more\n", expected)
    runs = [("prediction", "keep\nnew "), ("model", "three"), ("prediction", "\nkeep more\n")]
    assert list(tracer.trace(runs)) == [  # type: ignore[arg-type]
        ("file", "keep\n"),
        ("sketch", "new "),
        ("model", "three"),
        ("sketch", "\n"),
        ("file", "keep more\n"),
    ]


@given(TEXTS, TEXTS)
def test_hunks_lead_from_the_file_to_the_result(original: str, output: str) -> None:
    result = redraft.Result("applied", output, 0.8, "merge", "")
    old, new = lines_of(original), lines_of(output)
    made, at = list[str](), 0
    for hunk in hunks(original, result):
        made += [*old[at : hunk.start], *new[hunk.after_start : hunk.after_end]]
        at = hunk.end
        assert hunk.confidence == 0.8
    assert "".join([*made, *old[at:]]) == output


def test_a_hunk_that_all_candidates_make_is_surer_than_one_in_doubt() -> None:
    file, taken, other = "a\nkeep\nb\n", "A\nkeep\nB\n", "A\nkeep\nb\n"
    weighed = (Weighed(Candidate(taken, 0.5)), Weighed(Candidate(other, 0.5)))
    result = redraft.Result("applied", taken, 0.6, "merge", "", weighed=weighed)
    assert [hunk.confidence for hunk in hunks(file, result)] == [0.9, 0.6]
    in_windows = redraft.Result("applied", taken.replace("\n", "\r\n"), 0.6, "merge", "", weighed=weighed)
    assert [hunk.confidence for hunk in hunks(file.replace("\n", "\r\n"), in_windows)] == [0.9, 0.6]


def test_nothing_of_what_is_refused_is_sure() -> None:
    result = redraft.Result("syntax_broken", "b\n", 0.0, "merge", "broken")
    assert [hunk.confidence for hunk in hunks("a\n", result)] == [0.0]
    assert hunks("a\n", redraft.Result("error", None, None, "merge", "no")) == []
