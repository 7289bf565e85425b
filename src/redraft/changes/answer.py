"""In: a folder and a chat answer about files in it. Out: `AnswerResult`: all files written, or none."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path

from redraft.apply import Redraft, load
from redraft.changes.change import Change
from redraft.changes.plan import Order, plan
from redraft.changes.write import recovered, write
from redraft.errors import ChangedError

_TRIES = 100  # each that fails is another writer's success, so that so many at once all come in


@dataclass(frozen=True)
class Finish:
    """How changes are written: not at all, also what a guard refuses, checked by a command, committed."""

    dry_run: bool = False
    force: bool = False
    verify: str = ""
    commit: str | None = None


@dataclass(frozen=True)
class AnswerResult:
    """What an answer does to each file that it names, in its order.

    `written` says whether the files are written; `commit` is the hash of the git commit, `note` says why there is no
    undo, and which earlier edits were stopped halfway and taken back.
    """

    changes: tuple[Change, ...]
    written: bool
    commit: str = ""
    note: str = ""

    @property
    def is_accepted(self) -> bool:
        """Whether no guard refuses any of the edits."""
        return all(change.is_accepted for change in self.changes)

    def diff(self) -> str:
        """One unified diff of all files, as git applies it."""
        return "".join(change.diff() for change in self.changes)


def apply_answer(
    root: str | PathLike[str],
    answer: str,
    *,
    editor: Redraft | None = None,
    instruction: str = "",
    encoding: str | None = None,
    dry_run: bool = False,
    force: bool = False,
    verify: str = "",
    commit: str | None = None,
) -> AnswerResult:
    """Applies an answer that names its files to the files below `root`: all are written, or none.

    Files are edited, made, deleted and renamed. None is written where a guard refuses one of them, unless `force`, and
    with `dry_run`. `verify` is a shell command that has to succeed on the new files, else the old ones come back.
    `commit` is the message of a git commit of just these files, "" for one that names them. `editor` is what `load`
    returns. Raises RedraftError where the answer cannot be read or a file cannot be written.
    """
    if not isinstance(answer, str):
        raise TypeError(f"answer is a str, not {type(answer).__name__}")
    notes, order = recovered(), Order(editor or load(), instruction, encoding)
    done = settled(lambda: plan(Path(root), answer, order), Finish(dry_run, force, verify, commit))
    return replace(done, note="; ".join(filter(None, (*notes, done.note))))


def settled(planned: Callable[[], Sequence[Change]], how: Finish) -> AnswerResult:
    """Plans and writes; where a file has changed in between, plans again for what it is now.

    Of several writers one is always in time. Raises ChangedError, the new text being beside its file, where a file
    changes again and again.
    """
    for _ in range(_TRIES):
        try:
            return finish(planned(), how, keep=False)
        except ChangedError:
            continue
    return finish(planned(), how)


def finish(changes: Sequence[Change], how: Finish, keep: bool = True) -> AnswerResult:
    """Writes planned changes, as far as `apply_answer` does; what comes too late is put beside its file if `keep`."""
    taken = all(change.is_possible and (change.is_accepted or how.force) for change in changes)
    if how.dry_run or not taken:
        return AnswerResult(tuple(changes), False)
    done = write(changes, how.verify, how.commit, keep)
    return AnswerResult(tuple(changes), any(change.changes_anything for change in changes), done.commit, done.note)
