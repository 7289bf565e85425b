"""In: how many random kills, and what is killed. Out: what became of the files after the next start; 1 if any is mixed.

`python benchmarks/kills.py 1000 [FLOW...]`: apply, undo, redo, verify and commit, of five files at once, are killed
before every call that changes a file, one after the other, then at random times. After each kill the next start is let
have its turn; then all files have to be old or all new. A kill of the command of `--verify` that has changed files may
leave them for `undo`.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.progress import track

import redraft
from redraft.changes.answer import Finish, finish
from redraft.changes.change import Change
from redraft.changes.write import recovered
from redraft.files.journal import Journal
from redraft.files.read import new, read
from redraft.files.undo import redo, undo
from redraft.result import Result

State = dict[str, str]
LINES = 2_000
OLD = {name: f"{name} old\n" * LINES for name in ("a.py", "b.py", "c/d.py", "gone.py")}
NEW = {name: f"{name} new\n" * LINES for name in ("a.py", "b.py", "c/d.py", "made/deep/e.py")}
WRITES = {"os.rename", "os.remove", "os.link", "os.mkdir", "os.rmdir", "os.chmod", "os.chown", "os.truncate"}
WRITES |= {"os.setxattr", "os.removexattr", "subprocess.Popen"}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT


def changes(folder: Path) -> list[Change]:
    def result(name: str) -> Result:
        return Result("applied", NEW.get(name, ""), 1.0, "merge", "")

    edits = [Change(name, read(folder / name), result(name)) for name in ("a.py", "b.py", "c/d.py")]
    made = Change("made/deep/e.py", new(folder / "made/deep/e.py"), result("made/deep/e.py"), "create")
    return [*edits, made, Change("gone.py", read(folder / "gone.py"), result("gone.py"), "delete")]


@dataclass(frozen=True)
class Flow:
    """What is killed, and the files before and after it; what comes of it may also be formatted."""

    work: Callable[[Path], object]
    before: State
    after: State
    kills_itself: bool = False
    is_undone: bool = False  # before it begins
    commits: bool = False


def applied(verify: str = "", commit: str | None = None) -> Flow:
    def work(folder: Path) -> None:
        finish(changes(folder), Finish(verify=verify, commit=commit))

    return Flow(work, OLD, NEW, "kill" in verify, commits=commit is not None)


def undone(name: str, after: State) -> Flow:
    return Flow(lambda folder: undo(Journal(), folder / name if name else None, folder), NEW, after)


def again(folder: Path) -> object:
    return redo(Journal(), None, folder)


FLOWS = {
    "apply": applied(),
    "verify": applied("sleep 0.01"),
    "verify that fails": applied("sleep 0.01; exit 1"),
    "verify that formats": applied("echo formatted >> a.py; sleep 0.01"),
    "verify whose command kills": applied("kill -9 $PPID"),
    "verify whose command formats and kills": applied("echo formatted >> a.py; kill -9 $PPID"),
    "commit": applied(commit="a commit"),
    "undo": undone("", OLD),
    "undo of one file": undone("b.py", NEW | {"b.py": OLD["b.py"]}),
    "redo": Flow(again, OLD, NEW, is_undone=True),
}


def made(base: Path, commits: bool) -> Path:
    """A folder with the old files, a git repository if somebody `commits`; the journal is another one each time."""
    shutil.rmtree(base, ignore_errors=True)
    folder = base / "work"
    (folder / "c").mkdir(parents=True)
    for name, text in OLD.items():
        (folder / name).write_text(text)
    os.environ["REDRAFT_STATE"] = str(base / "state")
    who = ("-c", "user.name=a", "-c", "user.email=a@localhost")
    for arguments in (("init", "-q"), ("add", "-A"), (*who, "commit", "-q", "-m", "old")) if commits else ():
        subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True)
    return folder


def state(folder: Path) -> State:
    paths = [path for path in folder.rglob("*") if path.is_file() and ".git" not in path.parts]
    return {path.relative_to(folder).as_posix(): path.read_text() for path in paths}


def child(work: Callable[[], object]) -> int:
    """Forks, works there, and returns the child's number."""
    number = os.fork()
    if not number:
        try:
            work()
        except redraft.RedraftError:
            pass
        finally:
            os._exit(0)
    return number


def was_killed(number: int) -> bool:
    return os.WIFSIGNALED(os.waitpid(number, 0)[1])


def killing(at: int, work: Callable[[], object]) -> None:
    """Works, and is killed before the call with that number that changes a file."""
    count = 0

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal count
        is_open = event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITING
        if event in WRITES or is_open:
            count += 1
            if count == at:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)
    work()


def kind(flow: Flow, folder: Path) -> str:
    """What the files are after a kill and the next start."""
    was_killed(child(recovered))
    found = state(folder)
    if found == flow.before:
        return "old"
    if found == flow.after:
        return "new"
    if any("redraft" in name for name in found):
        return "STRAYS"
    is_formatted = {name: text.replace("formatted\n", "") for name, text in found.items()} == flow.after
    was_killed(child(lambda: undo(Journal(), None, folder)))
    return "formatted, and undone" if is_formatted and state(folder) == flow.before else "MIXED"


def started(flow: Flow, base: Path) -> Path:
    folder = made(base, flow.commits)
    if flow.before == NEW or flow.is_undone:
        finish(changes(folder), Finish())
    if flow.is_undone:
        undo(Journal(), None, folder)
    os.chdir(folder)
    return folder


def enumerated(base: Path, flows: Mapping[str, Flow]) -> Iterator[str]:
    """Kills before each call in turn, until a run comes to its end."""
    for name, flow in flows.items():
        at, is_killed = 0, True
        while is_killed:
            folder = started(flow, base)
            at = 10_000 if flow.kills_itself else at + 1
            is_killed = was_killed(child(partial(killing, at, partial(flow.work, folder)))) and not flow.kills_itself
            yield f"{name}: {kind(flow, folder)}"


def at_random(base: Path, count: int, named: Mapping[str, Flow]) -> Iterator[str]:
    chance, spans = random.Random(5), dict[str, float]()
    flows = [(name, flow) for name, flow in named.items() if not flow.kills_itself]
    for at in range(count):
        name, flow = flows[at % len(flows)]
        if name not in spans:
            folder, began = started(flow, base), time.perf_counter()
            was_killed(child(partial(flow.work, folder)))
            spans[name] = time.perf_counter() - began
        folder = started(flow, base)
        process = child(partial(flow.work, folder))
        time.sleep(chance.random() * spans[name] * 1.2)
        os.kill(process, signal.SIGKILL)
        was_killed(process)
        yield f"{name}: {kind(flow, folder)}"


def main() -> int:
    count, flows = int(sys.argv[1]), {name: FLOWS[name] for name in sys.argv[2:]} or FLOWS
    base = Path(tempfile.mkdtemp(prefix="redraft-kills-")).resolve()
    console, bad = Console(stderr=True), 0
    hidden = not console.is_terminal
    ways = {"every call": (enumerated(base, flows), None), "random": (at_random(base, count, flows), count)}
    try:
        for what, (outcomes, total) in ways.items():
            counts = Counter(track(outcomes, what, total=total, console=console, disable=hidden))
            lines = (f"  {kind} {number}" for kind, number in sorted(counts.items()))
            print(f"{what}: {counts.total()}", *lines, sep="\n")
            bad += sum(number for kind, number in counts.items() if kind.endswith(("MIXED", "STRAYS")))
    finally:
        os.chdir("/")
        shutil.rmtree(base)
    print(f"mixed: {bad}")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
