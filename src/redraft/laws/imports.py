"""In: a change. Out: a name that two imports bring, or none any more."""

import re
from collections import defaultdict

from redraft.edit.align.likeness import quoted
from redraft.edit.outline import Outline
from redraft.edit.text.lines import is_comment
from redraft.edit.words.known import is_import
from redraft.laws.change import Broken, Change

_BRACED = re.compile(r"\bimport\b[^'\"{]*\{([^}]*)\}")
_FROM = re.compile(r"from\s+(\S+)\s+import\s+\(?([^()#]*)")
# Whose compilers take a name that is brought twice for an error, or where nobody writes that.
_STRICT = ("javascript", "typescript", "tsx", "python")
_PAGES = (".vue", ".svelte", ".astro")  # that hold such a language
_MOVES = re.compile(r"\bmov(?:e|es|ed|ing)\b", re.IGNORECASE)
_SINGLE = re.compile(r"\s*(?:import|use|from [\w.]+ import)\s+(?:static\s+)?(?:\w+(?:\.|::))*(\w+)(?: as (\w+))?;?\s*$")


def imported_twice(change: Change) -> Broken | None:
    """A name that two imports bring, of Python two from one module."""
    if change.new.language not in _STRICT and not change.path.endswith(_PAGES):
        return None
    had, has = map(_names, (change.old, change.new))
    name = next((name for name, lines in has.items() if len(lines) > max(1, len(had[name]))), None)
    if name is None:
        return None
    what = f"{change.new_line(has[name][-1])}, would bring {name}, as another import does"
    return Broken("imports", f"{what}: show the one that loses it, too")


def moved_import(change: Change) -> Broken | None:
    """An import that words move, and that stands where it stood as well."""
    if not any(map(_MOVES.search, change.prose)):
        return None
    lines = [*map(str.strip, change.after)]
    for at in (at for gap in change.gaps for at in change.come(gap)):
        if is_import(lines[at]) and lines.count(lines[at]) > 1:
            return Broken("imports", f"{change.new_line(at)}, moves, and stands where it stood: show that it goes")
    return None


def _names(outline: Outline) -> defaultdict[str, list[int]]:
    """The names that imports bring, each with the lines at which these begin."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for node in outline.nodes:
        is_outermost = node.parent is None or outline.nodes[node.parent].kind == "section"
        is_import = node.kind == "import" and is_outermost
        text = " ".join(outline.lines[node.head : node.end]) if is_import else ""
        brought = [name for names in _BRACED.findall(text) for name in _last_words(names)]
        for module, names in _FROM.findall(text) if outline.language == "python" else ():
            brought += (f"{name} of {module}" for name in _last_words(names))
        for name in brought:
            found[name].append(node.head)
    return found


def _last_words(names: str) -> list[str]:
    """What a list of names brings: `b` of `a as b`."""
    return [words[-1] for words in map(str.split, names.split(",")) if words]


def needed(change: Change) -> Broken | None:
    """An import that goes though the new file says its name."""
    for at in (at for gap in change.gaps for at in change.lost(gap)):
        name = _SINGLE.match(change.before[at])
        if name and (used := _uses(name[2] or name[1], change)):
            need = f"the new file needs it for {quoted(used[0])}: show it if it stays"
            return Broken("imports", f"{change.old_line(at)}, would go, and {need}")
    return None


def _uses(name: str, change: Change) -> list[str]:
    """The lines of the new file that use a name which no import brings; behind that of a module stands what it has."""
    word = re.compile(rf"\b{re.escape(name)}\b")
    if any(is_import(line) and word.search(line) for line in change.after):
        return []
    used = re.compile(word.pattern + r"\s*(?:\.|::|\()") if name.islower() else word
    return [line for line in change.after if used.search(line) and not is_comment(line)]
