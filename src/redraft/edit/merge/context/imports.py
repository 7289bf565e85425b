"""In: a file before and after an answer, the lines that this shows, and what it says. Out: the new lines without old
imports of names that new ones import, and without those that nothing uses and nobody needs any more."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

from redraft.edit.merge.common.patch import patched, taken_out
from redraft.edit.merge.common.tokens import tokens
from redraft.edit.outline import outline
from redraft.edit.outline.grammars import grammar
from redraft.edit.text.changes import line_changes
from redraft.edit.text.lines import is_telling
from redraft.edit.words.known import whole_piece
from redraft.edit.words.sentences import CODE, END

# Languages in which a name that two lines import is that of the second, or a fault; elsewhere lines load modules, and
# pages of documentation have many programs.
_BINDING = frozenset(
    (
        "python",
        "javascript",
        "typescript",
        "tsx",
        "vue",
        "svelte",
        "astro",
        "html",
        "rust",
        "php",
        "java",
        "kotlin",
        "scala",
    )
)
_OF_PACKAGE = re.compile(r"import\s+\w+(?:\.\w+)+")  # in Python it brings the first name
_NEEDLESS = re.compile(  # words on an import of which nothing is left
    r"\b(?=.*\b(?:im|Im)port\w*)(?:.*\b(?:not|\w+n't|no longer|nicht mehr|ne sont plus|n'est plus|ya no|não) .{0,20}"
    r"\b(?:needed|used|required|import\w*|gebraucht|benötigt|nécessaires?|utilisée?s?|necesita\w*|usad[oa]s?)"
    r"|.*\b(?:unused|unnecessary|superfluous|obsolete|needless|no need|überflüssig|inutil\w*|innecesari\w+))",
    re.IGNORECASE,
)
_NEEDED = re.compile(
    r"\b(?:still|stays?|keep|kept|remains?|left|leave|alone|if|unless|noch|bleib\w+|reste\w*|queda\w*)\b", re.IGNORECASE
)
_LONGEST = 300  # characters of a line that is read
_SPELLINGS = (
    r"import\s+(?:type\s+)?(?P<names>[^'\"]+?)\s+from\s*['\"][^'\"]+['\"]\s*;?",
    r"(?:const|let|var)\s+(?P<names>[\w${}, :]+?)\s*=\s*(?:await\s+)?(?:require|import)\([^()]*\)\s*;?",
    r"from\s+[\w.]+\s+import\s+(?P<names>[\w ,]+)",
    r"import\s+(?P<names>\w+(?:\s*,\s*\w+)*|[\w.]+\s+as\s+\w+)",
    r"(?:pub\s+)?use\s+(?:function\s+|const\s+)?(?P<names>[\w:\\]+(?:\s+as\s+\w+)?|[\w:\\]*[:\\]{[\w:, ]+})\s*;",
    r"import\s+(?P<names>[\w.]+(?:\s+as\s+\w+)?)\s*;?",
    r"\"(?:\w+\.)+\w+/(?:[\w.-]+[/-])*(?P<names>[a-z]\w*)\"",
)
_IMPORT = re.compile("|".join(re.sub(r"\?P<names>", "", spelling) for spelling in _SPELLINGS))
_READ = [re.compile(spelling) for spelling in _SPELLINGS]
_ROUND = str.maketrans("", "", "()")
_CONDITION = re.compile(r"\s*#\[cfg|\s*#\s*if|\s*(?:try|except|else|if)\b")
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
_PART = re.compile(r"(?:import|use)\s+(?P<package>\w+(?:(?:\.|::)\w+)*)(?:\.|::)(?P<name>\w+|\*)\s*;?")


def without_old(
    before: Sequence[str], after: tuple[str, ...], shown: Collection[str], said: str, path: str
) -> tuple[str, ...]:
    """The new lines without imports of the file that are not `shown`, and that others replace, or `said` has no need
    of."""
    return _without_needless(before, _without_rebound(before, after, shown, path), shown, said, path)


def _without_needless(
    before: Sequence[str], after: tuple[str, ...], shown: Collection[str], said: str, path: str
) -> tuple[str, ...]:
    """The new lines without imports whose names stand nowhere else, where imports are shown without them and a sentence
    says that they are not needed."""
    told = [text for text in END.split(said) if _NEEDLESS.search(text) and not _NEEDED.search(text)]
    quoted = [quote.strip("'\"") for text in told for quote in CODE.findall(text)]
    language = grammar(path)
    if not quoted or language not in _BINDING or not any(map(imported, shown)):
        return after
    there = {line.strip() for line in before} - {*shown}
    own = _own(after, path)
    for at in reversed([at for at in _imports(after, language) if at in own and after[at].strip() in there]):
        is_told = any(quote and whole_piece(quote).search(after[at]) for quote in quoted)
        if is_told and not _is_bound(after, at) and _may_go(at, after, ()):
            after = patched(after, [taken_out(after, at, at + 1)]) or after
    return after


def _without_rebound(
    before: Sequence[str], after: tuple[str, ...], shown: Collection[str], path: str
) -> tuple[str, ...]:
    """The new lines without imports of the file that are not `shown`, where new ones bring the same names.

    Names that an old one alone brings are in no use any more, or another import has them.
    """
    language, there = grammar(path), {line.strip() for line in before}
    after = _without_retold(there, _without_doubled(before, after, path)) if language in _BINDING else after
    after = _without_parts(there, after, shown) if language in _BINDING else after
    found = [*_imports(after, language)] if language in _BINDING else []
    come = {name for at in found if after[at].strip() not in there for name in imported(after[at])}
    come |= {*_wrapped(there, after, path)} if found else set()
    old = [at for at in found if after[at].strip() in there and after[at].strip() not in shown]
    gone = [at for at in old if not come.isdisjoint(imported(after[at])) and not _is_bound(after, at)]
    gone = [at for at in gone if at in _own(after, path)] if gone else []
    brought = {name for line in after if gone and line.strip() not in there for name in imported(line)}
    gone = [at for at in gone if _may_go(at, after, brought | come)]
    others = [at for at in found if after[at].strip() not in there]
    moved = {new: at for at in reversed(gone) if (new := _stray(at, others, after, shown)) is not None}
    place = {at: new for new, at in moved.items()}  # several old ones may have become one
    after = tuple(after[place.get(at, at)] for at in range(len(after)))
    for at in sorted({*gone, *moved} - place.keys(), reverse=True):
        after = patched(after, [taken_out(after, at, at + 1)]) or after
    return _without_wrapped(there, after, shown, path, come) if come else after


def _wrapped(there: Collection[str], after: tuple[str, ...], path: str) -> Iterator[str]:
    """The names that come on new lines of imports on several lines."""
    for node in outline(after, path).nodes:
        lines = [line.strip() for line in after[node.head : node.end] if node.kind == "import"]
        names = imported(" ".join(lines).translate(_ROUND)) if len(lines) > 1 else frozenset()
        yield from (name for line in lines if line not in there for name in _WORD.findall(line) if name in names)


def _stray(old: int, others: Sequence[int], lines: Sequence[str], shown: Collection[str]) -> int | None:
    """The import that brings all that an old one does, if it stands beside no other: it takes the place of the old
    one."""
    new = [at for at in others if imported(lines[old]) <= imported(lines[at])]
    beside = (lines[near] for at in new[:1] for near in (at - 1, at + 1) if 0 <= near < len(lines))
    above = next((text.strip() for at in new[:1] for text in lines[:at][::-1] if text.strip()), "")
    is_placed = is_telling(above) and above in shown
    return new[0] if len(new) == 1 and not is_placed and not any(map(imported, beside)) else None


def _without_wrapped(
    there: Collection[str], after: tuple[str, ...], shown: Collection[str], path: str, come: Collection[str]
) -> tuple[str, ...]:
    """The new lines without imports on several lines, none of which is `shown` or new, of names of which some `come`
    by new ones and nobody uses the others."""
    for node in reversed([each for each in outline(after, path).nodes if each.kind == "import"]):
        own = {line.strip() for line in after[node.head : node.end]}
        names = imported(" ".join(line.strip() for line in after[node.head : node.end]))
        rest = (*after[: node.head], *after[node.end :])
        is_old = node.end > node.head + 1 and own <= {*there} and own.isdisjoint(shown)
        if is_old and not names.isdisjoint(come) and not _is_used(names.difference(come), rest):
            after = patched(after, [taken_out(after, node.head, node.end)]) or after
    return after


def _without_doubled(before: Sequence[str], after: tuple[str, ...], path: str) -> tuple[str, ...]:
    """The new lines without imports that come though the file has them in another place, not indented."""
    if max(Counter(line for line in after if imported(line) and not _indent(line)).values(), default=0) < 2:
        return after
    own = [at for at in _own(after, path) if imported(after[at]) and not _indent(after[at])]
    come = {at for change in line_changes(before, after) for at in range(change.after_start, change.after_end)}
    kept = {after[at] for at in own if at not in come}
    doubled = {at for at in own if at in come and after[at] in kept}
    return tuple(line for at, line in enumerate(after) if at not in doubled)


def _without_retold(there: Collection[str], after: tuple[str, ...]) -> tuple[str, ...]:
    """The new lines without imports that only spell otherwise what one of the file brings that still stands."""
    found = [line for line in map(str.strip, after) if imported(line)]
    own = {tokens(line) for line in found if line in there}
    gone = {line for line in found if line not in there and tokens(line) in own}
    return tuple(line for line in after if line.strip() not in gone) if gone else after


def _without_parts(there: Collection[str], after: tuple[str, ...], shown: Collection[str]) -> tuple[str, ...]:
    """The new lines without imports that are not `shown` of what a new one brings with all that a package has."""
    found = {line: part for line in map(str.strip, after) if (part := _PART.fullmatch(line))}
    every = {part["package"] for line, part in found.items() if part["name"] in ("*", "_") and line not in there}
    gone = {line for line, part in found.items() if part["package"] in every and line in there and line not in shown}
    return tuple(line for line in after if line.strip() not in gone) if gone else after


def _imports(lines: Sequence[str], language: str) -> Iterator[int]:
    """The imports of the whole file: one that is indented, but for the script of a page, is a function's own."""
    found = (at for at, line in enumerate(lines) if imported(line))
    found = (at for at in found if language != "python" or not _OF_PACKAGE.fullmatch(lines[at].strip()))
    return (at for at in found if not _indent(lines[at]) or _frame(lines, at).startswith("<script"))


