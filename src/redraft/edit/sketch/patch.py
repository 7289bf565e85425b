"""In: stretches of a file and what stands there instead. Out: the file with all of them, if they do not cross."""

from collections.abc import Iterable, Sequence

from msgspec import Struct


class Doubt(Exception):  # noqa: N818
    """Two readings are as good, or what is shown gives no licence for what it would change; the text says where."""


class Firm(Doubt):
    """One that no other way to take the block lifts."""


class Patch(Struct, frozen=True):
    """The lines from `start` to before `end`, counted from 0, become `lines`; where they are equal, lines come in."""

    start: int
    end: int
    lines: tuple[str, ...]


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
