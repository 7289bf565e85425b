"""In: lines of a block and of a file. Out: these lines, the file's own in its tabs or blanks where others are shown.

A block that mixes tabs and blanks, for a file that does not, has slipped: a tab may stand for as many blanks as fit.
"""

from collections.abc import Sequence
from itertools import groupby, pairwise

from redraft.edit.align.likeness import form

_WIDTHS = (2, 4, 8)  # blanks that a tab may stand for
_OPENING = ("{", "(", "[", ":", "do", "then", "=>", "->")
_CLOSING = ("}", ")", "]", "end", "fi", "done", "</", "else", "elif", "except", "catch", "finally")


def at_home(texts: Sequence[str], file: Sequence[str]) -> list[str]:
    """The lines in the signs of the file; as they are where it mixes them, too, or all that is shown has other ones."""
    leads = [lead for line in file if (lead := _lead(line))]
    has_tabs = any("\t" in lead for lead in leads)
    own = "\t" if has_tabs else " "
    is_mixed = has_tabs and any(_is_foreign(lead, own) for lead in leads)
    written = [_lead(text) for text in texts]
    is_slip = any(_is_foreign(lead, own) for lead in written)
    is_slip = is_slip and any(lead and not _is_foreign(lead, own) for lead in written)
    return _resolved(texts, file, own) if leads and is_slip and not is_mixed else list(texts)


def with_lists(texts: Sequence[str], file: Sequence[str]) -> list[str]:
    """Lines of YAML, in which lists may stand as deep as their keys or deeper: as deep as those of the file do, where
    all that are shown stand otherwise."""
    wanted, shown = ({width for _, width in _lists(lines)} for lines in (file, texts))
    out = list(texts)
    if len(wanted) != 1 or len(shown) != 1 or wanted == shown:
        return out
    for first, width in _lists(texts):
        depth, more = len(_lead(texts[first])), wanted.copy().pop() - width
        for at in range(first, len(texts)):
            lead = len(_lead(texts[at]))
            if texts[at].strip() and (lead < depth or (lead == depth and not texts[at].lstrip().startswith("- "))):
                break
            out[at] = " " * more + out[at] if more > 0 and out[at].strip() else out[at][-min(more, 0) :]
    return out


def _lists(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Where a list begins below its key, and how much deeper."""
    written = [at for at, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")]
    pairs = [(lines[above], at, lines[at]) for above, at in pairwise(written)]
    keys = [(key, at, line) for key, at, line in pairs if key.endswith(":") and line.lstrip().startswith("- ")]
    return [(at, len(_lead(line)) - len(key) + len(key.lstrip("- "))) for key, at, line in keys]


def _resolved(texts: Sequence[str], file: Sequence[str], own: str) -> list[str]:
    there: dict[str, set[str]] = {}
    for line in file:
        there.setdefault(form(line), set()).add(_lead(line))
    unit = own if own == "\t" else _unit(file)
    out: list[str] = []
    for is_slip, run in groupby(texts, key=lambda text: _is_foreign(_lead(text), own)):
        lines = list(run)
        below = texts[len(out) + len(lines) :]
        ways = [[way for way in _ways(_lead(text), own) if way in there.get(form(text), ())] for text in lines]
        if not is_slip or not all(ways):  # what the file has nowhere may be meant so
            out += lines
            continue
        for text, known in zip(lines, ways, strict=True):
            wanted = _expected(out, text, below, len(unit))
            out.append(min(known, key=lambda way: abs(len(way) - wanted)) + text.lstrip())
    return out


def _ways(lead: str, own: str) -> list[str]:
    """What an indentation may stand for in the signs of the file."""
    if own == " ":
        return list({lead.replace("\t", " " * width): None for width in _WIDTHS})
    tabs, blanks = lead.count("\t"), lead.count(" ")
    found = [own * (tabs + blanks // width) for width in reversed(_WIDTHS) if blanks % width == 0]
    return found or [own * (tabs + -(-blanks // _WIDTHS[1]))]


def _expected(above: Sequence[str], text: str, below: Sequence[str], unit: int) -> int:
    """How wide a line is likely to be indented below others, or above where it is the first."""
    over, under = (next(filter(str.strip, lines), None) for lines in (reversed(above), below))
    if over is not None:
        return len(_lead(over)) + unit * (_opens(over) - text.lstrip().startswith(_CLOSING))
    return len(_lead(under)) - unit * _opens(text) if under is not None else 0


def _opens(text: str) -> bool:
    return text.rstrip().endswith(_OPENING)


def _unit(file: Sequence[str]) -> str:
    """The least step by which lines of the file are indented more than those above."""
    leads = [_lead(line) for line in file if line.strip()]
    steps = [len(lead) - len(last) for last, lead in pairwise(leads) if len(lead) > len(last) + 1]
    return " " * min(steps, default=_WIDTHS[1])


def _is_foreign(lead: str, own: str) -> bool:
    """Whether an indentation has signs that are not the file's; one blank aligns comments anywhere."""
    return "\t" in lead if own == " " else lead.startswith("  ")


def _lead(text: str) -> str:
    return text[: len(text) - len(text.lstrip())] if text.strip() else ""
