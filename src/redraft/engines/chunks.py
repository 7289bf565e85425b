"""In: what each forward added. Out: `Chunk`s with its text, up to an end token, a stop string or the limit."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Protocol

from redraft.draft import Origin
from redraft.draft.loop import Accepted
from redraft.engines import Chunk, Finish
from redraft.engines.stop import Stop


class Reader(Protocol):
    """Turns ids into text as they come; what is in the middle of a character is held back."""

    def feed(self, ids: Sequence[int]) -> str: ...

    def flush(self) -> str: ...


def chunks(
    forwards: Iterable[Accepted],
    reader: Reader,
    stop_strings: tuple[str, ...],
    end_ids: Collection[int],
    max_tokens: int,
    prompt_tokens: int,
) -> Iterator[Chunk]:
    """One chunk a forward; ids after the one that completes a stop string are left out."""
    stop = Stop(stop_strings)
    written = 0
    for added in forwards:
        runs = list(_read(added, reader, stop))
        count = sum(run.ids for run in runs)
        written += count
        done = stop.stopped or added.ids[count - 1] in end_ids
        finish: Finish = "stop" if done else "length" if written == max_tokens else ""
        if finish and not stop.stopped:
            runs.append(_Run("model", stop.feed(reader.flush()) + stop.flush(), 0))
        yield Chunk(
            tuple((run.origin, run.text) for run in runs if run.text),
            added.ids[:count],
            added.origins[:count],
            added.margins[:count],
            drafted=added.drafted,
            accepted=min(added.accepted, count),
            forwards=1,
            finish=finish,
            prompt_tokens=prompt_tokens,
            logprobs=added.logprobs[:count],
        )
        if finish:
            return


@dataclass(frozen=True)
class _Run:
    """Text from `ids` ids in a row that have one origin."""

    origin: Origin
    text: str
    ids: int


def _read(added: Accepted, reader: Reader, stop: Stop) -> Iterator[_Run]:
    """The runs of what a forward added, through the id that completes a stop string."""
    for origin, group in groupby(zip(added.origins, added.ids, strict=True), key=itemgetter(0)):
        ids = [token for _, token in group]
        text, count = _until_stop(ids, reader, stop) if stop.strings else (reader.feed(ids), len(ids))
        yield _Run(origin, text, count)
        if stop.stopped:
            return


def _until_stop(ids: Sequence[int], reader: Reader, stop: Stop) -> tuple[str, int]:
    """The text that may be shown and the number of ids, through the id that completes a stop string."""
    text = ""
    for count, token in enumerate(ids, 1):
        text += stop.feed(reader.feed((token,)))
        if stop.stopped:
            return text, count
    return text, len(ids)
