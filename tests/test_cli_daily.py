"""What daily use asks of the command line: what is asked is what happens, and what happened is said."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pyperclip
import pytest

import redraft
from command_line import done, refusal
from git_repository import Repository
from redraft.cli import run

NAMES = ("load", "parse", "check", "count", "order", "group", "merge", "print_all", "save")
FILE = "".join(f"def {name}(rows):\n    return {name}_all(rows, {at})\n\n\n" for at, name in enumerate(NAMES))
PARSE, SAVE = "def parse(rows):\n    return parse_all(rows, 10)\n", "def save(rows):\n    return save_all(rows, 80)\n"
UPDATE = f"```python\n{PARSE}```\n\nand\n\n```python\n{SAVE}```\n"
NEW = FILE.replace(" 1)", " 10)").replace(" 8)", " 80)")
MERGE = ("--readers", "merge")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("REDRAFT_STATE", str(tmp_path / "state"))
    Path("f.py").write_text(FILE)
    Path("u.md").write_text(UPDATE)
    return tmp_path


def process(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "redraft", *arguments]
    return subprocess.run(command, capture_output=True, text=True, **options)  # type: ignore[call-overload,no-any-return]


def test_the_version_and_the_help(capfd: pytest.CaptureFixture[str]) -> None:
    for option in ("--version", "-V"):
        assert done(capfd, option)[0] == f"redraft {redraft.__version__}\n"
    assert process("--version").stdout == f"redraft {redraft.__version__}\n"
    assert done(capfd, "-h")[0] == done(capfd, "--help")[0] == done(capfd)[0]
    assert "Usage: redraft apply" in done(capfd, "apply", "-h")[0]


def test_the_shell_completes_commands_and_options() -> None:
    script = "from redraft.__main__ import main; main()"
    words = {"redraft und": "undo", "redraft apply --inter": "--interactive"}
    for line, expected in words.items():
        asked = {"_REDRAFT_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
        environment = {**os.environ, **asked}
        found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment)
        assert found.stdout.split() == [expected]


def test_a_record_says_what_was_written(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    asked = ("apply", "f.py", "-u", "u.md", *MERGE, "--json")
    record = json.loads(done(capfd, *asked, "--dry-run")[0])
    assert (record["path"], record["operation"], record["status"], record["written"]) == (
        "f.py",
        "edit",
        "applied",
        False,
    )
    assert Path("f.py").read_text() == FILE
    record = json.loads(done(capfd, *asked)[0])
    assert (record["written"], record["output"]) == (True, NEW)
    assert Path("f.py").read_text() == NEW
    record = json.loads(done(capfd, *asked)[0])
    assert (record["status"], record["written"]) == ("no_change", False)
    assert run(["apply", "missing.py", "-u", "u.md", "--json"]) == 1
    record = json.loads(capfd.readouterr().out)
    assert record == {
        "status": "error",
        "message": "there is no file missing.py; if the answer is to make it, say --new",
        "written": False,
    }


@pytest.mark.parametrize("shown", [(), ("--diff",), ("--json",), ("--stdout",)])
def test_a_dry_run_never_writes(folder: Path, capfd: pytest.CaptureFixture[str], shown: tuple[str, ...]) -> None:
    out, err = done(capfd, "apply", "f.py", "-u", "u.md", *MERGE, "--dry-run", *shown)
    assert Path("f.py").read_text() == FILE
    assert bool(out) == bool(shown)
    what = "printed" if "--stdout" in shown else "would apply"
    assert err.startswith(f"f.py: {what}, 2 lines added, 2 lines removed")
    assert not Path("state").exists()


def test_a_check_tells_whether_the_file_would_change(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    asked = ["apply", "f.py", "-u", "u.md", *MERGE]
    assert run([*asked, "--check"]) == 1
    assert Path("f.py").read_text() == FILE
    assert run(asked) == 0
    assert run([*asked, "--check"]) == 0


def test_a_diff_has_colours_where_they_are_wanted(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("apply", "f.py", "-u", "u.md", *MERGE, "--diff")
    assert "\x1b" not in done(capfd, *asked)[0]
    monkeypatch.setenv("FORCE_COLOR", "1")
    coloured = done(capfd, *asked)[0]
    changed = "\x1b[31m-    return parse_all(rows, 1)\x1b[m\n\x1b[32m+    return parse_all(rows, 10)\x1b[m\n"
    assert changed in coloured
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in done(capfd, *asked)[0]


def on_a_terminal(answers: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs a command whose standard input is a terminal where somebody types."""
    ours, theirs = pty.openpty()
    os.write(ours, answers.encode())
    try:
        return process(*arguments, stdin=theirs)
    finally:
        os.close(ours)
        os.close(theirs)


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ("y\ny\n", NEW),
        ("a\n", NEW),
        ("n\nq\n", FILE),
        ("?\ny\nn\n", FILE.replace(" 1)", " 10)")),
        ("n\ny\n", FILE.replace(" 8)", " 80)")),
    ],
)
def test_each_hunk_is_taken_or_left(folder: Path, answers: str, expected: str) -> None:
    said = on_a_terminal(answers, "apply", "f.py", "-u", "u.md", *MERGE, "--interactive")
    assert said.returncode == 0, said.stderr
    assert "f.py, hunk 1 of 2: take it? [y,n,a,q,?]" in said.stderr
    assert Path("f.py").read_text() == expected


