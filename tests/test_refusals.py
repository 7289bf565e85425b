"""A refusal helps: the likeliest text is offered, lines that vanish are listed, and there is a message to send back."""

import json
import os
import pty
import select
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import redraft
from redraft.cli import run
from redraft.edit.guard.vanished import vanished
from redraft.mcp.workspace import Edit, Workspace

FILE = """import os


def total(items):
    # sum
    count = 0
    return sum(items)


def mean(items):
    return total(items) / len(items)
"""
ALONE = "```python\nreturn total(items) / 3\n```\n"
WHOLE = "```python\ndef total(items):\n    return sum(item.price for item in items)\n```\n"
LINES = st.lists(st.text("abcdefgh =()", min_size=4, max_size=12).map(str.strip), max_size=12)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {"shop.py": FILE, "alone.md": ALONE, "whole.md": WHOLE}.items():
        Path(name).write_text(text)
    return tmp_path


@given(LINES, LINES, LINES)
def test_each_vanished_line_goes_and_is_not_shown(before: list[str], after: list[str], shown: list[str]) -> None:
    found = vanished("\n".join(before), "\n".join(shown), "\n".join(after))
    for each in found:
        assert before[each.line - 1] == each.text
        assert each.text not in after
        assert each.text not in shown
    assert vanished("\n".join(before), "", "\n".join(before)) == ()
    everything = [line for line in before if any(sign.isalpha() for sign in line)]
    assert [each.text for each in vanished("\n".join(before), "", "")] == everything
    assert vanished("\n".join(before), "\n".join(before), "\n".join(after)) == ()


def test_what_vanishes_is_told_in_any_case(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["apply", "shop.py", "-u", "whole.md", "--readers", "merge", "--dry-run"]) == 0
    assert "shop.py: warning: line 6 goes, and the answer does not show it: 'count = 0'" in capfd.readouterr().err
    assert run(["apply", "shop.py", "-u", "whole.md", "--readers", "merge", "--json"]) == 0
    record = json.loads(capfd.readouterr().out)
    assert (record["vanished"], record["ask_again"]) == (
        [{"line": 5, "text": "    # sum"}, {"line": 6, "text": "    count = 0"}],
        "",
    )


def test_a_message_to_send_back_names_the_doubt_the_lines_and_the_form(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["apply", "shop.py", "-u", "alone.md", "--readers", "merge", "--ask-again"]) == 3
    out, err = capfd.readouterr()
    assert "Your answer could not be applied to `shop.py`: " in out
    assert "def mean(items):\n    return total(items) / len(items)\n```" in out
    assert "<<<<<<< SEARCH" in out
    assert err.startswith("shop.py: not written (needs_context): ")
    assert run(["apply", "shop.py", "-u", "alone.md", "--readers", "merge", "--json"]) == 3
    assert json.loads(capfd.readouterr().out)["ask_again"] == out
    assert Path("shop.py").read_text() == FILE


EITHER = "```python\n# ...\n    x = 1\n    y = 2\n    return x\n# ...\n```\n"
TWINS = "".join(f"def {name}():\n    x = 1\n    return x\n\n\n" for name in ("first", "second"))


