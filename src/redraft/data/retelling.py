"""In: the segments of an edit. Out: the same with some context retold, as assistants that write from memory do."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from redraft.data.anchors import is_telling
from redraft.data.languages import comment, extension, language
from redraft.data.segments import GONE, KEPT, NEW, Segment
from redraft.data.slips import other_quotes, without_comment
from redraft.edit.align.spelling import lead_of

Retold = tuple[str, ...] | None
Teller = Callable[[str, str, Random], Retold]

_SYNONYMS = {
    "get": "fetch", "fetch": "get", "check": "make sure", "create": "make", "make": "build", "return": "give back",
    "remove": "drop", "delete": "remove", "add": "put in", "use": "take", "should": "has to", "must": "has to",
    "needs": "wants", "default": "usual", "only": "just", "if": "when", "when": "if", "this": "that", "all": "every",
    "first": "to begin with,", "value": "val", "function": "fn", "initialize": "set up", "handle": "deal with",
    "ensure": "make sure", "configuration": "config", "the": "", "a": "", "an": "", "we": "it",
}  # fmt: skip
_REMARKS = ("as usual", "see above", "unchanged", "needed below", "start value", "same for all", "keep in sync")
_QUOTED = frozenset(("py", "js", "jsx", "mjs", "ts", "tsx", "rb", "php", "css", "scss", "html", "vue", "svelte", "lua"))
_BRACED = frozenset(("c", "cpp", "csharp", "java", "php", "javascript", "typescript", "dart", "kotlin", "swift"))
_SEMICOLONS = frozenset(("javascript", "typescript", "vue", "svelte"))
_COMMAS = frozenset(("python", "javascript", "typescript", "rust", "go", "kotlin", "dart", "php", "ruby", "swift"))
_ATTRIBUTE = re.compile(r"\s*(?:@\w[\w.]*(?:\([^()]*\))?|#\[[\w:]+(?:\([^()]*\))?\]|\[[A-Z]\w*(?:\([^()]*\))?\])\s*")
_DECLARED = re.compile(
    r"^\s*(?:(?:let|const|var|auto|val|final|my|local|mut)\s+(?:mut\s+)?([A-Za-z_]\w+)\s*(?::[^=]*)?=[^=]"
    r"|([a-z_]\w+)\s*:?=[^=>~]|(?:for|foreach)\s*\(?\s*(?:(?:let|const|var|auto)\s+)?([a-z_]\w+)\s+(?:in|of)\b)"
)
_NAMES = {
    "i": "idx", "idx": "i", "index": "i", "err": "e", "error": "err", "res": "result", "result": "res", "e": "err",
    "response": "resp", "resp": "response", "req": "request", "request": "req", "value": "val", "val": "value",
    "name": "label", "key": "k", "data": "payload", "msg": "message", "message": "msg", "ctx": "context",
    "options": "opts", "opts": "options", "config": "cfg", "path": "file_path", "files": "paths", "item": "entry",
}  # fmt: skip
_SHARE = 0.4
_LONG_CALL = 50


def retold(found: Sequence[Segment], path: str, rng: Random) -> list[Segment]:
    """At most _SHARE of the telling context lines retold; what changes is as it was.

    A name of a local is retold in all context lines at once, a line with its successor where both are joined.
    """
    told = list(found)
    wanted = rng.randint(1, max(1, int(_SHARE * sum(s.role == KEPT and is_telling(s.lines[0]) for s in told))))
    if rng.random() < 0.25:
        told = _renamed(told, rng)
    if rng.random() < 0.35:
        told = _joined(told, path, rng)
    spots = [at for at, segment in enumerate(told) if segment.role == KEPT and not segment.is_retold]
    rng.shuffle(spots)
    for at in spots:
        if not wanted:
            break
        lines = _told(told[at].lines[0], path, rng)
        if lines is not None:
            told[at] = replace(told[at], told=lines)
            wanted -= 1
    return told


def _told(line: str, path: str, rng: Random) -> Retold:
    tellers = list(_TELLERS)
    rng.shuffle(tellers)
    return next((lines for teller in tellers if (lines := teller(line, path, rng)) not in (None, (line,))), None)


def _comment(line: str, path: str, rng: Random) -> Retold:
    """A comment of its own reworded, or now and then left out."""
    opening, closing = comment(path)
    text = line.strip()
    if not text.startswith(opening) or not text.endswith(closing) or text.startswith("#!"):
        return None
    words = text[len(opening) : len(text) - len(closing)].strip()
    if not is_telling(words):
        return None
    if rng.random() < 0.2:
        return ()
    return (f"{lead_of(line)}{opening} {reworded(words, rng)} {closing}".rstrip(),)


def reworded(words: str, rng: Random) -> str:
    """What a comment says, in other or fewer words."""
    found = words.split()
    kind = rng.random()
    if kind < 0.4 and len(found) > 3:
        return " ".join(found[: rng.randint(2, len(found) - 1)]).rstrip(",;:")
    other = " ".join(filter(None, (_SYNONYMS.get(word.lower(), word) for word in found)))
    if other != words:
        return other
    return words.rstrip(".") if words.endswith(".") else f"{words[:1].swapcase()}{words[1:]}"


def _remark(line: str, path: str, rng: Random) -> Retold:
    """The comment at the end of a line left out or reworded, or one put there that the file does not have."""
    opening, closing = comment(path)
    bare = without_comment(line, path)
    if bare != line:
        words = line[len(bare) :].strip().removeprefix(opening).removesuffix(closing)
        kept = f"{bare}  {opening} {reworded(words.strip(), rng)} {closing}".rstrip()
        return (bare if rng.random() < 0.5 else kept,)
    if rng.random() < 0.2 and is_telling(line) and line.rstrip().endswith((";", ")")) and opening not in line:
        return (f"{line}  {opening} {rng.choice(_REMARKS)} {closing}".rstrip(),)
    return None


def _quotes(line: str, path: str, rng: Random) -> Retold:
    return (other_quotes(line),) if extension(path) in _QUOTED else None


def _semicolon(line: str, path: str, rng: Random) -> Retold:
    if language(path) not in _SEMICOLONS or not is_telling(line):
        return None
    if line.endswith(";"):
        return (line[:-1],)
    return (f"{line};",) if line.endswith((")", "'", '"', "]")) and not line.lstrip().startswith(("<", "@")) else None


def _comma(line: str, path: str, rng: Random) -> Retold:
    return (line[:-1],) if language(path) in _COMMAS and line.endswith(",") and rng.random() < 0.3 else None


def _attribute(line: str, path: str, rng: Random) -> Retold:
    return () if _ATTRIBUTE.fullmatch(line) and language(path) not in ("markdown", "yaml", "toml", "ini") else None


def _blank(line: str, path: str, rng: Random) -> Retold:
    return None if line.strip() or rng.random() < 0.5 else rng.choice(((), ("", "")))


def _wrapped(line: str, path: str, rng: Random) -> Retold:
    """The arguments of a long call on a line of their own."""
    opening, closing = line.find("("), line.rfind(")")
    inside = line[opening + 1 : closing]
    if (
        len(line) < _LONG_CALL
        or not 0 < opening < closing - 1
        or any(mark in line for mark in "\"'`#")
        or ")" in inside
    ):
        return None
    lead = lead_of(line)
    deeper = lead + ("\t" if lead.startswith("\t") else "    ")
    return line[: opening + 1], f"{deeper}{inside.strip()}", lead + line[closing:]


_TELLERS: tuple[Teller, ...] = (_comment, _remark, _quotes, _semicolon, _comma, _attribute, _blank, _wrapped)


def _joined(found: Sequence[Segment], path: str, rng: Random) -> list[Segment]:
    """Two lines of context told as one: an opening bracket and what follows, or a brace on a line of its own."""
    pairs = [at for at in range(len(found) - 1) if _can_join(found[at], found[at + 1], path)]
    if not pairs:
        return list(found)
    at = rng.choice(pairs)
    first, second = found[at].lines[0], found[at + 1].lines[0]
    space = "" if first.endswith(("(", "[")) else " "
    one = Segment(KEPT, (first, second), (first + space + second.strip(),))
    return [*found[:at], one, *found[at + 2 :]]


def _can_join(one: Segment, other: Segment, path: str) -> bool:
    if one.role != KEPT or other.role != KEPT or not other.lines[0].strip():
        return False
    first, second = one.lines[0], other.lines[0].strip()
    opening, _ = comment(path)
    if opening in first or not is_telling(first):
        return False
    if second == "{":
        return language(path) in _BRACED
    return first.endswith(("(", "[", ",")) and language(path) not in ("markdown", "yaml") and len(first + second) < 100


def _renamed(found: Sequence[Segment], rng: Random) -> list[Segment]:
    """A local that only context lines speak of, under another name in all of them."""
    changed = "\n".join(line for segment in found if segment.role in (GONE, NEW) for line in segment.lines)
    context = [segment.lines[0] for segment in found if segment.role == KEPT]
    declared = [next(filter(None, match.groups())) for line in context if (match := _DECLARED.match(line))]
    names = sorted(
        {name for name in declared if not re.search(rf"\b{name}\b", changed) and name not in ("self", "this")}
    )
    if not names:
        return list(found)
    name = rng.choice(names)
    pattern = re.compile(rf"(?<![\w.\"'$-]){name}(?![\w\"'-])")
    other = _NAMES.get(name) or (f"{name[: max(3, len(name) // 2)]}" if len(name) > 7 else f"the_{name}")
    return [
        replace(s, told=(pattern.sub(other, s.lines[0]),)) if s.role == KEPT and len(s.lines) == 1 else s
        for s in found
    ]  # fmt: skip
