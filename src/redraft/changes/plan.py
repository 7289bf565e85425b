"""In: what an answer says about files in a folder, or given as texts. Out: a `Change` for each; nothing is written."""

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from redraft.apply import Redraft
from redraft.changes.again import applied_before, gone_before
from redraft.changes.change import Change
from redraft.changes.tree import Folder, Texts, Tree
from redraft.edit.answer.answer import parse
from redraft.edit.exact.read import files_of, read_exact
from redraft.edit.guard.check import WRITTEN
from redraft.edit.guard.leaks import leaked
from redraft.edit.named.naming import without_title
from redraft.edit.named.parts import Part
from redraft.edit.named.reading import read, together
from redraft.edit.outline import outline
from redraft.edit.text.changes import split_lines
from redraft.edit.text.kind import is_path_of
from redraft.engines import GREEDY, Sampling
from redraft.errors import RedraftError
from redraft.files import read as files
from redraft.files.git import ignored
from redraft.files.place import git_folder
from redraft.result import Result

_THERE = "the file is there already, as the answer has it"
_NEW = re.compile(r"(?i)\b(?:new|create[sd]?|creating|save (?:it|this) as)\b")
_OF_ONE_THERE = re.compile(
    r"(?i)\bexisting (?:file|tests?|suite|code)\b|\bappend\b|\b(?:to|at) the (?:end|bottom)\b"
    r"|\bupdated? (?:file|version)\b"
)
_SURE = 1.0  # a new file is in the answer as it is to be written


@dataclass(frozen=True)
class Order:
    """How an answer is applied: by whom, with which words of the user, in which encoding."""

    editor: Redraft
    instruction: str = ""
    encoding: str | None = None
    sampling: Sampling = GREEDY


@dataclass
class _Named:
    """What an answer says about one file, in one place or several."""

    place: Path
    parts: list[Part] = field(default_factory=list)
    said: str = ""  # the whole answer

    @property
    def update(self) -> str:
        return together(self.parts)

    @property
    def is_edit(self) -> bool:
        return all(part.is_edit for part in self.parts)

    def with_all(self, answer: str) -> "_Named":
        return _Named(self.place, [Part(self.parts[0].path, answer)])

    @property
    def text(self) -> str | None:
        return next((part.text for part in self.parts if part.text is not None), None)

    @property
    def to(self) -> str:
        return next((part.to for part in self.parts if part.to), "")


def plan(root: Path, answer: str, order: Order, opened: Mapping[Path, str] | None = None) -> list[Change]:
    """Raises RedraftError where the answer names files that cannot be, and where an edit is an error.

    `opened` are texts of an editor, by resolved paths.
    """
    if not root.is_dir():
        raise RedraftError(f"there is no folder {root}")
    changes = planned(Folder(root, order.encoding, opened or {}), answer, order)
    targets = _targets(changes)
    if kept := next((found for path in targets if (found := git_folder(path, root.resolve(), targets))), None):
        raise RedraftError(f"the answer names a file in {kept}, which git takes for a folder of its own")
    if skipped := ignored([*(change.file.path for change in changes), *targets], root):
        raise RedraftError(f"the answer names a file that git ignores: {skipped[0]}")
    return changes


def planned(tree: Tree, answer: str, order: Order) -> list[Change]:
    """Like `plan`, for files wherever they are; raises TimeUpError where the whole answer takes too long."""
    return order.editor.within(lambda: _planned(tree, answer, order))


def _planned(tree: Tree, answer: str, order: Order) -> list[Change]:
    named = _grouped(tree, read(answer, lambda path: _is_file(path, tree)), answer)
    if len(named) == 1 or files_of(answer):  # all that is said is said of this file, or names its file itself
        named = [each.with_all(answer) if each.is_edit and tree.exists(each.place) else each for each in named]
    changes = [_change(tree, each, order) for each in named]
    targets = _targets(changes)
    twice = next((target for at, target in enumerate(targets) if target in targets[:at]), None)
    if twice is not None:
        raise RedraftError(f"the answer says two things about {twice}")
    return changes


def _targets(changes: Sequence[Change]) -> list[Path]:
    return [change.target.path if change.target else change.file.path for change in changes]


def _is_file(path: str, tree: Tree) -> bool:
    try:
        place = tree.find(path)
        return tree.is_file(place) or (not tree.exists(place) and gone_before(tree.new(place).path, None) is not None)
    except RedraftError:
        return False


def _grouped(tree: Tree, parts: Sequence[Part], answer: str) -> list[_Named]:
    """The parts by the file that they mean; two names of one file, also its new name, are one."""
    renamed = {tree.key(tree.find(part.to)): tree.find(part.path) for part in parts if part.to}
    found: dict[Hashable, _Named] = {}
    for part in parts:
        place = tree.find(part.path)
        if not tree.exists(place):
            place = renamed.get(tree.key(place), place)
        found.setdefault(tree.key(place), _Named(place, said=answer)).parts.append(part)
    return list(found.values())


def _change(tree: Tree, named: _Named, order: Order) -> Change:
    path = tree.name(named.place)
    if not tree.exists(named.place):
        return _made(tree, path, named)
    if tree.is_link(named.place) and (named.to or any(part.is_deleted for part in named.parts)):
        raise RedraftError(f"{path} is a link: delete or rename it yourself")
    file = tree.read(named.place)
    if any(part.is_deleted for part in named.parts):
        return _deleted(path, file, named)
    if named.to:
        return _renamed(tree, path, file, named, order)
    if named.text is not None and not named.update:
        if named.text == file.text:
            return Change(path, file, replace(_given(file.text), status="no_change", message=_THERE))
        raise RedraftError(f"the answer says that {path} is new, and it is there already, with other lines")
    return Change(path, file, _applied(path, file, named.update, order))


