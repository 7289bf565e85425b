"""In: a file of keys, such as JSON or YAML, and blocks that show some of them. Out: the file's lines with these."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from redraft.edit.answer.answer import Answer
from redraft.edit.answer.block import Block
from redraft.edit.outline import Outline, fragment
from redraft.edit.sketch.fit import fitted, indent_of
from redraft.edit.sketch.items import body, inner, known_by, width, written
from redraft.edit.sketch.patch import Doubt, Patch, patched

_LANGUAGES = ("json", "yaml", "toml", "ini")
_OTHERWISE = re.compile(  # words after which a key may be another one's new name, or have a place of its own
    r"(?i)\b(?:remov|delet|drop|renam|replac|instead|swap|mov(?:e|ed|es|ing)\b|above|below|before|after|under|inside"
    r"|into|top\b|end\b|only\b|whole|entire|complete|example|other|call(?:ed|s)? it)"
)
_SENTENCE = 4  # words of a line from which its value may be prose
_COMMENT = re.compile(r"(?:^|\s)(?:#|//|;|/\*)")


def by_keys(file: Outline, answer: Answer, path: str) -> str | None:
    """Each key that both have gets the value shown, and another comes beside the one that it is shown beside, whatever
    order both are in: a key of another name is another key. None where a block shows more than keys, or a place is
    not told."""
    if file.language not in _LANGUAGES or file.faults or _OTHERWISE.search(f"{answer.prose}\n{answer.after}"):
        return None
    try:
        patches = [patch for block in answer.blocks for patch in _patches(file, block, path)]
        lines = patched(file.lines, patches)
    except Doubt:
        return None
    return "\n".join(lines) if tuple(lines) != file.lines else None


def _patches(file: Outline, block: Block, path: str) -> Iterator[Patch]:
    if block.explicit or block.has_markers or any(line.kind != "code" for line in block.lines):
        raise Doubt("a block shows more than keys")
    shown = fragment([line.text for line in block.lines], path, ())
    top = shown.top()
    _refuse_unkeyed(shown, 0, len(shown.lines), top)
    held = Counter(known_by(node) for node in file.nodes)
    if any(held[known_by(shown.nodes[at])] > 1 for at in top):
        raise Doubt("a key stands several times")
    yield from _level(file, shown, file.top(), top)


def _level(file: Outline, shown: Outline, old: Sequence[int], new: Sequence[int]) -> Iterator[Patch]:
    """The patches for the keys of one object, of which the answer shows at least one that the file has."""
    held = {known_by(file.nodes[at]): at for at in old}
    names = [known_by(shown.nodes[at]) for at in new]
    pairs = [held.get(name) for name in names]
    if len(held) < len(old) or len({*names}) < len(new) or all(at is None for at in pairs):
        raise Doubt("keys stand twice, or none is known")
    above: int | None = None
    coming: dict[int, list[int]] = {}
    first = next(at for at in pairs if at is not None)
    leading = []
    for at, pair in zip(new, pairs, strict=True):
        if pair is not None:
            above = pair
        elif above is None:
            leading.append(at)
        else:
            coming.setdefault(above, []).append(at)
    if leading:
        start = file.nodes[first].start
        yield Patch(start, start, _come(file, shown, leading, first, has_comma=file.language == "json"))
    for at, pair in zip(new, pairs, strict=True):
        if pair is not None:
            yield from _key(file, shown, pair, at, coming.get(pair, []))


def _key(file: Outline, shown: Outline, old: int, new: int, coming: Sequence[int]) -> Iterator[Patch]:
    """A key that both have, and the new ones below it."""
    before, after = file.nodes[old], shown.nodes[new]
    theirs, own = file.lines[before.head : before.end], shown.lines[after.head : after.end]
    notes = [line for line in written(shown.lines[after.start : after.head]) if line not in {*written(file.lines)}]
    is_one = len(theirs) == len(own) == 1
    is_same = _bare(theirs) == _bare(own)
    is_last = file.language == "json" and not theirs[-1].rstrip().endswith(",")
    if notes or bool(before.children) != bool(after.children) or (coming and is_last and not is_one):
        raise Doubt("a comment is new, or a value of another kind")
    if not is_same and before.children:
        if theirs[0].strip() != own[0].strip() or theirs[0].rstrip().endswith("["):
            raise Doubt("a key has another head")
        _refuse_unkeyed(shown, *body(shown, after), inner(shown, new))
        yield from _level(file, shown, before.children, after.children)
    elif not is_same or (coming and is_last):
        if not is_one or any(_COMMENT.search(line) or line.lstrip().startswith("-") for line in (*theirs, *own)):
            raise Doubt("a value of several lines may be shown in part, and a comment may go")
        if min(len(line[0].split()) for line in (theirs, own)) > _SENTENCE:
            raise Doubt("a sentence may be told again from memory")
        comma = "," * (file.language == "json" and bool(coming or not is_last))
        text = own[0].strip().rstrip(",") + comma if file.language == "json" else own[0].strip()
        yield Patch(before.head, before.end, (indent_of(theirs[0]) + text,))
    if coming:
        yield Patch(before.end, before.end, _come(file, shown, coming, old, file.language == "json" and not is_last))


def _come(file: Outline, shown: Outline, new: Sequence[int], beside: int, has_comma: bool) -> tuple[str, ...]:
    """New keys as the file indents the one beside them."""
    found: list[str] = []
    indent = indent_of(file.lines[file.nodes[beside].head])
    for at in new:
        node = shown.nodes[at]
        if shown.lines[node.head].lstrip().startswith("-"):
            raise Doubt("an item of a list")
        lines = [
            *fitted(width(shown.lines[node.head]), indent, shown.lines, file.lines).lines(
                shown.lines[node.start : node.end]
            )
        ]
        while not lines[-1].strip():
            lines.pop()
        if file.language == "json":
            lines[-1] = lines[-1].rstrip().rstrip(",") + "," * (has_comma or at != new[-1])
        found += lines
    return tuple(found)


def _bare(lines: Sequence[str]) -> list[str]:
    return [line.rstrip(",") for line in written(lines)]


def _refuse_unkeyed(outline: Outline, start: int, end: int, keys: Sequence[int]) -> None:
    """Raises Doubt for a line that is no key, and no bracket."""
    owned = {line for at in keys for line in range(outline.nodes[at].start, outline.nodes[at].end)}
    if not keys or any(at not in owned and any(map(str.isalnum, outline.lines[at])) for at in range(start, end)):
        raise Doubt("a block shows more than keys")