def test_the_reason_and_the_way_to_a_model_are_apart(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REDRAFT_HOME", str(folder / "no models"))
    for name in ("torch", "numpy"):
        monkeypatch.setitem(sys.modules, name, None)
    for name in ("torch", "numpy", "numpy_model"):
        monkeypatch.delitem(sys.modules, f"redraft.engines.{name}", raising=False)
    Path("f.py").write_text(TWINS)
    Path("u.md").write_text(EITHER)
    assert run(["apply", "f.py", "-u", "u.md"]) == 3
    reason, way, *_ = capfd.readouterr().err.split("\n")
    assert "pip" not in reason
    assert way.startswith(
        "note: a model could decide: pip install 'redraft[local]' and redraft model get small (491 MB)"
    )
    assert run(["apply", "f.py", "-u", "u.md", "--json"]) == 3
    out, err = capfd.readouterr()
    record = json.loads(out)
    assert (f"f.py: not written (needs_context): {record['message']}", f"note: {record['way_on']}") == (reason, way)
    assert err == f"{reason}\n"
    outcome = Workspace(folder, redraft.load()).edit([Edit("f.py", EITHER)])[0]
    assert (outcome.reason, outcome.way_on) == (record["message"], record["way_on"])
    assert "pip" not in outcome.ask_again


def test_an_answer_as_the_message_asks_for_it_is_applied() -> None:
    old, new = (
        "def mean(items):\n    return total(items) / len(items)\n",
        "def mean(items):\n    return total(items) / 3\n",
    )
    answer = f"shop.py\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n"
    result = redraft.load(readers="merge").apply(FILE, answer, path="shop.py")
    assert (result.status, result.output, result.ask_again) == ("applied", FILE.replace(old, new), "")


def test_the_best_text_is_written_with_a_warning(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["apply", "shop.py", "-u", "alone.md", "--readers", "merge", "--best"]) == 0
    said = capfd.readouterr().err
    assert said.startswith("shop.py: written all the same (needs_context) at line 11, 1 line added, 1 line removed")
    assert "warning: the guards refused this; look at it, and redraft undo takes it back" in said
    assert Path("shop.py").read_text() == FILE.replace("/ len(items)", "/ 3")
    assert run(["undo"]) == 0
    assert Path("shop.py").read_text() == FILE


TWICE = "def a():\n    x = 1\n    return 1\n\n\ndef b():\n    x = 2\n    return 1\n"


@pytest.mark.parametrize(
    ("file", "old"),
    [
        (TWICE, "    return 1\n"),
        (TWICE.replace("    x = 1\n", ""), "    return 1\n"),
        (TWICE + TWICE.replace("def a", "def c").replace("def b", "def d"), "    x = 1\n    return 1\n"),
        (TWICE.replace("\n", "\r\n"), "    return 1\n"),
    ],
)
def test_where_lines_stand_twice_the_message_shows_each_place_by_lines_that_stand_once(file: str, old: str) -> None:
    answer = f"f.py\n<<<<<<< SEARCH\n{old}=======\n    return 5\n>>>>>>> REPLACE\n"
    editor = redraft.load(readers="merge")
    asked = editor.apply(file, answer, path="f.py").ask_again
    assert "Please say which place is meant" in asked
    shown = [code.removesuffix("\n") for code in asked.split("```py\n")[1:]]
    searches = [code.split("\n```")[0] for code in shown]
    assert len(searches) == len(set(searches)) == 2
    for number, search in enumerate(searches):
        assert file.replace("\r\n", "\n").count(search) == 1
        assert old.strip("\n") in search
        new = search.replace(old.strip("\n"), "    y = 5")
        again = f"f.py\n<<<<<<< SEARCH\n{search}\n=======\n{new}\n>>>>>>> REPLACE\n"
        result = editor.apply(file, again, path="f.py")
        assert result.status == "applied"
        assert (result.output or "").replace("\r\n", "\n").split("y = 5")[0].count(old) == number


def test_a_new_line_that_fits_two_places_is_asked_about_by_both() -> None:
    file = "".join(
        f"class {name}:\n    def stop(self):\n        self.done += 1\n        self.close()\n\n\n" for name in "AB"
    )
    answer = "```python\n        self.done += 1\n        self.join()\n```\n"
    result = redraft.load(readers="merge").apply(file, answer, path="f.py")
    assert result.status == "needs_context"
    assert "Please say which place is meant" in result.ask_again
    shown = [code.split("\n```")[0] for code in result.ask_again.split("```py\n")[1:]]
    assert [file.count(code) for code in shown] == [1, 1]


def test_a_refused_answer_prints_no_diff_for_others_to_apply(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    call = ["apply", "shop.py", "-u", "alone.md", "--readers", "merge", "--diff"]
    assert run(call) == 3
    out, err = capfd.readouterr()
    assert out == ""
    assert "+    return total(items) / 3" not in err
    assert run([*call, "--best"]) == 0
    assert "+    return total(items) / 3\n" in capfd.readouterr().out
    assert Path("shop.py").read_text() == FILE


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of Unix")
def test_on_a_terminal_a_refused_diff_is_called_the_likeliest(folder: Path) -> None:
    code, shown = on_a_terminal("apply", "shop.py", "-u", "alone.md", "--readers", "merge", "--diff", typed="")
    assert code == 3
    assert shown.index("the likeliest meaning of what is refused below") < shown.index("+    return total(items) / 3")


def test_a_refusal_ends_with_the_ways_on(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    call = ["apply", "shop.py", "-u", "alone.md", "--readers", "merge"]
    asks, best = "--ask-again prints a message for the chat model", "--best writes the likeliest text"
    assert run(call) == 3
    assert capfd.readouterr().err.splitlines()[-1] == f"note: to go on, add an option to this call: {asks}, {best}"
    Path("none.md").write_text("Sure, I can help with that!\n")
    assert run(["apply", "shop.py", "-u", "none.md", "--readers", "merge"]) == 3
    assert capfd.readouterr().err.splitlines()[-1] == f"note: to go on, add an option to this call: {asks}"
    for option in ("--ask-again", "--json", "-q"):
        assert run([*call, option]) == 3
        assert "to go on" not in capfd.readouterr().err


def test_a_doubt_comes_before_the_engine_that_cannot_be_asked(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "httpx2", None)
    Path("nowhere").mkdir()
    for engine, why in (
        ("openai:http://127.0.0.1:9/v1#m", "asking an endpoint needs httpx2: pip install 'redraft[endpoint]'"),
        ("completions:http://127.0.0.1:9/v1#m", "asking an endpoint needs httpx2: pip install 'redraft[endpoint]'"),
        ("numpy:nowhere", "nowhere"),
    ):
        call = ["apply", "shop.py", "-u", "alone.md", "--engine", engine]
        assert run(call) == 3
        said, way, *_ = capfd.readouterr().err.splitlines()
        assert said.startswith("shop.py: not written (needs_context): ")
        assert way.startswith("note: the model could not be asked: ")
        assert why in way
        assert run([*call, "--ask-again"]) == 3
        asked = capfd.readouterr().out
        assert "<<<<<<< SEARCH" in asked
        assert "could not be asked" not in asked
        assert run([*call, "--best"]) == 0
        assert Path("shop.py").read_text() == FILE.replace("/ len(items)", "/ 3")
        Path("shop.py").write_text(FILE)
        capfd.readouterr()


def on_a_terminal(*arguments: str, typed: str) -> tuple[int, str]:
    """The exit code, and what a terminal shows."""
    main, side = pty.openpty()
    command = [sys.executable, "-m", "redraft", *arguments]
    environment = {**os.environ, "NO_COLOR": "1", "TERM": "dumb"}
    with subprocess.Popen(command, stdin=side, stdout=side, stderr=side, env=environment, close_fds=True) as process:
        os.close(side)
        os.write(main, typed.encode())
        shown = b""
        while select.select([main], [], [], 60)[0]:
            try:
                if not (data := os.read(main, 4096)):
                    break
            except OSError:  # the other side is closed
                break
            shown += data
        code = process.wait()
    os.close(main)
    return code, shown.decode().replace("\r\n", "\n")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of Unix")
def test_on_a_terminal_the_best_text_is_shown_and_asked_about(folder: Path) -> None:
    call = ("apply", "shop.py", "-u", "alone.md", "--readers", "merge")
    code, shown = on_a_terminal(*call, typed="m\nn\n")
    assert code == 3
    assert "+    return total(items) / 3" in shown
    assert "shop.py: in doubt (needs_context): " in shown
    assert "write this, though it may be wrong? [y,n,m,?]" in shown
    assert "Your answer could not be applied to `shop.py`" in shown
    assert Path("shop.py").read_text() == FILE
    code, shown = on_a_terminal(*call, typed="y\n")
    assert (code, Path("shop.py").read_text()) == (0, FILE.replace("/ len(items)", "/ 3"))


@pytest.mark.parametrize("option", ["--json", "--diff", "--dry-run", "--ask-again"])
def test_nobody_is_asked_where_something_else_was_wanted(option: str, folder: Path) -> None:
    code, shown = on_a_terminal("apply", "shop.py", "-u", "alone.md", "--readers", "merge", option, typed="")
    assert code == 3
    assert "though it may be wrong?" not in shown