def test_an_answer_can_be_piped_in(folder: Path) -> None:
    assert process("apply", "f.py", *MERGE, input=UPDATE).returncode == 0
    assert Path("f.py").read_text() == NEW
    Path("f.py").write_text(FILE)
    assert process("apply", *MERGE, input=f"### f.py\n\n{UPDATE}").stderr.startswith("f.py: written")
    assert Path("f.py").read_text() == NEW


def test_nothing_piped_in_is_no_file(folder: Path) -> None:
    Path("named.md").write_text(f"### f.py\n\n{UPDATE}")
    said = process("apply", "-u", "named.md", *MERGE, input="")
    assert (said.stdout, said.stderr.partition(",")[0]) == ("", "f.py: written")
    assert Path("f.py").read_text() == NEW


def test_an_answer_can_be_on_the_clipboard(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pyperclip, "paste", lambda: UPDATE)
    done(capfd, "apply", "f.py", "--clipboard", *MERGE)
    assert Path("f.py").read_text() == NEW
    monkeypatch.setattr(pyperclip, "paste", lambda: " ")
    assert "clipboard holds no text" in refusal(capfd, "apply", "f.py", "--clipboard")


def test_a_check_of_the_result_decides(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    asked = ("apply", "f.py", "-u", "u.md", *MERGE, "--verify")
    assert run([*asked, "grep -q 'rows, 11' {}"]) == 3
    assert capfd.readouterr().err == (
        "redraft: \"grep -q 'rows, 11' {}\" failed with exit code 1; the old file is back, nothing was changed\n"
    )
    assert Path("f.py").read_text() == FILE
    assert "nothing to undo" in refusal(capfd, "undo")
    done(capfd, *asked, "sed -i 's/rows, 10/rows, 100/' {}")
    assert "rows, 100)\n" in Path("f.py").read_text()
    assert done(capfd, "undo", "f.py")[1] == "f.py: the old version is back\n"
    assert Path("f.py").read_text() == FILE


def test_a_change_is_taken_back_unless_the_file_changed(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    done(capfd, "apply", "f.py", "-u", "u.md", *MERGE)
    assert done(capfd, "undo", "--dry-run")[1] == "f.py: the old version would come back\n"
    Path("f.py").write_text(NEW + "# mine\n")
    assert run(["undo"]) == 3
    assert "f.py has changed since redraft wrote it; nothing was undone" in capfd.readouterr().err
    Path("f.py").write_text(NEW)
    done(capfd, "undo")
    assert Path("f.py").read_text() == FILE


def test_a_commit_has_a_message_or_one_of_ours(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "A")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "a@example.com")
    repository = Repository(tmp_path / "r")
    repository.commit({"f.py": FILE})
    (tmp_path / "u.md").write_text(UPDATE)
    monkeypatch.chdir(repository.path)
    asked = ("apply", "--commit", "f.py", "-u", "../u.md", *MERGE)
    assert f"committed as {repository.git('rev-parse', '--short', 'HEAD')}" not in done(capfd, *asked)[1]
    assert repository.git("log", "-1", "--format=%s") == "Apply an edit to f.py"
    known = repository.git("rev-parse", "--short", "HEAD")
    said = done(capfd, "undo")[1].splitlines()
    assert said == [
        "f.py: the old version is back",
        f"note: the commit {known} stays; commit the old version to take it back there, too",
    ]
    assert repository.git("rev-parse", "--short", "HEAD") == known
    repository.git("commit", "--quiet", "--all", "--message", "back")
    done(capfd, "apply", "f.py", "-u", "../u.md", *MERGE, "--commit", "Ten and eighty")
    assert repository.git("log", "-1", "--format=%s") == "Ten and eighty"
    repository.commit({"f.py": FILE})
    done(capfd, "apply", "f.py", "-u", "../u.md", *MERGE)
    assert done(capfd, "undo")[1] == "f.py: the old version is back\n"


def test_a_full_journal_folder_is_a_note(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    Path("state").write_text("")
    err = done(capfd, "apply", "f.py", "-u", "u.md", *MERGE)[1]
    assert "note: this change cannot be undone: cannot use the journal in" in err
    assert Path("f.py").read_text() == NEW


EDITS = "".join(json.dumps({"id": number, "original": FILE, "update": UPDATE}) + "\n" for number in range(7))


def test_batch_reads_and_writes_streams(folder: Path) -> None:
    said = process("batch", "-", "-", *MERGE, input=EDITS)
    assert [json.loads(line)["id"] for line in said.stdout.splitlines()] == list(range(7))
    assert said.stderr == "7 edits: 7 applied\n"


def test_batch_writes_the_same_in_several_processes(folder: Path) -> None:
    Path("in.jsonl").write_text(EDITS)
    for name, jobs in (("one", "1"), ("two", "2")):
        assert process("batch", "in.jsonl", name, *MERGE, "--jobs", jobs).stderr == "7 edits: 7 applied\n"
    one, two = ([json.loads(line) for line in Path(name).read_text().splitlines()] for name in ("one", "two"))
    assert [(record["id"], record["output"]) for record in one] == [(record["id"], record["output"]) for record in two]


def test_batch_goes_on_where_it_was_stopped(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    Path("in.jsonl").write_text(EDITS)
    asked = ("batch", "in.jsonl", "out.jsonl", *MERGE)
    done(capfd, *asked)
    lines = Path("out.jsonl").read_text().splitlines(keepends=True)
    Path("out.jsonl").write_text("".join(lines[:3]) + lines[3][:20])
    assert done(capfd, *asked, "--resume")[1] == "4 edits: 4 applied\n"
    resumed = Path("out.jsonl").read_text().splitlines(keepends=True)
    assert resumed[:3] == lines[:3]
    assert [json.loads(line)["id"] for line in resumed] == list(range(7))
    Path("out.jsonl").write_text("".join(reversed(lines)))
    assert "not the result of that edit" in refusal(capfd, *asked, "--resume")
    Path("out.jsonl").write_text("".join(lines) * 2)
    assert "holds more results" in refusal(capfd, *asked, "--resume")


def test_batch_is_not_written_over_its_input(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    Path("in.jsonl").write_text(EDITS)
    Path("link.jsonl").symlink_to("in.jsonl")
    for target in ("in.jsonl", "./in.jsonl", "link.jsonl"):
        assert "written over the edits" in refusal(capfd, "batch", "in.jsonl", target)
    assert Path("in.jsonl").read_text() == EDITS


def test_wrong_types_are_named_in_python() -> None:
    editor = redraft.load(readers="merge")
    with pytest.raises(redraft.RedraftError, match="unknown output format 'zz'; there are whole, search-replace"):
        redraft.load(output_format="zz")  # type: ignore[arg-type]
    with pytest.raises(redraft.RedraftError, match="unknown engine 'abacus'"):
        redraft.load("abacus")
    with pytest.raises(TypeError, match="spec is a str, not int"):
        redraft.load(5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="original is a str, not bytes"):
        editor.apply(b"x", "y")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="update is a str, not NoneType"):
        editor.apply("x", None)  # type: ignore[arg-type]
    for sampling in ({"temperature": -1.0}, {"temperature": float("nan")}, {"max_tokens": 0}):
        with pytest.raises(redraft.RedraftError, match="has to be"):
            redraft.Sampling(**sampling)  # type: ignore[arg-type]
