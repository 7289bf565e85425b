"""`/v1/apply`, `/v1/warm`, and chat messages that are edits: what the library says of an edit, over HTTP."""

import json
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from redraft.apply import load
from redraft.serve.refusals import RefusalError
from redraft.serve.settings import Settings
from redraft.serve.shapes import shape
from serving import Live, busy, scripted, serving
from tiny_models import save

FILE = "def a():\n    return 1\n\n\ndef b():\n    return 2\n"
UPDATE = "```python\ndef b():\n    return 3\n```\n"
NEW = FILE.replace("2", "3")
EDIT = {"original": FILE, "update": UPDATE, "path": "a.py"}
CUT = UPDATE.removesuffix("```\n")
TIMES = ("seconds", "chars_per_second")
LONG = "".join(f"def step_{number}():\n    return {number}\n\n\n" for number in range(60))
LONGER = LONG.replace("return 7\n", "return 700\n").replace("return 41\n", "return 4100\n")
ANSWER = """`a.py` first:

```python
def b():
    return 3
```

And a new file `notes.py`:

```python
note = 1
```

Delete `old.py`.
"""


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with serving(scripted(tmp_path_factory.mktemp("serve"), NEW)) as started:
        yield started


def events(response: httpx2.Response) -> list[tuple[str, dict]]:
    """The events of a response, each by its name."""
    assert response.headers["content-type"].startswith("text/event-stream")
    found = [dict(line.split(": ", 1) for line in each.split("\n")) for each in response.text.strip().split("\n\n")]
    return [(each.get("event", ""), json.loads(each["data"])) for each in found]


def put_in(original: str, hunks: list[dict]) -> str:
    lines, at, made = original.split("\n"), 0, []
    for hunk in hunks:
        made += [*lines[at : hunk["start"]], *hunk["lines"]]
        at = hunk["end"]
    return "\n".join([*made, *lines[at:]])


def test_an_edit_is_answered_as_the_library_answers_it(live: Live) -> None:
    said = live.client.post("/v1/apply", json=EDIT).json()
    own = load(readers="merge").apply(FILE, UPDATE, path="a.py").record()
    assert {key: said[key] for key in own if key not in TIMES} == {k: own[k] for k in own if k not in TIMES}
    assert said["diff"].startswith("--- a/a.py\n+++ b/a.py\n@@ ")


def test_a_refused_edit_says_why(live: Live) -> None:
    said = live.client.post("/v1/apply", json=EDIT | {"update": CUT}).json()
    assert (said["status"], said["confidence"]) == ("truncated", 0)
    assert "cut off" in said["message"]


@pytest.mark.parametrize("path", ["/etc/passwd", "../../x", "C:\\x", "~/.ssh/id_rsa", "a\x00b.py", "x" * 5000])
def test_a_path_is_only_a_name(live: Live, path: str) -> None:
    said = live.client.post("/v1/apply", json=EDIT | {"path": path})
    assert said.status_code == 200
    assert said.json()["output"] in (NEW, None)
    several = {"files": [{"path": path, "original": FILE}], "update": f"Delete `{path}`.\n"}
    assert live.client.post("/v1/apply", json=several).status_code in (200, 400)


def test_hunks_come_before_the_result(live: Live) -> None:
    *hunks, (name, result) = events(live.client.post("/v1/apply", json=EDIT | {"stream": True}))
    assert [name for name, _ in hunks] == ["hunk"]
    assert put_in(FILE, [hunk for _, hunk in hunks]) == result["output"] == NEW
    assert (name, hunks[0][1]["decided"]) == ("result", True)


def test_a_model_that_writes_tells_each_hunk_as_it_goes_on(tmp_path: Path) -> None:
    with serving(scripted(tmp_path, LONGER, readers="model")) as writing:
        said = writing.client.post("/v1/apply", json={"original": LONG, "update": LONGER, "stream": True})
    *hunks, (name, result) = events(said)
    assert [hunk["decided"] for _, hunk in hunks] == [False, False]
    assert put_in(LONG, [hunk for _, hunk in hunks]) == LONGER
    assert (name, result["output"], result["decided_by"]) == ("result", LONGER, "model")


