"""In: answers with their files before and after. Out: what a model is shown of each, and what it is to write."""

from dataclasses import dataclass
from typing import Protocol

from redraft.edit.prompts.prompt import Part
from redraft.edit.prompts.regional import asked, spelled
from redraft.edit.region.shown import shown
from redraft.edit.request import Request


class Answered(Protocol):
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


def region_sample(repository: str, answered: Answered) -> RegionSample | Outside:
    original, expected = (text.replace("\r\n", "\n") for text in (answered.original, answered.expected))
    request = Request(original, answered.update, str(getattr(answered, "instruction", "")), answered.path)
    found = shown(request)
    texts = found.of(expected)
    if texts is None:
        return Outside(answered.id, answered.style)
    output = spelled(request, found, texts)
    size = sum(len(part.text.encode()) for part in output if not part.special)
    return RegionSample(answered.id, repository, answered.style, asked(request, found), output, size)
