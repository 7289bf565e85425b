"""In: lines of an answer, and where they go. Out: the lines indented as what stands there."""

from collections.abc import Iterator, Sequence

from redraft.edit.align.likeness import version
from redraft.edit.align.spelling import Known, outermost
from redraft.edit.merge.lines.insertion import Spot
from redraft.edit.merge.lines.lost import unclosed
from redraft.edit.merge.lines.versions import equal_pairs
from redraft.edit.merge.lines.written import depth, written_places
from redraft.edit.outline import Outline
from redraft.edit.text.lines import is_comment, is_telling, lead_of, width_of, written

_OPEN = ("{", "(", "[", ":", "do", "then", "=>", "->", ">")
_LEAST = 2  # lines of the file that are moved by as much, from which new ones among them are, too


def fitted(texts: tuple[str, ...], spot: Spot, file: Outline) -> tuple[str, ...]:
    """New lines, indented as the spot tells; as they are where they stand between what is around them already."""
    if spot.like is not None:
        return reindented(texts, file.lines[file.nodes[spot.like].head])
    if spot.lead is None or not texts:
        return texts
    widths = [*map(width_of, written((*file.lines[: spot.at][-3:], *file.lines[spot.at : spot.at + 2])))]
    is_between = min(widths, default=0) < depth(texts[0]) <= max(widths, default=0)
    return texts if is_between else reindented(texts, f"{spot.lead}.")


def reindented(texts: tuple[str, ...], place: str, first: int = 0) -> tuple[str, ...]:
    """Lines moved so that the first one, or another, is indented like `place`; as they are where that cannot be done
    evenly."""
    have, want = lead_of("".join(texts[first : first + 1])), lead_of(place)
    if want.endswith(have):
        less, more = "", want.removesuffix(have)
    elif have.endswith(want):
        less, more = have.removesuffix(want), ""
    else:
        return texts
    if not all(text.startswith(less) for text in written(texts)):
        return texts
    return tuple(more + text.removeprefix(less) if text.strip() else text for text in texts)


def evened(texts: Sequence[str], known: Known) -> Sequence[str]:
    """Lines that are to be moved to the right, as the outermost ones tell; those that stand too deep below them and as
    in the file are moved to the left first."""
    outer = outermost(written(texts), known)
    moves = {min(known.leads[text.strip()]).removesuffix(lead_of(text)) for text in outer}
    moved = moves.pop() if len(moves) == 1 else ""
    out = [*texts]
    for run in _too_deep(texts, moved, known) if moved else ():
        lines = [texts[at] for at in run]
        if any(_is_placed(line, known) for line in lines) and all(line.startswith(moved) for line in lines):
            out[run[0] : run[-1] + 1] = [text.removeprefix(moved) for text in texts[run[0] : run[-1] + 1]]
    return out


def _too_deep(texts: Sequence[str], moved: str, known: Known) -> Iterator[list[int]]:
    """Runs of lines that stand below a line of the file that opens nothing, or by more than a step below one that does;
    with what is in them."""
    around: list[tuple[int, int]] = []  # the lines that a line stands in, and how many brackets are open before them
    run: list[int] = []
    level = top = 0
    for at in written_places(texts):
        text, width = texts[at], width_of(texts[at])
        while around and width_of(texts[around[-1][0]]) >= width:
            around.pop()
        outer, before = around[-1] if around else (at, 0)
        opens = texts[outer].rstrip().endswith(_OPEN)
        is_known = moved + lead_of(texts[outer]) in known.leads.get(texts[outer].strip(), ())
        is_deep = width - width_of(texts[outer]) > len(known.step) * opens and (opens or level <= before)
        if is_known and is_deep:
            run, top = [*run, at], width
        elif run and width >= top:
            run.append(at)
        elif run:
            yield run
            run = []
        around.append((at, level))
        level += sum(unclosed([text]).values()) * (not is_comment(text))
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
    pairs = _same(old, new)
    leads = {lead_of(new[at]): lead_of(text) for at, text in pairs.items()}
    come = written(text for at, text in enumerate(new) if at not in pairs)
    is_moved = (
        _shift([(text, new[at]) for at, text in pairs.items()]) and sum(map(is_telling, pairs.values())) >= _LEAST
    )
    others = [*come, *(text for text in old if text not in pairs.values())]
    if not come or not is_moved or any(map(_opens, others)) or not leads.keys() >= {*map(lead_of, come)}:
        return new
    return [leads[lead_of(text)] + text.lstrip() if text.strip() else text for text in new]


def _same(old: Sequence[str], new: Sequence[str]) -> dict[int, str]:
    """The lines of the file that new ones are, by the place of these, whatever their depth and separator."""
    there, shown = ([text.strip().rstrip(";,") for text in lines] for lines in (old, new))
    return {at: old[place] for place, at in equal_pairs(there, shown) if shown[at]}


def _shift(pairs: Sequence[tuple[str, str]]) -> int:
    """By how much the first of each pair of lines stands deeper than the second; 0 where they do not differ alike."""
    found = {width_of(old) - width_of(new) for old, new in pairs}
    return found.pop() if len(found) == 1 else 0


def _moved_back(old: Sequence[str], new: Sequence[str]) -> Sequence[str] | None:
    """As many lines as the file has there that are all moved by as much, moved back."""
    pairs = list(zip(old, new, strict=False))
    is_moved = len(old) == len(new) and _shift([pair for pair in pairs if pair[1].strip()])
    return [lead_of(one) + other.lstrip() if other.strip() else other for one, other in pairs] if is_moved else None


def _opens(text: str) -> bool:
    """Whether a line opens something, or closes what another one opens."""
    return text.rstrip().endswith(_OPEN) or any(unclosed([text]).values())