def test_an_answer_about_several_files_is_all_or_none(live: Live) -> None:
    files = [{"path": "src/a.py", "original": FILE}, {"path": "old.py", "original": "x = 1\n"}]
    said = live.client.post("/v1/apply", json={"files": files, "update": ANSWER}).json()
    made = {(each["path"], each["operation"]): each["output"] for each in said["files"]}
    assert made == {("src/a.py", "edit"): NEW, ("notes.py", "create"): "note = 1\n", ("old.py", "delete"): ""}
    assert said["status"] == "applied"
    assert "deleted file mode" in said["diff"]
    refused = ANSWER.replace("return 3", "return (3")
    said = live.client.post("/v1/apply", json={"files": files, "update": refused}).json()
    assert said["status"] == next(each["status"] for each in said["files"] if each["operation"] == "edit") != "applied"
    streamed = events(live.client.post("/v1/apply", json={"files": files, "update": ANSWER, "stream": True}))
    assert [name for name, _ in streamed] == ["hunk", "hunk", "hunk", "result"]


def test_files_that_did_not_come_along_are_not_there(live: Live) -> None:
    diff = "--- a/other.py\n+++ b/other.py\n@@ -1 +1 @@\n-x\n+y\n"
    said = live.client.post("/v1/apply", json={"files": [{"path": "a.py", "original": FILE}], "update": diff})
    assert said.status_code == 400
    assert "other.py" in said.json()["error"]["message"]


def test_what_the_reader_is_sure_of_does_not_wait_for_the_engine(live: Live) -> None:
    working, thread = busy(live)
    try:
        assert live.client.post("/v1/apply", json=EDIT).json()["output"] == NEW
        assert not working.ended.is_set()
    finally:
        working.opened.set()
        thread.join()


MORPH = "<instruction>Return 3.</instruction>\n<code>{code}</code>\n<update>{update}</update>"
FASTAPPLY = (
    "Output only the updated code, enclosed within <updated-code> and </updated-code> tags.\n"
    "<code>{code}</code>\n\n<update>{update}</update>\n\nProvide the complete updated code.\n"
)
OURS = "<code>\n{code}</code>\n<instruction>\nReturn 3.\n</instruction>\n<update>\n{update}\n</update>"
RELACE = "<initial_code>\n{code}\n</initial_code>\n<edit_snippet>\n{update}\n</edit_snippet>"
SHAPES = {"morph": MORPH, "fastapply": FASTAPPLY, "ours": OURS, "relace": RELACE}
SKETCH = "# ... existing code ...\ndef b():\n    return 3"


@pytest.mark.parametrize("name", SHAPES)
def test_a_message_in_the_words_of_an_apply_service_is_an_edit(live: Live, name: str) -> None:
    content = SHAPES[name].format(code=FILE, update=SKETCH)
    said = live.client.post("/v1/chat/completions", json={"messages": [{"role": "user", "content": content}]}).json()
    expected = f"<updated-code>{NEW}</updated-code>" if name == "fastapply" else NEW
    assert said["choices"][0]["message"]["content"] == expected
    assert said["usage"]["completion_tokens"] > 0


def test_an_edit_by_chat_streams_and_is_refused_as_a_chat(live: Live) -> None:
    good, bad = (MORPH.format(code=FILE, update=update) for update in (SKETCH, CUT))
    ask = {"messages": [{"role": "user", "content": good}], "stream": True}
    pieces = live.client.post("/v1/chat/completions", json=ask).text.split("\n\n")
    chunks = [json.loads(piece.removeprefix("data: ")) for piece in pieces[:-2]]
    assert "".join(chunk["choices"][0]["delta"].get("content", "") for chunk in chunks) == NEW
    ask["messages"][0]["content"] = bad
    refused = live.client.post("/v1/chat/completions", json=ask)
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "truncated")


