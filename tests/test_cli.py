"""The command line: statuses and exit codes, what goes to stdout, and one-line errors that leave the file as it was."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from command_line import refusal
from redraft.cli import run
from tiny_models import save

FILE = "def a():\n    return 1\n\n\ndef b():\n    return 2\n"
UPDATE = "```python\ndef b():\n    return 3\n```\n"
NEW = FILE.replace("2", "3")
REFUSED = NEW.replace("return 1", "# ... existing code ...")
MARKED = "def a():\n    # ... existing code ...\n\n\ndef b():\n    return 3\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "f.py": FILE,
        "u.md": UPDATE,
        "new": NEW,
        "same": FILE,
        "refused": REFUSED,
        "m.md": MARKED,
    }.items():
        Path(name).write_text(text)
    return tmp_path


def apply(*arguments: str) -> int:
    return run(["apply", *arguments])


def test_apply_rewrites_the_file(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert apply("f.py", "--update", "u.md", "--engine", "scripted:new") == 0
    assert Path("f.py").read_text() == NEW
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith("f.py: written, 1 line added, 1 line removed (confidence ")


def test_no_change_is_a_success(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert apply("f.py", "--update", "u.md", "--engine", "scripted:same", "--readers", "model") == 0
    assert capfd.readouterr().err.startswith("f.py: no change: ")


def test_a_refused_edit_leaves_the_file_unless_forced(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    refused = ("f.py", "--update", "m.md", "--engine", "scripted:refused", "--readers", "model")
    assert apply(*refused) == 3
    assert apply(*refused, "--stdout") == 3
    assert capfd.readouterr().out == ""
    assert Path("f.py").read_text() == FILE
    assert apply(*refused, "--force") == 0
    assert Path("f.py").read_text() == REFUSED
    assert capfd.readouterr().err.startswith(
        "f.py: written all the same (marker_leak) at lines 2, 6, 2 lines added, 2 lines removed; line 2 of the new file"
    )


def test_a_forced_edit_without_an_output_leaves_the_file(folder: Path) -> None:
    Path("lost.md").write_text("# ... existing code ...\nnowhere_to_be_found()\nx = lost()\n# ... existing code ...\n")
    assert apply("f.py", "--update", "lost.md", "--readers", "merge", "--force") != 0
    assert Path("f.py").read_text() == FILE


def test_the_diff_the_text_and_the_record_go_to_stdout(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    asked = ("f.py", "--update", "u.md", "--readers", "merge")
    assert apply(*asked, "--stdout") == 0
    assert capfd.readouterr().out == NEW
    assert apply(*asked, "--diff") == 0
    diff = capfd.readouterr().out
    assert Path("f.py").read_text() == FILE
    assert diff.endswith("@@ -3,4 +3,4 @@\n \n \n def b():\n-    return 2\n+    return 3\n")
    assert apply(*asked, "--json") == 0
    record = json.loads(capfd.readouterr().out)
    assert (record["status"], record["output"], record["decided_by"]) == ("applied", NEW, "merge")
    assert Path("f.py").read_text() == NEW


def test_a_diff_is_what_git_applies(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    Path("f.py").write_text(FILE[:-1])
    apply("f.py", "--update", "u.md", "--engine", "scripted:new", "--diff")
    subprocess.run(["git", "apply", "-"], input=capfd.readouterr().out, text=True, check=True, cwd=folder)
    assert Path("f.py").read_text() == NEW[:-1]


def test_line_ends_and_byte_order_mark_are_kept(folder: Path) -> None:
    Path("f.py").write_bytes(b"\xef\xbb\xbf" + FILE.replace("\n", "\r\n").encode())
    assert apply("f.py", "--update", "u.md", "--engine", "scripted:new") == 0
    assert Path("f.py").read_bytes() == b"\xef\xbb\xbf" + NEW.replace("\n", "\r\n").encode()


def test_a_file_or_an_update_can_be_piped_in(folder: Path) -> None:
    command = [sys.executable, "-c", "from redraft.__main__ import main; main()", "apply", "--readers", "merge"]
    piped = subprocess.run([*command, "--update", "u.md"], input=FILE, capture_output=True, text=True, check=True)
    assert piped.stdout == NEW
    subprocess.run([*command, "f.py", "--update", "-"], input=UPDATE, capture_output=True, text=True, check=True)
    assert Path("f.py").read_text() == NEW


def test_bad_input_is_one_line_that_names_the_thing(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    Path("binary").write_bytes(b"a\0b")
    Path("latin").write_bytes(b"caf\xe9\n")
    Path("empty").write_text(" \n")
    Path("weights").mkdir()
    update, model = ("--update", "u.md"), ("--readers", "model")
    cases = {
        "there is no file missing": ("missing", *update),
        "there is no file nowhere.md": ("f.py", "--update", "nowhere.md"),
        "weights is a folder": ("weights", *update),
        "binary is a binary file": ("binary", *update),
        "latin is not utf-8 text": ("latin", *update),
        "nothing to do": ("f.py", "--update", "empty"),
        "unknown engine 'abacus'": ("f.py", *update, "--engine", "abacus"),
        "weights is not a model folder": ("f.py", *update, "--engine", "hf:./weights", *model),
        "no model folder at gone": ("f.py", *update, "--engine", "hf:./gone", *model),
        "unknown template 'xml'": ("f.py", *update, "--engine", "scripted:new", "--template", "xml", *model),
        "No such option: --wat": ("f.py", "--wat"),
        "Invalid value for '--readers'": ("f.py", *update, "--readers", "all"),
        "exclude each other": ("f.py", *update, "--diff", "--stdout"),
    }
    for expected, arguments in cases.items():
        assert apply(*arguments) == 1
        out, err = capfd.readouterr()
        assert (out, err.count("\n")) == ("", 1), err
        assert expected in err
    assert Path("f.py").read_text() == FILE


def test_a_file_longer_than_the_context_is_refused(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    long = "value = 1\n" * 500
    Path("f.py").write_text(long)
    model = ("--engine", f"hf:{save('llama', folder / 'model')}")
    assert apply("f.py", "--update", "u.md", *model, "--readers", "model") == 1
    assert "its context holds 1,024 (a file of about " in capfd.readouterr().err
    assert Path("f.py").read_text() == long


@pytest.mark.parametrize("family", ["llama", "gpt2"])
def test_a_template_that_the_model_cannot_take_is_refused(
    family: str, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    engine, model = ("--engine", f"hf:{save(family, folder / 'model')}"), ("--readers", "model")
    reasons = {"chat": "no chat template", "fastapply": "no chat template", "apply": "no token <|im_start|>"}
    for template, reason in reasons.items():
        for command in (
            ("apply", "f.py", "--json", *model),
            ("apply", "f.py", *model),
            ("compare", "f.py", "--plot", "p.png"),
        ):
            assert reason in refusal(capfd, *command, "--update", "u.md", *engine, "--template", template)
    assert Path("f.py").read_text() == FILE
    assert not Path("p.png").exists()


def batch(*lines: str) -> list[dict[str, object]]:
    Path("in.jsonl").write_text("".join(line + "\n" for line in lines))
    assert run(["batch", "in.jsonl", "out.jsonl", "--readers", "merge"]) == 0
    return [json.loads(line) for line in Path("out.jsonl").read_text().splitlines()]


def test_batch_answers_every_line_in_order(folder: Path) -> None:
    good = {"path": "a.py", "original": FILE, "update": UPDATE, "expected": NEW, "language": "python"}
    records = batch(
        json.dumps({"id": "one"} | good),
        "{",
        "",
        "[]",
        json.dumps({"id": 7, "update": UPDATE}),
        json.dumps({"id": "typed", "original": 5, "update": UPDATE}),
        json.dumps({"id": "half", "original": "\ud800", "update": UPDATE}),
        json.dumps({"id": "last"} | good),
    )
    assert [record["id"] for record in records] == ["one", None, None, 7, "typed", "half", "last"]
    assert [record["status"] for record in records] == ["applied", *["error"] * 5, "applied"]
    assert records[0]["output"] == NEW
    assert [str(record["message"]).partition(":")[0] for record in records[1:6]] == [
        f"line {n}" for n in (2, 4, 5, 6, 7)
    ]
    assert list(records[0]) == [
        "id", "status", "output", "confidence", "decided_by", "message", "healed", "vanished", "ask_again",
        "way_on", "added", "removed", "prompt_tokens",
        "completion_tokens", "drafted", "accepted", "forwards", "seconds", "chars_per_second",
    ]  # fmt: skip


def test_a_line_of_a_batch_that_is_no_text_or_nested_too_deep_is_its_own_error(folder: Path) -> None:
    good = json.dumps({"id": 1, "path": "a.py", "original": FILE, "update": UPDATE}).encode()
    deep = b'{"original": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    Path("in.jsonl").write_bytes(b"\n".join((good, good.replace(b"def", b"\xff", 1), deep, good, b"")))
    assert run(["batch", "in.jsonl", "out.jsonl", "--readers", "merge"]) == 0
    records = [json.loads(line) for line in Path("out.jsonl").read_text().splitlines()]
    assert [record["status"] for record in records] == ["applied", "error", "error", "applied"]
    assert records[1]["message"] == "line 2: not UTF-8 text: byte 0xff"
    assert records[2]["message"] == "line 3: nested too deep to be read"


def test_batch_needs_a_file_it_can_read(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["batch", "gone.jsonl", "out.jsonl"]) == 1
    assert "cannot read gone.jsonl" in capfd.readouterr().err
    assert not Path("out.jsonl").exists()


def test_compare_shows_both_ways_and_draws_the_picture(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", "f.py", "--update", "u.md", "--engine", "scripted:new", "--plot", "p.png"]) == 0
    out = capfd.readouterr().out
    assert "27 tokens in 27 forwards" in out
    assert "27 tokens in 1 forwards" in out
    assert "the same tokens" in out
    assert "prediction 26, model 1; 26 of 26 drafted tokens accepted" in out
    assert Path("p.png").read_bytes().startswith(b"\x89PNG")
    assert Path("f.py").read_text() == FILE


@pytest.mark.parametrize("name", ["type-hints", "comment"])
def test_compare_ships_the_classic_demonstrations(name: str, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", "--example", name, "--engine", "scripted:new"]) in (0, 3)  # the script is another file's
    assert "speed-up" in capfd.readouterr().out


def test_compare_wants_a_file_or_an_example(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["compare"]) == 1
    assert run(["compare", "f.py"]) == 1
    assert run(["compare", "--example", "sudoku", "--engine", "scripted:new"]) == 1
    assert "unknown example 'sudoku'; there are type-hints, comment" in capfd.readouterr().err


@pytest.mark.slow
def test_an_interrupt_leaves_the_file_as_it_was(folder: Path) -> None:
    command = [sys.executable, "-c", "from redraft.__main__ import main; main()", "apply", "f.py", "--update", "-"]
    listening = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.default_int_handler)}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL, **listening) as running:
        time.sleep(3)  # it reads its input by then: an interrupt within an import may be lost
        os.kill(running.pid, signal.SIGINT)
        assert running.wait() == 130
    assert Path("f.py").read_text() == FILE
    assert sorted(path.name for path in folder.iterdir()) == ["f.py", "m.md", "new", "refused", "same", "u.md"]
