"""In: lines of an answer, and where they go. Out: the lines indented as what stands there."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from redraft.edit.align.likeness import LONG_LINE, indent, version
from redraft.edit.align.spelling import Known, outermost
from redraft.edit.merge.common.insertion import Spot
from redraft.edit.outline import Outline
from redraft.edit.text.lines import is_comment, is_telling, lead_of

_OPEN = ("{", "(", "[", ":", "do", "then", "=>", "->", ">")
_PAIRS = ("()", "[]", "{}")
_ALIKE = 0.7  # from which a line that stands at a line's place is its version
_LEAST = 2  # lines of the file that are moved by as much, from which new ones among them are, too


def fitted(texts: tuple[str, ...], spot: Spot, file: Outline) -> tuple[str, ...]:
    """New lines, indented as the spot tells; as they are where they stand between what is around them already."""
    if spot.like is not None:
        return reindented(texts, texts[:1], file.lines[file.nodes[spot.like].head])
    if spot.lead is None or not texts:
        return texts
    around = [indent(line) for line in (*file.lines[: spot.at][-3:], *file.lines[spot.at : spot.at + 2])]
    widths = [width for width in around if width is not None]
    own = indent(texts[0]) or 0
    is_between = own > min(widths, default=0) and own <= max(widths, default=0)
    return texts if is_between else reindented(texts, texts[:1], f"{spot.lead}.")


def reindented(texts: tuple[str, ...], first: Sequence[str], place: str) -> tuple[str, ...]:
    """Lines moved so that `first` is indented like `place`; as they are where that cannot be done evenly."""
    have, want = _lead(first[0]) if first else "", _lead(place)
    if have == want:
        return texts
    if want.endswith(have):
        more = want.removesuffix(have)
        return tuple(more + text if text.strip() else text for text in texts)
    if have.endswith(want) and all(text.startswith(have.removesuffix(want)) for text in texts if text.strip()):
        less = len(have) - len(want)
        return tuple(text[less:] if text.strip() else text for text in texts)
    return texts


def _lead(text: str) -> str:
    return text[: len(text) - len(text.lstrip())] if text.strip() else text


def evened(texts: Sequence[str], known: Known) -> Sequence[str]:
    """Lines that are to be moved to the right, as the outermost ones tell; those that stand too deep below them and as
    in the file are moved to the left first."""
    outer = outermost([text for text in texts if text.strip()], known)
    moves = {min(known.leads[text.strip()]).removesuffix(lead_of(text)) for text in outer}
    moved = moves.pop() if len(moves) == 1 else ""
    out = [*texts]
    for run in _too_deep(texts, moved, known) if moved else ():
        if any(_is_placed(texts[at], known) for at in run) and all(texts[at].startswith(moved) for at in run):
            out[run[0] : run[-1] + 1] = [text.removeprefix(moved) for text in texts[run[0] : run[-1] + 1]]
    return out


def _too_deep(texts: Sequence[str], moved: str, known: Known) -> Iterator[list[int]]:
    """Runs of lines that stand below a line of the file that opens nothing, or by more than a step below one that does;
    with what is in them."""
    around: list[tuple[int, int]] = []  # the lines that a line stands in, and how many brackets are open before them
    run: list[int] = []
    depth = top = 0
    for at, text in ((at, text) for at, text in enumerate(texts) if text.strip()):
        width = len(lead_of(text))
        while around and len(lead_of(texts[around[-1][0]])) >= width:
            around.pop()
        outer, before = around[-1] if around else (at, 0)
        opens = texts[outer].rstrip().endswith(_OPEN)
        is_known = moved + lead_of(texts[outer]) in known.leads.get(texts[outer].strip(), ())
        is_deep = width - len(lead_of(texts[outer])) > len(known.step) * opens and (opens or depth <= before)
        if is_known and is_deep:
            run, top = [*run, at], width
        elif run and width >= top:
            run.append(at)
        elif run:
            yield run
            run = []
        around.append((at, depth))
        depth += sum(text.count(pair[0]) - text.count(pair[1]) for pair in _PAIRS) * (not is_comment(text))
    if run:
        yield run


def _is_placed(text: str, known: Known) -> bool:
    """Whether the file has a line, or a version of it, in its indentation alone."""
    bare = text.strip()
    leads = known.leads.get(bare) or {lead_of(line) for line in known.lines if version(bare, line.strip(), alone=False)}
    return is_telling(bare) and leads == {lead_of(text)}


def as_beside(old: Sequence[str], new: Sequence[str]) -> Sequence[str]:
    """New lines among lines of the file that are all moved by as much, moved back with these; as they are where a line
    that comes or goes opens or closes something."""
    if (back := _moved_back(old, new)) is not None:
        return back
    keys = [[text.strip().rstrip(";,") for text in lines] for lines in (old, new)]
    blocks = SequenceMatcher(None, keys[0], keys[1], autojunk=False).get_matching_blocks()
    pairs = {block.b + n: old[block.a + n] for block in blocks for n in range(block.size) if keys[1][block.b + n]}
    leads = {lead_of(new[at]): lead_of(text) for at, text in pairs.items()}
    moved = {len(lead) - len(lead_of(new[at])) for at, text in pairs.items() for lead in [lead_of(text)]}
    come = [text for at, text in enumerate(new) if at not in pairs and text.strip()]
    is_even = len(moved) == 1 and 0 not in moved and sum(map(is_telling, pairs.values())) >= _LEAST
    others = [*come, *(text for text in old if text not in pairs.values())]
    if not is_even or not come or any(map(_opens, others)) or any(lead_of(text) not in leads for text in come):
        return new
    return [leads[lead_of(text)] + text.lstrip() if text.strip() else text for text in new]


def _moved_back(old: Sequence[str], new: Sequence[str]) -> Sequence[str] | None:
    """Versions of as many lines of the file, one by one, that are all moved by as much, moved back."""
    pairs = list(zip(old, new, strict=False))
    written = [pair for pair in pairs if pair[1].strip()]
    moved = {len(lead_of(one)) - len(lead_of(other)) for one, other in written}
    if len(old) != len(new) or len(moved) != 1 or 0 in moved or not all(map(_is_version, pairs)):
        return None
    return [lead_of(one) + other.lstrip() if other.strip() else other for one, other in pairs]


def _is_version(pair: tuple[str, str]) -> bool:
    """Whether of two lines the second says the same, or nearly so, and opens or closes as much."""
    old, new = (text.strip() for text in pair)
    is_even = all(old.count(sign) == new.count(sign) for pair in _PAIRS for sign in pair)
    is_even = is_even and max(len(old), len(new)) <= LONG_LINE
    return is_even and bool(old) == bool(new) and SequenceMatcher(None, old, new, autojunk=False).ratio() >= _ALIKE


def _opens(text: str) -> bool:
    """Whether a line opens something, or closes what another one opens."""
    return text.rstrip().endswith(_OPEN) or any(text.count(pair[0]) != text.count(pair[1]) for pair in _PAIRS)