def _made(tree: Tree, path: str, named: _Named) -> Change:
    """A file that is not there: it is to be made, or an answer that was applied before took it away."""
    is_leaving = named.to or any(part.is_deleted for part in named.parts)
    target = tree.new(tree.find(named.to)).path if named.to else None
    if is_leaving and (gone := gone_before(tree.new(named.place).path, target)):
        return Change(path, tree.new(named.place), gone)
    return Change(path, tree.new(named.place), _created(path, _new_text(tree, path, named)), "create")


def _new_text(tree: Tree, path: str, named: _Named, is_sure: bool = False) -> str:
    """The text of a file that is to be made; raises RedraftError where the answer does not hold it."""
    if any(part.is_deleted for part in named.parts):
        raise RedraftError(f"there is no file {path} {tree.where} to delete")
    if any(part.must_exist for part in named.parts):
        raise RedraftError(f"there is no file {path} {tree.where}, and the diff shows lines of it")
    if named.text is not None:
        return named.text
    if exact := read_exact("", named.said, path):
        if exact.text is None:
            raise RedraftError(f"there is no file {path} {tree.where}: {exact.message}")
        return exact.text
    if not is_sure:
        _refuse_known(tree, path, named)
    return _only_block(tree, path, named)


def _only_block(tree: Tree, path: str, named: _Named) -> str:
    """The block that is a new file as a whole; raises RedraftError for one that leaves lines out, and for several."""
    shown = parse("\n".join(part.code or part.update for part in named.parts), path=path).blocks
    kept = {"marker": "leaves lines out", "removed": "removes lines"}
    lacks = next((kept[line.kind] for block in shown for line in block.lines if line.kind in kept), "")
    if lacks or len(shown) != 1 or not any(part.is_named for part in named.parts):
        reason = f"its block {lacks}" if lacks else "its block is not clearly a new file"
        raise RedraftError(f"there is no file {path} {tree.where}, and {reason}")
    lines = without_title([line.text for line in shown[0].lines], path)
    return "".join(f"{line}\n" for line in lines)


def _refuse_known(tree: Tree, path: str, named: _Named) -> None:
    """A file that the words take for one that is there, or whose name is nearly that of one, is not made."""
    words = parse(named.said, path=path).prose
    if _NEW.search(words):
        return
    near = tree.near(named.place)
    if _OF_ONE_THERE.search(words):
        hint = f": do you mean {near}?" if near else ""
        raise RedraftError(f"there is no file {path} {tree.where}, and the answer speaks of one that is there{hint}")
    if near:
        raise RedraftError(f"there is no file {path} {tree.where}: do you mean {near}? If it is new, say so")


def _deleted(path: str, file: files.File, named: _Named) -> Change:
    if named.update or named.to:
        raise RedraftError(f"the answer both changes and deletes {path}")
    if named.text is not None and named.text.split() != file.text.split():
        raise RedraftError(f"the diff that deletes {path} shows other lines than the file has")
    return Change(path, file, _given(""), "delete")


def _renamed(tree: Tree, path: str, file: files.File, named: _Named, order: Order) -> Change:
    place = tree.find(named.to)
    if tree.exists(place):
        raise RedraftError(f"the answer renames {path} to {named.to}, which is there already")
    result = _applied(path, file, named.update, order) if named.update else _given(file.text)
    target = replace(file, path=tree.new(place).path, is_new=True, data=b"")
    return Change(path, file, result, "rename", tree.name(place), target)


def change_of(path: str, file: files.File, update: str, order: Order, is_new: bool = False) -> Change:
    """What an answer makes of one file.

    One that is not there yet is made where the answer names it, or says itself that it is new, and with `is_new` of
    any answer that leaves nothing out. Raises RedraftError where the edit is an error.
    """
    if file.is_new:
        return Change(path, file, _created(path, _new_file(path, update, is_new)), "create")
    return Change(path, file, _applied(path, file, update, order))


def _new_file(path: str, answer: str, is_new: bool) -> str:
    tree = Texts({}, "here")
    try:
        parts = [part for part in read(answer, lambda name: is_path_of(name, path)) if is_path_of(part.path, path)]
    except RedraftError:
        parts = []
    is_said = bool(parts) or read_exact("", answer, path) is not None
    if not is_said and not is_new:
        raise RedraftError(f"there is no file {path}; if the answer is to make it, say --new")
    return _new_text(tree, path, _Named(Path(path), parts or [Part(path, answer, answer)], answer), is_new)


def _applied(path: str, file: files.File, update: str, order: Order) -> Result:
    def apply(text: str) -> Result:
        return order.editor.apply(text, update, instruction=order.instruction, path=path, sampling=order.sampling)

    result = apply(file.text)
    if result.status not in (*WRITTEN, "error"):
        made = read_exact("", update, path)
        is_made = made is not None and made.text == file.text
        result = replace(_given(file.text), status="no_change", message=_THERE) if is_made else result
        result = result if is_made else applied_before(file, apply) or result
    if result.status == "error":
        raise RedraftError(result.message)
    return result


def _given(text: str) -> Result:
    return Result("applied", text, _SURE, "merge", "")


def _created(path: str, text: str) -> Result:
    lines = split_lines(text)
    for leak in leaked(outline((), path), outline(lines, path)):
        if leak.kind == "conflict":
            where = f"line {leak.line + 1} of the new file {path}, {lines[leak.line]!r}"
            raise RedraftError(f"{where}, is a conflict marker: show the file as it is to be")
    return _given(text)
