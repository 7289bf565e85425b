"""In: the lines of a hunk, and the index of the original. Out: which original lines new ones at its ends may change.

New lines above the first line that the original has once, or below the last one, are versions of what stands there, if
they are spelled alike: less alike than lines that are found again anywhere.
"""

from collections.abc import Iterable, Mapping, Sequence

from redraft.edit.align.candidates import Index
from redraft.edit.align.likeness import LONG_LINE, TELLING, Head, head, indent, weight
from redraft.edit.text.lines import ratio

_ALIKE = 0.6
_GAIN = 60  # for a line that is the same
_LISTED = ("import", "from", "use", "using", "include", "require", "export", "case", "when", "return", *"#-@<*|")
_OPENING = ("{", "(", "[", ":", "do", "then")
_FEW = 4  # new lines at an end of a hunk; more are code of their own
_REACH = 3  # lines by which there may be more in the original than in the hunk


def beside_anchors(texts: Sequence[str], found: Index) -> Mapping[int, Mapping[int, int]]:
    """For each line of the hunk, by its place, the gain of each line of the original that it may change."""
    anchors = [(at, place) for at, text in enumerate(texts) if (place := _anchor(text, found)) is not None]
    if not anchors:
        return {}
    out: dict[int, dict[int, int]] = {}
    first, last = anchors[0], anchors[-1]
    above = range(max(0, first[1] - first[0] - _REACH), first[1])
    behind = len(texts) - 1 - last[0]
    below = range(last[1] + 1, min(len(found.lines), last[1] + 1 + behind + _REACH))
    for new, old in ((range(first[0]), above), (range(last[0] + 1, len(texts)), below)):
        opens = any(texts[at].rstrip().endswith(_OPENING) for at in new)
        for at in new if len(new) <= _FEW else ():
            if gains := dict(_versions(texts[at], old, found, opens)):
                out[at] = gains
    return out


def _anchor(text: str, found: Index) -> int | None:
    """The line of the original that tells where a line stands: the one that is the same."""
    places = found.texts.get(text.strip(), [])
    return places[0] if len(places) == 1 and weight(text.strip()) >= TELLING else None


def _versions(text: str, places: Iterable[int], found: Index, opens: bool) -> list[tuple[int, int]]:
    """The lines that a line may change: what opens nothing may be one more of those that begin alike."""
    if text.strip() in found.texts or len(text) > LONG_LINE or not text.strip():
        return []
    about = head(text.strip())
    alike = (
        (at, ratio(text.strip(), found.lines[at].strip()))
        for at in places
        if found.indents[at] == indent(text)
        and _may_be(about, own := head(found.lines[at].strip()))
        and (opens or len(found.heads[own]) == 1)
    )
    return [(at, int(_GAIN * share)) for at, share in alike if share >= _ALIKE]


def _may_be(new: Head, old: Head) -> bool:
    """Whether one line may be another one changed; what declares, sets, calls or imports something is one more."""
    return all(each.kind == "word" and each.name not in _LISTED for each in (new, old))
