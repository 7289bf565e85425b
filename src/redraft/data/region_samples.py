"""In: answers with their files before and after. Out: what a model is shown of each, and what it is to write."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from redraft.edit.answer.answer import parse
from redraft.edit.outline.outline import outline
from redraft.edit.prompts.prompt import Part
from redraft.edit.prompts.regional import regional, spelled
from redraft.edit.region.select import Region, select
from redraft.edit.request import Request
from redraft.edit.text.changes import line_changes, split_lines


class Told(Protocol):
    """An edit and how it was told."""

    @property
    def id(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def original(self) -> str: ...
    @property
    def update(self) -> str: ...
    @property
    def expected(self) -> str: ...
    @property
    def style(self) -> str: ...


@dataclass(frozen=True)
class RegionSample:
    """`prompt` and `output` are spelled in parts; `bytes` is the size of what is written; `style` says who told it."""

    id: str
    repository: str
    style: str
    prompt: tuple[Part, ...]
    output: tuple[Part, ...]
    bytes: int


@dataclass(frozen=True)
class Outside:
    """An edit that changes something outside of the regions: no model that is shown them can write it."""

    id: str
    style: str


def region_samples(told: Iterable[tuple[str, Told]]) -> Iterator[RegionSample | Outside]:
    """One for each edit, by the name of its repository."""
    for repository, one in told:
        yield region_sample(repository, one)


def region_sample(repository: str, told: Told) -> RegionSample | Outside:
    original, expected = (text.replace("\r\n", "\n") for text in (told.original, told.expected))
    lines, new = split_lines(original), split_lines(expected)
    instruction = str(getattr(told, "instruction", ""))
    request = Request(original, told.update, instruction, told.path)
    regions = select(lines, parse(told.update, lines, told.path), told.path, instruction)
    texts = rewritten(lines, new, regions)
    if texts is None:
        return Outside(told.id, told.style)
    prompt = regional(request, lines, regions, outline(lines, told.path).scopes())
    output = spelled(texts)
    size = sum(len(part.text.encode()) for part in output if not part.special)
    return RegionSample(told.id, repository, told.style, prompt, output, size)


def rewritten(lines: list[str], new: list[str], regions: Iterable[Region]) -> list[list[str]] | None:
    """The lines of each region in the new file; None where it changes anything else."""
    changes, found, shift = line_changes(lines, new), list[list[str]](), 0
    seen = 0
    for region in regions:
        own = [change for change in changes if region.start <= change.start and change.end <= region.end]
        grown = sum(change.after_end - change.after_start - change.end + change.start for change in own)
        found.append(new[region.start + shift : region.end + shift + grown])
        shift, seen = shift + grown, seen + len(own)
    return found if seen == len(changes) and found else None
