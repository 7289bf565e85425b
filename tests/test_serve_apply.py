"""`/v1/apply`: what `redraft batch` says of an edit, over HTTP."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from redraft.apply import load
from serving import Live, scripted, serving

FILE = "def a():\n    return 1\n\n\ndef b():\n    return 2\n"
UPDATE = "```python\ndef b():\n    return 3\n```\n"
NEW = FILE.replace("2", "3")
EDIT = {"original": FILE, "update": UPDATE, "path": "a.py"}


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with serving(scripted(tmp_path_factory.mktemp("serve"), NEW)) as started:
        yield started


def test_an_edit_is_answered_as_the_library_answers_it(live: Live, tmp_path: Path) -> None:
    said = live.client.post("/v1/apply", json=EDIT).json()
    own = load(readers="merge").apply(FILE, UPDATE, path="a.py").record()
    times = ("seconds", "chars_per_second")
    assert {key: said[key] for key in own if key not in times} == {k: own[k] for k in own if k not in times}
    assert said["diff"].startswith("--- a/a.py\n+++ b/a.py\n@@ ")
