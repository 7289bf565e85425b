"""In: answers with their files before and after. Out: the texts that a model chooses among, and their worth."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from redraft.choosing import listed
from redraft.data.region_samples import Answered, Outside
from redraft.edit.prompts.prompt import Part
from redraft.edit.prompts.regional import asked, spelled
from redraft.edit.region.shown import shown
from redraft.edit.request import Request
from redraft.reading import is_settled, merged
from redraft.writing import as_read

RIGHT, REFUSED, WRONG = 1.0, 0.3, -1.0  # what a text is worth; to keep the file as it is counts as refusing
Own = Callable[[Request], Iterable[str]]  # texts of a model's own


@dataclass(frozen=True)
class ListSample:
    """What a model is shown, what it may choose, spelled in parts, and what each of these is worth."""

    id: str
    repository: str
    style: str
    prompt: tuple[Part, ...]
    outputs: tuple[tuple[Part, ...], ...]
    rewards: tuple[float, ...]


@dataclass(frozen=True)
class Settled:
    """An edit about which no model is asked."""

    id: str
    style: str


def list_sample(
    repository: str, answered: Answered, is_right: Callable[[str], bool], own: Own | None = None
) -> ListSample | Settled | Outside:
    """The list that is looked at in doubt, with texts of a model's `own`; the file as it is at its end."""
    request = _request(answered)
    if is_settled(merged(request)):
        return Settled(answered.id, answered.style)
    more = [text for text in own(request) if shown(request).of(text) is not None] if own else []
    return _listed(repository, answered, request, is_right, [*more, *listed(request)])


def veto_sample(repository: str, answered: Answered, is_right: Callable[[str], bool]) -> ListSample | Settled | Outside:
    """The list of an edit that the reader writes; its text comes first."""
    request = _request(answered)
    found = merged(request)
    if found.status != "applied" or found.decided_by == "format" or found.output is None:
        return Settled(answered.id, answered.style)
    return _listed(repository, answered, request, is_right, [found.output, *listed(request)])


def _request(answered: Answered) -> Request:
    return as_read(
        Request(answered.original, answered.update, str(getattr(answered, "instruction", "")), answered.path)
    )[1]


def _listed(
    repository: str, answered: Answered, request: Request, is_right: Callable[[str], bool], changing: Iterable[str]
) -> ListSample | Outside:
    found = shown(request)
    texts = [*(text for text in dict.fromkeys(changing) if text != request.original), request.original]
    pieces = [found.of(text) for text in texts] if found.regions and len(texts) > 1 else []
    outputs = tuple(spelled(request, found, piece) for piece in pieces if piece is not None)
    if not outputs or len(outputs) < len(texts):
        return Outside(answered.id, answered.style)
    rewards = [RIGHT if is_right(text) else WRONG for text in texts[:-1]]
    rewards.append(RIGHT if is_right(request.original) else REFUSED)
    return ListSample(answered.id, repository, answered.style, asked(request, found), outputs, tuple(rewards))
