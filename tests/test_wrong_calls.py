"""Ways to call redraft wrongly or unluckily, without the extra `model`: what each prints, and its exit code.

`make errors` writes what is found here to docs/errors.md.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from redraft.cli import run

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "errors.md"
TOTAL = "def total(items):\n    return sum(items)\n"
FILE = f"import os\n\n\n{TOTAL}\n\ndef mean(items):\n    return total(items) / len(items)\n"
ANSWER = "```python\ndef total(items):\n    return sum(item.price for item in items)\n```\n"
OTHER = "### `report.py`\n\n```python\ndef render(rows):\n    return rows\n```\n"
MARKER = "# ... existing code ...\n"
TOLD = f"{ANSWER}\nDo the same in `mean`.\n"
LOST = f"```python\n{MARKER}    subtotal = taxed(items)\n    return subtotal\n{MARKER}```\n"
SEVERAL = f"### `shop.py`\n\n{ANSWER}\n### `gone.py`\n\n```diff\n@@ -1,2 +1,2 @@\n a = 1\n-b = 2\n+b = 3\n```\n"
SAID = {"broken": "def total(items:\n    return round(sum(items))\n", "empty": ""}
PREFACE = """<!-- written by `make errors`; edit tests/test_wrong_calls.py instead -->
# What can go wrong

