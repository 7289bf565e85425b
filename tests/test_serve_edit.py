"""`/v1/edit`: selected lines by an instruction, over HTTP: what comes back, as events, and what is refused."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from serving import Live, scripted, serving

FILE = "\ufeffdef a():\r\n    return 1\r\n\r\n\r\ndef b():\r\n    return 2"
NEW = FILE.replace("2", "3")
EDIT = {"original": FILE, "first": 5, "last": 6, "instruction": "return three", "path": "a.py"}


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with serving(scripted(tmp_path_factory.mktemp("serve"), "def b():\n    return 3\n")) as started:
        yield started


def test_the_lines_are_rewritten(live: Live) -> None:
    said = live.client.post("/v1/edit", json=EDIT).json()
    assert (said["status"], said["output"], said["decided_by"], said["confidence"]) == ("applied", NEW, "model", None)
    assert said["diff"].startswith("--- a/a.py\n+++ b/a.py\n@@ ")
    predicted = live.client.post("/v1/edit", json=EDIT | {"prediction": {"content": "nothing like it"}}).json()
    assert (predicted["output"], predicted["accepted"] < said["accepted"]) == (NEW, True)


def test_the_lines_come_as_they_are_written(live: Live) -> None:
    with live.client.stream("POST", "/v1/edit", json=EDIT | {"stream": True}) as answer:
        events = [block.split("\n") for block in answer.read().decode().strip().split("\n\n")]
    told = [(lines[0].removeprefix("event: "), json.loads(lines[1].removeprefix("data: "))) for lines in events]
    assert "".join(data["text"] for name, data in told if name == "text") == "def b():\n    return 3\n"
    assert (told[-1][0], told[-1][1]["output"]) == ("result", NEW)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"last": 9}, "the file has no lines 5-9: its last line is 6"),
        ({"first": 6, "last": 5}, "the lines 6-5 end before they begin: did you mean 5-6?"),
        ({"first": 0}, "first: "),
        ({"first": "5"}, "first: "),
        ({"instruction": ""}, "instruction: "),
        ({"instruction": "  "}, "the instruction is empty"),
        ({"path": 1}, "path: "),
        ({"lines": "5-6"}, "Unknown parameter: 'lines'."),
    ],
)
def test_what_cannot_be_is_refused_by_name(live: Live, change: dict[str, object], said: str) -> None:
    for body in (EDIT | change, EDIT | change | {"stream": True}):
        answer = live.client.post("/v1/edit", json=body)
        assert answer.status_code == 400
        assert said in answer.json()["error"]["message"]


def test_a_refused_answer_says_why(tmp_path: Path) -> None:
    with serving(scripted(tmp_path, "def b(:\n")) as live:
        said = live.client.post("/v1/edit", json=EDIT).json()
    assert (said["status"], said["confidence"]) == ("syntax_broken", 0.0)


def test_without_a_model_nothing_is_written(tmp_path: Path) -> None:
    with serving(scripted(tmp_path, "", readers="merge")) as live:
        answer = live.client.post("/v1/edit", json=EDIT)
    assert (answer.status_code, answer.json()["error"]["message"]) == (
        400,
        "there is no model: the deterministic reader works alone",
    )
