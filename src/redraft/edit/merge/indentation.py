"""In: lines of an answer, and where they go. Out: the lines indented as what stands there."""

from collections.abc import Sequence

from redraft.edit.align.likeness import indent
from redraft.edit.align.spelling import lead_of
from redraft.edit.merge.insertion import Spot
from redraft.edit.outline import Outline
from redraft.edit.text.lines import is_comment


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


def foreign_lead(lines: Sequence[str]) -> str:
    """What no line is indented with, where some are: a tab, or blanks."""
    leads = [lead for line in lines if len(lead := lead_of(line)) > (lead[:1] == " ") and not is_comment(line)]
    return "" if len({lead[0] for lead in leads}) != 1 else "\t" if leads[0][0] == " " else "  "
