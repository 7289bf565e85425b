"""In: a request. Out: what of its file a model is shown, and the file with that written anew."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec import Struct

from redraft.edit.answer.answer import parse
from redraft.edit.region.select import Region, select
from redraft.edit.request import Request
from redraft.edit.text.changes import line_changes, split_lines


class Shown(Struct, frozen=True):
    """The file's lines and its regions in order."""

    lines: tuple[str, ...]
    regions: tuple[Region, ...]

    @property
    def texts(self) -> list[Sequence[str]]:
        """The lines of each region."""
        return [self.lines[region.start : region.end] for region in self.regions]

    @property
    def separators(self) -> list[str]:
        """What stands for the lines before, between and after the regions; nothing where there are none."""
        borders = [0, *(at for region in self.regions for at in (region.start, region.end)), len(self.lines)]
        gaps = zip(borders[::2], borders[1::2], strict=True)
        return [f"[[ lines {start + 1} to {end} ]]" if start < end else "" for start, end in gaps]

    def of(self, version: str) -> list[list[str]] | None:
        """The lines of each region in another version of the file; None where it changes anything else."""
        return rewritten(self.lines, split_lines(version), self.regions)

    def file(self, original: str, texts: Sequence[Sequence[str]]) -> str:
        """The file with these lines in the places of the regions; it ends as it did."""
        found, at = list[str](), 0
        for region, text in zip(self.regions, texts, strict=True):
            found += [*self.lines[at : region.start], *text]
            at = region.end
        found += self.lines[at:]
        return "\n".join(found) + ("\n" if original.endswith("\n") and found else "")


# The template and who reads what was written ask for the same.
@lru_cache(maxsize=8)
def shown(request: Request) -> Shown:
    """No region where the answer tells no place, or one that is too large to be written anew."""
    lines = split_lines(request.original)
    regions = select(lines, parse(request.update, lines, request.place), request.place, request.instruction)
    return Shown(tuple(lines), regions)


def rewritten(lines: Sequence[str], new: Sequence[str], regions: Iterable[Region]) -> list[list[str]] | None:
    """The lines of each region in the new file; None where it changes anything else."""
    changes, found = line_changes(lines, new), list[list[str]]()
    shift = seen = 0
    for region in regions:
        own = [change for change in changes if region.start <= change.start and change.end <= region.end]
        grown = sum(change.after_end - change.after_start - change.end + change.start for change in own)
        found.append([*new[region.start + shift : region.end + shift + grown]])
        shift, seen = shift + grown, seen + len(own)
    return found if seen == len(changes) and found else None
