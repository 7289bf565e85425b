"""In: stretches of a file and what stands there instead. Out: the file with all of them, if they do not cross."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from redraft.edit.text.lines import stripped, width_of


class Doubt(Exception):  # noqa: N818
    """Two readings are as good, or what is shown gives no licence for what it would change; the text says why."""


class Firm(Doubt):
    """One that no other way to take the block lifts."""


class Patch(Struct, frozen=True):
    """The lines from `start` to before `end`, counted from 0, become `lines`; where they are equal, lines come in."""

    start: int
    end: int
    lines: tuple[str, ...]


def taken_out(lines: Sequence[str], shown: Sequence[str]) -> Patch:
    """The patch that takes out the lines shown, which stand in a row, with the blank lines on one side of them.

    Raises Doubt where they stand at several places, or at none.
    """
    own = stripped(shown)
    found = runs(own, lines)
    if len(found) != 1:
        raise Doubt("what the words take out stands at several places, or at none")
    places = [-1, *(at for at, line in enumerate(lines) if line.strip()), len(lines)]
    above, start, *_ = places[found[0] :]
    last, below = places[found[0] + len(own) :][:2]
    end = last + 1
    if start > 0 and above == start - 1:
        return Patch(start, end, ())
    if below > end:
        return Patch(start, below, ())
    is_last = end == len(lines) or width_of(lines[end]) < width_of(lines[start])
    return Patch(above + 1 if is_last else start, end, ())


def runs(own: Sequence[str], lines: Sequence[str]) -> list[int]:
    """At which written lines the same ones follow each other, blank lines and indentation left out."""
    held = stripped(lines)
    return [at for at in range(len(held) - len(own) + 1) if own and held[at : at + len(own)] == own]


def patched(lines: Sequence[str], patches: Iterable[Patch]) -> list[str]:
    """The lines with all patches; those at one place come in their order. Raises Doubt where two cross."""
    out: list[str] = []
    at = 0
    for patch in sorted(patches, key=lambda patch: (patch.start, patch.end)):
        if patch.start < at:
            raise Doubt("two parts of the answer change the same line")
        out += [*lines[at : patch.start], *patch.lines]
        at = patch.end
    return [*out, *lines[at:]]


def written_end(lines: Sequence[str]) -> int:
    """Where the last line that is not blank ends."""
    text = "\n".join(lines).rstrip()
    return text.count("\n") + bool(text)