def _own(lines: Sequence[str], path: str) -> set[int]:
    """The lines that declare an import, and are no text in a string."""
    return {node.head for node in outline(lines, path).nodes if node.kind == "import"}


@lru_cache(maxsize=4096)
def imported(line: str) -> frozenset[str]:
    """The names that an import brings into a file."""
    text = line.strip()
    if len(text) > _LONGEST or not _IMPORT.fullmatch(text):
        return frozenset()
    found = next(filter(None, (spelling.fullmatch(text) for spelling in _READ)))
    pieces = (re.split(r"\s+as\s+|(?<!:):(?!:)", piece.strip())[-1] for piece in re.split(r"[{},]", found["names"]))
    names = (re.split(r"::|\\|\.", piece)[-1].removeprefix("type ").strip() for piece in pieces)
    return frozenset(name for name in names if _WORD.fullmatch(name) and name != "self")


def _may_go(at: int, lines: Sequence[str], come: Collection[str]) -> bool:
    """Whether what an import alone brings is used nowhere else."""
    return not _is_used(imported(lines[at]).difference(come), (*lines[:at], *lines[at + 1 :]))


def _is_used(names: Collection[str], lines: Sequence[str]) -> bool:
    return any(not {*names}.isdisjoint(_WORD.findall(line)) for line in lines)


def _is_bound(lines: Sequence[str], at: int) -> bool:
    """Whether an import stands below a condition."""
    return _CONDITION.match(lines[at - 1] if at else "") is not None or _frame(lines, at).rstrip().endswith(":")


def _frame(lines: Sequence[str], at: int) -> str:
    """The line that a line stands in by its indentation, "" for one that stands in none."""
    return next((line for line in reversed(lines[:at]) if _indent(line) < _indent(lines[at]) and line.strip()), "")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