What each call prints to standard error, its exit code, and whether the file was written. `answer.md` changes a function
of `shop.py`; the extra `model` is not installed. Exit codes: 0 done, 1 wrong usage or unusable input, 3 refused, 130
interrupted. With `--json` the same line also comes as a record.
"""


@dataclass(frozen=True)
class Call:
    """A command line, what is piped in, and what is unusual about the place where it runs."""

    line: str
    given: str | None = None
    why: str = ""
    code: int = 1


CALLS = (
    Call("redraft", code=0, why="no command: prints the help"),
    Call("redraft aply shop.py", why="a misspelt command"),
    Call("redraft apply --wat", why="an option that does not exist"),
    Call("redraft apply shop.py", why="no answer"),
    Call("redraft apply", why="neither a file nor an answer"),
    Call("redraft apply shop.py -u missing.md", why="the answer does not exist"),
    Call("redraft apply missing.py -u answer.md", why="the file does not exist"),
    Call("redraft apply . -u answer.md", why="a folder"),
    Call("redraft apply photo.png -u answer.md", why="a binary file"),
    Call("redraft apply latin.py -u answer.md", why="another encoding"),
    Call("redraft apply latin.py -u answer.md --encoding klingon", why="an unknown encoding"),
    Call("redraft apply locked.py -u answer.md", why="a read-only file"),
    Call("redraft apply loop.py -u answer.md", why="a link to itself"),
    Call("redraft apply pipe -u answer.md", why="a named pipe"),
    Call("redraft apply shop.py -u -", given="", why="an empty answer"),
    Call("redraft apply shop.py -u -", given="Sure, I can help with that!\n", code=3, why="no code in the answer"),
    Call("redraft apply shop.py -u -", given="I'm sorry, but I cannot do that.\n", code=3, why="an apology"),
    Call("redraft apply shop.py -u -", given="Could you share the file first?\n", code=3, why="a question"),
    Call("redraft apply shop.py -u -", given="```bash\npython shop.py\n```\n", code=3, why="a usage example"),
    Call("redraft apply shop.py -u -", given=OTHER + OTHER.replace("rows", "r"), code=3, why="for another file"),
    Call("redraft apply shop.py -u -", given=OTHER, code=3, why="a block for another file"),
    Call("redraft apply shop.py -u -", given=LOST, code=3, why="lines that the file does not have"),
    Call("redraft apply shop.py -u -", given=TOLD, code=3, why="an order in words that no code follows"),
    Call("redraft apply shop.py -u -", given=ANSWER[:-4], code=3, why="cut off within its block"),
    Call("redraft apply shop.py -u -", given=f"```python\n{FILE}```\n", code=0, why="nothing to change"),
    Call("redraft apply shop.py -u answer.md --diff --stdout", why="two ways to print"),
    Call("redraft apply shop.py -u answer.md --check", code=1, why="the file would change"),
    Call("redraft apply shop.py -u answer.md --diff --commit", why="a commit of nothing"),
    Call("redraft apply -u answer.md --commit < shop.py", why="a commit of what is piped"),
    Call("redraft apply shop.py -u answer.md --clipboard", why="two answers"),
    Call("redraft apply shop.py -u answer.md --commit", why="not in a git repository"),
    Call("redraft apply shop.py -u answer.md --verify 'exit 2'", code=3, why="the check fails"),
    Call("redraft apply shop.py -u answer.md --interactive", why="no terminal"),
    Call("redraft apply shop.py -u answer.md --readers all", why="an unknown reader"),
    Call("redraft apply shop.py -u answer.md --engine abacus", why="an unknown engine"),
    Call("redraft apply shop.py -u answer.md --readers model", why="the model without an extra"),
    Call("redraft apply shop.py -u answer.md --max-tokens 0", why="a number out of range"),
    Call("redraft apply shop.py --root . -u answer.md", why="both a file and a folder"),
    Call("redraft apply --root nowhere -u answer.md", why="no such folder"),
    Call("redraft apply --root . -u answer.md", why="an answer that names no file"),
    Call("redraft apply --root . -u -", given=SEVERAL, why="a diff of a file that is not there"),
    Call("redraft apply --root . -u -", given=OTHER.replace("report", "../report"), why="out of the folder"),
    Call("redraft apply --root . -u -", given=OTHER.replace("report.py", ".git/config.py"), why="in a folder of tools"),
    Call("redraft edit shop.py --lines 4-5", why="lines without an instruction"),
    Call("redraft edit shop.py --lines 4-50 --instruction Round", why="lines that the file does not have"),
    Call("redraft edit shop.py --lines first --instruction Round", why="lines without numbers"),
    Call("redraft edit shop.py --lines 4-5 --instruction Round", why="an instruction without an extra"),
    Call("redraft edit shop.py -l 4-5 -m Round --engine scripted:broken", code=3, why="new lines that do not parse"),
    Call("redraft edit shop.py -l 4-5 -m Round --engine scripted:empty", code=3, why="a model that says nothing"),
    Call(
        "redraft edit shop.py --lines 5-4 --instruction Round --engine scripted:empty", why="lines the wrong way round"
    ),
    Call("redraft apply shop.py --instruction Round", why="words alone"),
    Call("redraft mcp --root nowhere", why="no folder for the tools"),
    Call("redraft mcp --http --host 0.0.0.0", why="tools for everybody, without a key"),
    Call("redraft serve --host 0.0.0.0", why="a server that all may use"),
    Call("redraft serve --engine scripted:nothing --port 0", why="a server without its engine"),
    Call("redraft serve --readers model --port 0", why="a server without an extra"),
    Call("redraft repair shop.py", why="no call"),
    Call("redraft repair -c call.json", why="the call names a file that does not exist"),
    Call("redraft repair shop.py -c call.json", code=3, why="the call is about another file"),
    Call("redraft repair -c near.json", code=3, why="the call's old text is not in the file"),
    Call("redraft repair shop.py -c answer.md", why="an answer and no call"),
    Call("redraft repair shop.py -c call.json --as emacs", why="an agent that is not known"),
    Call("redraft agents install emacs", why="the same"),
    Call("redraft agents install zed", why="settings with comments"),
    Call("redraft undo", why="nothing to undo"),
    Call("redraft undo missing.py", why="nothing known of this file"),
    Call("redraft undo 3", why="no change with that number"),
    Call("redraft redo", why="nothing to redo"),
    Call("redraft redo 3", why="no change with that number"),
    Call("redraft watch --folder .", why="nobody to ask"),
    Call("redraft next --cursor 1", why="no file"),
    Call("redraft config set engine gpt", why="an engine that there is not"),
    Call("redraft config set colour blue", why="a setting that there is not"),
    Call("redraft watch --folder nowhere --yes", why="no folder to watch"),
    Call("redraft batch missing.jsonl out.jsonl", why="no input"),
    Call("redraft batch edits.jsonl edits.jsonl", why="output over its input"),
    Call("redraft batch edits.jsonl out.jsonl --jobs 2", why="several processes with a model"),
    Call("redraft apply shop.py -u answer.md --diff > /dev/full", why="standard output is full"),
    Call("redraft apply shop.py -u answer.md --diff >&-", why="standard output is closed"),
    Call("redraft apply shop.py -u answer.md 2>&-", code=0, why="standard error is closed"),
    Call("redraft apply shop.py <&-", why="standard input is closed"),
    Call("REDRAFT_STATE=shop.py redraft apply shop.py -u answer.md", code=0, why="no folder for the journal"),
    Call("REDRAFT_STATE=shop.py redraft undo", why="the same for undo"),
)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    for name, text in {"shop.py": FILE, "answer.md": ANSWER, "edits.jsonl": "{}\n", **SAID}.items():
        (tmp_path / name).write_text(text)
    call = {"file_path": "gone.py", "old_string": "return total(item)", "new_string": "return 0"}
    (tmp_path / "call.json").write_text(json.dumps(call))
    (tmp_path / "near.json").write_text(json.dumps(call | {"file_path": "shop.py"}))
    (tmp_path / ".zed").mkdir()
    (tmp_path / ".zed" / "settings.json").write_text("// mine\n{}\n")
    (tmp_path / "photo.png").write_bytes(b"\x89PNG\0\0")
    (tmp_path / "latin.py").write_bytes("# café\n".encode("latin-1"))
    (tmp_path / "locked.py").write_text(FILE)
    (tmp_path / "locked.py").chmod(0o444)
    (tmp_path / "loop.py").symlink_to(tmp_path / "loop.py")
    os.mkfifo(tmp_path / "pipe")
    return tmp_path


SHELL = re.compile(r"[<>=]")  # what a call needs a shell for
MISSING = ("torch", "numpy")
SCRIPT = f"import sys; sys.modules |= dict.fromkeys({MISSING}); from redraft.__main__ import main; main()"


def called(call: Call, place: Path, capfd: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Exit code and standard error; in a process of its own where the shell has a part in it."""
    if SHELL.search(call.line):
        line = call.line.replace("redraft", shlex.join([sys.executable, "-c", SCRIPT]), 1)
        done = subprocess.run(line, shell=True, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        code, said = done.returncode, done.stderr
    else:
        given = place / "given"
        given.write_text(call.given or "")
        capfd.readouterr()
        with open(os.devnull if call.given is None else given) as sys.stdin:
            code = run(shlex.split(call.line)[1:])
        said = capfd.readouterr().err
    return code, said.replace(f"{place}{os.sep}", "").replace(str(place), ".")


def row(call: Call, code: int, said: str, is_written: bool) -> str:
    # How sure an edit is changes with every calibration.
    plain = re.sub(r" \(confidence [\d.]+\)", "", said.strip())
    shown = f"`{plain}`" if plain else ""
    cells = (f"{call.why}: `{call.line}`", shown, str(code), "yes" if is_written else "")
    return "| {} | {} | {} | {} |".format(*(re.sub(r"\s+", " ", cell).replace("|", r"\|") for cell in cells))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux" or shutil.which("git") is None, reason="as the page was written")
def test_each_prints_what_the_page_says(
    place: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place)
    monkeypatch.setattr(sys, "stdin", sys.stdin)
    for name in MISSING:
        monkeypatch.setitem(sys.modules, name, None)
    for name in ("torch", "numpy", "numpy_model"):
        monkeypatch.delitem(sys.modules, f"redraft.engines.{name}", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(place / "cache"))  # without the model, which the messages say how to fetch
    for name, value in {"REDRAFT_STATE": str(place / "state"), "NO_COLOR": "1", "COLUMNS": "100"}.items():
        monkeypatch.setenv(name, value)
    rows, wrong = [], []
    for call in CALLS:
        if call.line.endswith("locked.py -u answer.md") and os.geteuid() == 0:
            rows.append(next(known for known in PAGE.read_text().split("\n") if "locked.py" in known))
            continue
        (place / "shop.py").write_text(FILE)
        code, said = called(call, place, capfd)
        lines = 1 + sum(said.count(more) for more in ("\nnote: ", "warning: ", "\nnearest, ", "\n  "))
        if code != call.code or "Traceback" in said or said.count("\n") > lines:
            wrong.append((call.line, call.given, code, said))
        rows.append(row(call, code, said, (place / "shop.py").read_text() != FILE))
    head = ["| call | standard error | exit code | written |", "|---|---|---|---|"]
    page = "\n".join([PREFACE, *head, *rows, ""])
    if os.environ.get("REDRAFT_WRITE_PAGES"):
        PAGE.write_text(page)
    assert wrong == []
    assert len(CALLS) >= 40
    assert PAGE.read_text() == page