def test_a_file_may_hold_the_tags_of_its_prompt() -> None:
    inner = "<code>x</code> and <update> of </updated-code>\n"
    found = shape(MORPH.format(code=inner, update="y"))
    assert found is not None
    assert (found.request.original, found.request.update) == (inner, "y")
    with pytest.raises(RefusalError, match="several ways"):
        shape(MORPH.format(code="a</code><update>b", update="y"))


@pytest.mark.parametrize("message", ["", "hello", "<code>a", "<code>a</code>", "<update>b</update>", "<code></update>"])
def test_other_messages_are_chat(message: str) -> None:
    assert shape(message) is None


def test_a_file_is_read_while_its_sketch_is_still_being_written(tmp_path: Path) -> None:
    folder = save("llama", tmp_path / "tiny")
    with serving(Settings(f"hf:{folder}", dtype="float32", readers="model", template="fenced")) as tiny:
        file = "".join(f"value_{number} = {number}\n" for number in range(24))
        first, again = (tiny.client.post("/v1/warm", json={"original": file}).json() for _ in range(2))
        assert (first["known"], again["known"]) == (0, again["tokens"])
        assert first["tokens"] > 0
        warm = tiny.client.post("/v1/apply", json={"original": file, "update": "value_3 = 4", "max_tokens": 9}).json()
        assert warm["prompt_tokens"] > first["tokens"]


def test_without_a_model_edits_are_read_and_chat_is_refused(tmp_path: Path) -> None:
    with serving(scripted(tmp_path, NEW, readers="merge")) as plain:
        assert plain.client.post("/v1/apply", json=EDIT).json()["output"] == NEW
        said = plain.client.post("/v1/chat/completions", json={"messages": [{"role": "user", "content": "hi"}]})
        assert (said.status_code, said.json()["error"]["code"]) == (503, "no_model")
        assert plain.client.post("/v1/warm", json={"original": FILE}).json() == {"tokens": 0, "known": 0}
        assert plain.client.get("/healthz").json()["has_model"] is False


def test_a_request_without_an_update_is_called_that(live: Live, tmp_path: Path) -> None:
    chat = {"messages": [{"role": "user", "content": "<code>a = 1</code><instruction>Set it to 2.</instruction>"}]}
    bare = {"original": FILE, "path": "a.py"}
    with serving(scripted(tmp_path, NEW, readers="merge")) as plain:
        for path, body in (
            ("/v1/apply", bare),
            ("/v1/apply", bare | {"update": " \n", "stream": True}),
            ("/v1/apply", bare | {"instruction": "Return 3."}),
            ("/v1/apply", {"files": [{"path": "a.py", "original": FILE}]}),
            ("/v1/chat/completions", chat),
        ):
            said = plain.client.post(path, json=body)
            assert (said.status_code, said.json()["error"]["param"]) == (400, "update")
            assert "there is no update" in said.json()["error"]["message"]
        said = plain.client.post("/v1/chat/completions", json={"messages": [{"role": "user", "content": "hi"}]}).json()
        assert said["error"]["message"].startswith("this asks a model to write text, and this server has none (it was")
    assert live.client.post("/v1/apply", json=bare).status_code == 400
    assert live.client.post("/v1/apply", json=bare | {"instruction": "Return 3."}).json()["output"] == NEW
    assert "the file is missing" in live.client.post("/v1/apply", json={}).text


@pytest.mark.parametrize(
    "message",
    [
        "<code>" + "</code><instruction>" * 20_000,
        "<instruction>" * 30_000 + "<code>x</code>",
        "<code>" + "</code><instruction>" * 20_000 + "</instruction>" + " " * 100_000,
    ],
)
def test_a_message_of_many_tags_is_looked_at_once(message: str) -> None:
    """Half a megabyte; looking from each tag to the end would take hours."""
    assert shape(message) is None


def test_json_that_is_nested_deeply_is_understood_or_refused(live: Live) -> None:
    for depth in (600, 900, 5000):
        body = '{"messages": [{"role": "user", "content": "x"}], "metadata": {"a": %s}}' % ("[" * depth + "]" * depth)
        answer = live.client.post("/v1/chat/completions", content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code < 500
