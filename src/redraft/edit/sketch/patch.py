"""In: stretches of a file and what stands there instead. Out: the file with all of them, if they do not cross."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from redraft.edit.text.lines import width_of


class Doubt(Exception):  # noqa: N818
    """Two readings are as good, or what is shown gives no licence for what it would change; the text says where."""


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
    own = [line.strip() for line in shown if line.strip()]
    held = [(at, line.strip()) for at, line in enumerate(lines) if line.strip()]
    texts = [text for _, text in held]
    found = [at for at in range(len(held) - len(own) + 1) if texts[at : at + len(own)] == own]
    if len(found) != 1 or not own:
        raise Doubt("what the words take out stands at several places, or at none")
    start, end = held[found[0]][0], held[found[0] + len(own) - 1][0] + 1
    is_blank_above = start == 0 or not lines[start - 1].strip()
    below = next((at for at in range(end, len(lines)) if lines[at].strip()), len(lines))
    if is_blank_above and below > end:
        return Patch(start, below, ())
    if is_blank_above and (end == len(lines) or width_of(lines[end]) < width_of(lines[start])):
        start = next((at for at in range(start, 0, -1) if lines[at - 1].strip()), 0)
    return Patch(start, end, ())


def patched(lines: Sequence[str], patches: Iterable[Patch]) -> list[str]:
    """The lines with all patches; those at one place come in their order. Raises Doubt where two cross."""
    out: list[str] = []
    at = 0
    for patch in sorted(patches, key=lambda patch: (patch.start, patch.end)):
        if patch.start < at:
            raise Doubt(f"two parts of the answer change line {patch.start + 1} of the file")
        out += [*lines[at : patch.start], *patch.lines]
        at = patch.end
    return [*out, *lines[at:]]
