"""In: edits of files below one folder. Out: what became of each; all are written, or none."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from threading import Lock

from redraft.apply import Redraft
from redraft.calls.repair import repair
from redraft.calls.report import described
from redraft.changes.answer import Finish, finish, settled
from redraft.changes.change import Change
from redraft.changes.plan import Order, change_of
from redraft.changes.write import recovered
from redraft.edit.guard.check import Status
from redraft.errors import RedraftError
from redraft.files.git import ignored
from redraft.files.place import confined, git_folder
from redraft.files.read import File, new, read
from redraft.result import Result

_OTHERS = "not written, since another edit was refused"


@dataclass(frozen=True)
class Edit:
    """A sketch of the new version of a file, or with `is_new` the whole text of one that is to be made."""

    path: str
    update: str
    instruction: str = ""
    is_new: bool = False


@dataclass(frozen=True)
class Replaced:
    """What an edit call replaces by what: in one place, at `line` where that is known, or in all."""

    old: str
    new: str
    replace_all: bool = False
    line: int | None = None


@dataclass(frozen=True)
class Outcome:
    """What became of an edit; `reason` says why it was not written, or what is to be known though it was.

    `healed` are the slips of the answer that were mended, `vanished` lines that go though it does not show them;
    `way_on` says how to have a model decide where one could.
    """

    path: str
    status: str
    written: bool
    confidence: float | None
    reason: str
    diff: str
    healed: Sequence[str] = ()
    vanished: Sequence[str] = ()
    ask_again: str = ""
    way_on: str = ""


class Workspace:
    """A folder whose files may be edited, one call at a time; raises RedraftError where there is no such folder."""

    def __init__(self, root: Path, editor: Redraft) -> None:
        if not root.is_dir():
            raise RedraftError(f"there is no folder {root}")
        self.root, self._named = root.resolve(), PurePath(os.path.abspath(root))
        self._editor, self._lock = editor, Lock()

    def edit(self, edits: Sequence[Edit], dry_run: bool = False) -> list[Outcome]:
        """Applies the edits to different files; where one of them is refused, none is written."""
        with self._lock:
            notes, tried = recovered(), list[Change | Outcome]()

            def planned() -> list[Change]:
                tried[:] = [self._tried(edit, edits) for edit in edits]
                changes = [each for each in tried if isinstance(each, Change)]
                return changes if len(changes) == len(tried) else []

            try:
                done = settled(planned, Finish(dry_run))
            except RedraftError as error:
                changes = (each for each in tried if isinstance(each, Change))
                return [replace(_outcome(change), status="error", reason=self._said(str(error))) for change in changes]
            if not done.changes:
                return [each if isinstance(each, Outcome) else _outcome(each, _OTHERS) for each in tried]
        if not done.is_accepted:
            return [_outcome(change, _OTHERS) for change in done.changes]
        said = self._said("; ".join(filter(None, (*notes, done.note))))
        return [_outcome(change, said, done.written) for change in done.changes]

    def repair(self, path: str, call: Replaced, dry_run: bool = False) -> Outcome:
        """Makes the replacement of an edit call that failed, or says where its old text may be meant."""
        with self._lock:
            try:
                file = self._file(path)
                name = file.path.relative_to(self.root).as_posix()
                more = {"replace_all": call.replace_all, "line": call.line}
                found = repair(file.text, call.old, call.new, path=name, **more)  # type: ignore[arg-type]
                if found.output is None:
                    return Outcome(name, "needs_context", False, 0.0, described(found).removeprefix("refused: "), "")
                status: Status = "no_change" if found.status == "no_change" else "applied"
                change = Change(name, file, Result(status, found.output, 1.0, "format", "", found.healed))
                done = finish([change], Finish(dry_run))
            except RedraftError as error:
                return Outcome(path, "error", False, None, self._said(str(error)), "")
        return _outcome(change, done.note or found.message, done.written)

    def _tried(self, edit: Edit, edits: Sequence[Edit]) -> Change | Outcome:
        try:
            return self._change(edit, edits)
        except RedraftError as error:
            return Outcome(edit.path, "error", False, None, self._said(str(error)), "")

    def _change(self, edit: Edit, edits: Sequence[Edit]) -> Change:
        self._place(edit.path)
        if not edit.update.strip():
            raise RedraftError("the update is empty: show the code that changes")
        places = [place for each in edits if (place := self._known(each.path))]
        file = self._file(edit.path, edit.is_new, places)
        if places.count(file.path) > 1:
            raise RedraftError(f"several edits are about {edit.path!r}: put them into one update")
        name = file.path.relative_to(self.root).as_posix()
        return change_of(name, file, edit.update, Order(self._editor, edit.instruction), edit.is_new)

    def _file(self, path: str, is_new: bool = False, places: Sequence[Path] = ()) -> File:
        """The file at a path that may be edited, or made if it `is_new`; raises RedraftError for any other.

        `places` are those of all files that may be made together.
        """
        place = self._place(path)
        file = new(place) if is_new and not os.path.exists(place) else read(place)
        if file.path != place or (not file.is_new and file.path.stat().st_nlink > 1):
            raise RedraftError(f"{path!r} has other names, perhaps outside of the folder that may be edited")
        if git_folder(file.path, self.root, places):
            raise RedraftError(f"{path!r} is in a folder that git takes for its own, and left alone")
        if ignored([file.path], self.root):
            raise RedraftError(f"{path!r} is ignored by git and left alone")
        return file

    def _known(self, path: str) -> Path | None:
        try:
            return self._place(path)
        except RedraftError:
            return None

    def _place(self, path: str) -> Path:
        """The file at a path, which may begin as the folder was named: with links on the way to it."""
        named = PurePath(path)
        inner = named.relative_to(self._named).as_posix() if named.is_relative_to(self._named) else path
        return confined(inner, self.root)

    def _said(self, message: str) -> str:
        """A message without the place of the folder on this machine."""
        return message.replace(f"{self.root}/", "")


def _outcome(change: Change, remark: str = "", written: bool = False) -> Outcome:
    """`remark` is what there is to say where no guard refuses the change."""
    result = change.result
    is_written = written and change.changes_anything
    gone = [f"line {each.line}, {each.text.strip()!r}" for each in result.vanished]
    said = (result.message or remark, change.diff(), list(result.healed), gone, result.ask_again, result.way_on)
    return Outcome(change.path, result.status, is_written, result.confidence, *said)
