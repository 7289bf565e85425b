"""In: a request. Out: what of its file a model is shown, and the file with that written anew."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec import Struct

from redraft.edit.answer.answer import parse
from redraft.edit.outline.outline import outline
from redraft.edit.region.select import Region, select
from redraft.edit.request import Request
from redraft.edit.text.changes import line_changes, split_lines


class Shown(Struct, frozen=True):
    """The file's lines and its regions in order, with the name of what each begins in."""

    lines: tuple[str, ...]
    regions: tuple[Region, ...]
    scopes: tuple[str, ...]

    @property
    def texts(self) -> list[Sequence[str]]:
        """The lines of each region."""
        return [self.lines[region.start : region.end] for region in self.regions]

    @property
    def headers(self) -> list[str]:
        """The number of each region's first line and what that lies in."""
        pairs = zip(self.regions, self.scopes, strict=True)
        return [f"{region.start + 1} {' '.join(scope.split())}".rstrip() for region, scope in pairs]

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
    scopes = outline(lines, request.place).scopes()
    return Shown(tuple(lines), regions, tuple(scopes[region.start] if scopes else "" for region in regions))


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
