"""In: a change. Out: a name that two imports bring, or none any more."""

import re
from collections import Counter

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
    name = next((name for name, count in has.items() if count > max(1, had[name])), None)
    if name is None:
        return None
    return Broken("imports", f"two imports of the new file would bring {name}: show the one that loses it, too")


def moved_import(change: Change) -> Broken | None:
    """An import that words move, and that stands where it stood as well."""
    if not any(map(_MOVES.search, change.prose)):
        return None
    lines = [*map(str.strip, change.after)]
    for at in (at for gap in change.gaps for at in change.come(gap)):
        if is_import(lines[at]) and lines.count(lines[at]) > 1:
            return Broken("imports", f"{change.new_line(at)}, moves, and stands where it stood: show that it goes")
    return None


def _names(outline: Outline) -> Counter[str]:
    found: Counter[str] = Counter()
    for node in outline.nodes:
        is_outermost = node.parent is None or outline.nodes[node.parent].kind == "section"
        is_import = node.kind == "import" and is_outermost
        text = " ".join(outline.lines[node.head : node.end]) if is_import else ""
        found.update(name for names in _BRACED.findall(text) for name in _last_words(names))
        for module, names in _FROM.findall(text) if outline.language == "python" else ():
            found.update(f"{name} of {module}" for name in _last_words(names))
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
