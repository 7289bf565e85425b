"""In: a `Prompt` and a completions server that takes ids. Out: chunks, drafts verified by echo."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from redraft.draft import Origin
from redraft.draft.drafter import EditDrafter
from redraft.draft.loop import Accepted
from redraft.edit.prompts.prompt import Part, Prompt
from redraft.engines import Chunk, Sampling
from redraft.engines.abandon import before_forward
from redraft.engines.chunks import chunks
from redraft.engines.completions_server import CompletionsServer, NoEchoError, Said
from redraft.engines.endpoint import NotTakenError
from redraft.engines.folder import Folder
from redraft.engines.reading import TokenReader
from redraft.engines.room import room

if TYPE_CHECKING:
    from redraft.engines.tokens import Tokens

# Tokens in a row that the server writes as expected before the rest is sent to be verified, twice as many after each
# draft that failed; and how many the rest has to be: each request costs the server its whole prompt.
SURE, WORTH = 8, 32


@dataclass
class Bill:
    """What the requests so far cost, in tokens as the server counts them."""

    requests: int = 0
    read: int = 0
    written: int = 0

    def take(self, chunk: Chunk) -> Chunk:
        """The chunk with what it cost: its requests as forwards; `prompt_tokens` is the sum of all until now."""
        paid = replace(chunk, forwards=self.requests, prompt_tokens=self.read, completion_tokens=self.written)
        self.requests = self.written = 0
        return paid


@dataclass(frozen=True)
class ById:
    """A server, and the tokenizer of its model, whose end tokens are known; `context` is None where nothing says."""

    server: CompletionsServer
    tokens: "Tokens"
    folder: Folder
    context: int | None

    def chunks(self, prompt: Prompt, sampling: Sampling, echo: bool) -> Iterator[Chunk]:
        """Raises NotTakenError before the first chunk where the server does not take ids, or does not echo them."""
        prompt_ids = self.tokens.open(prompt.parts, prompt.messages)
        sources = [(source.origin, self.tokens.encode(source.parts)) for source in prompt.sources]
        most = room(prompt, len(prompt_ids), [len(ids) for _, ids in sources], self.context, sampling.max_tokens)
        writing = _Writing(self, prompt, prompt_ids, EditDrafter(sources), sampling, most)
        reader, end_ids = TokenReader(self.tokens, prompt_ids), self.folder.end_ids()
        finish = ""
        for chunk in chunks(writing.forwards(echo), reader, prompt.stop, end_ids, most, len(prompt_ids)):
            finish = chunk.finish
            yield writing.bill.take(chunk if writing.is_spelled else replace(chunk, ids=(), origins=(), margins=()))
        if not finish:  # the server has a limit of its own
            yield Chunk((("model", reader.flush()),), (), (), (), 0, 0, 0, "length", writing.bill.read, 0)

    def rank(self, prompt: Prompt, texts: Sequence[str]) -> list[float]:
        """The log-probability of each text after the prompt, and of what closes it."""
        before = self.tokens.open(prompt.parts, prompt.messages)
        end = [] if prompt.stop else [min(self.folder.end_ids())]
        closing = prompt.stop[0] if prompt.stop else ""
        return [self._weight(before, [*self.tokens.encode((Part(text + closing),)), *end]) for text in texts]

    def _weight(self, before: list[int], ids: list[int]) -> float:
        before_forward()
        tokens = self.server.echo([*before, *ids]).tokens[len(before) : len(before) + len(ids)]
        if len(tokens) < len(ids):
            raise NoEchoError
        return sum(token.log_probability or 0.0 for token in tokens)


class _Writing:
    """One output; `is_spelled` is whether its ids are known to be those of the server."""

    def __init__(
        self, way: ById, prompt: Prompt, prompt_ids: list[int], drafter: EditDrafter, sampling: Sampling, most: int
    ) -> None:
        self._server, self._tokens, self._end_ids = way.server, way.tokens, way.folder.end_ids()
        self._stop, self._prompt_ids, self._drafter = prompt.stop, prompt_ids, drafter
        self._sampling, self._most = sampling, most
        self._output: list[int] = []
        self._sure = SURE
        self._broke_off = False
        self.bill, self.is_spelled = Bill(), True

    def forwards(self, echo: bool) -> Iterator[Accepted]:
        """What each answer adds, through the end token; with `echo` as much as can be is verified, not written."""
        while True:
            draft = self._draft() if echo and self.is_spelled else []
            if draft:
                try:
                    verified = self._verified(draft)
                except NotTakenError:
                    if not self._output:
                        raise
                    echo = False
                    continue
                if verified.ids:
                    yield self._added(verified)
                if self._is_done():
                    return
                self._sure *= 1 if verified.accepted >= WORTH else 2
                # What is drawn is verified greedily as far as that holds, once.
                echo = echo and not self._sampling.temperature
            yield from self._streamed(until_sure=echo)
            if not self._broke_off:
                return

    def _draft(self) -> list[int]:
        return list(self._drafter.draft(self._output, self._most - len(self._output) - 1))

    def _is_done(self) -> bool:
        return len(self._output) >= self._most or bool(self._output and self._output[-1] in self._end_ids)

    def _added(self, added: Accepted) -> Accepted:
        self._output += added.ids
        return added

    def _verified(self, draft: list[int]) -> Accepted:
        """What the server stands for; nothing where it is torn between two tokens at the first."""
        before_forward()
        origins, sent = self._drafter.origins(), [*self._prompt_ids, *self._output, *draft]
        said = self._server.echo(sent)
        self._count(said, len(sent), 1)
        tokens, first = said.tokens, len(sent) - len(draft)
        others = sum(token.id not in (None, known) for token, known in zip(tokens, sent, strict=False))
        if not 0 <= len(tokens) - len(sent) <= 1 or others:
            raise NoEchoError
        accepted = next((n for n in range(len(draft)) if not tokens[first + n].is_best), len(draft))
        ended = next((n + 1 for n, token in enumerate(draft[:accepted]) if token in self._end_ids), None)
        if ended is None:
            ids = [*draft[:accepted], *self._own(said, first + accepted, accepted == len(draft))]
        else:
            ids, accepted = draft[:ended], ended
        margins = [token.margin for token in tokens[first : first + len(ids)]]
        margins += [0.0] * (len(ids) - len(margins))
        own = _own_origins(len(ids) - accepted)
        return Accepted(tuple(ids), (*origins[:accepted], *own), tuple(margins), len(draft), accepted)

    def _own(self, said: Said, place: int, is_written: bool) -> list[int]:
        """The id that the server would write, or wrote, at a place; none where it does not say."""
        tokens = said.tokens[place : place + 1]
        named = [token if is_written else token.best for token in tokens]
        found = [token.id for token in named if token is not None]
        ids = [token for token in found if token is not None]
        return [min(self._end_ids)] if is_written and said.finish == "stop" and not ids else ids

    def _streamed(self, until_sure: bool) -> Iterator[Accepted]:
        """What the server writes by itself, to the end, or until it has done what was expected for long enough."""
        agreed, self._broke_off = 0, False
        sent = [*self._prompt_ids, *self._output]
        most = self._most - len(self._output)
        self._count(None, len(sent), 0)
        with closing(self._server.stream(sent, most, self._sampling, self._stop)) as pieces:
            for said in pieces:
                before_forward()
                ids = self._ids(said)
                if not ids:
                    continue
                agreed = agreed + len(ids) if self._drafter.draft(self._output, len(ids)) == ids else 0
                self.bill.written += len(said.tokens) or 1
                margins = tuple(token.margin for token in said.tokens[: len(ids)])
                margins += (0.0,) * (len(ids) - len(margins))
                yield self._added(Accepted(tuple(ids), _own_origins(len(ids)), margins, 0, 0))
                if self._is_done():
                    return
                if until_sure and self.is_spelled and agreed >= self._sure and len(self._draft()) >= WORTH:
                    self._broke_off = True
                    return

    def _ids(self, said: Said) -> list[int]:
        """The ids of a piece, an end token behind them where the server says that it ended."""
        ids = [token.id for token in said.tokens if token.id is not None]
        if len(ids) < len(said.tokens) or (said.text and not ids):
            self.is_spelled = False
            ids = self._tokens.encode((Part(said.text),)) if said.text else []
        has_ended = said.finish == "stop" and not (ids and ids[-1] in self._end_ids)
        return [*ids, min(self._end_ids)] if has_ended else ids

    def _count(self, said: Said | None, read: int, written: int) -> None:
        self.bill.requests += 1
        self.bill.read += said.prompt_tokens if said and said.prompt_tokens else read
        self.bill.written += said.completion_tokens if said and said.completion_tokens else written


def _own_origins(count: int) -> tuple[Origin, ...]:
    own: Origin = "model"
    return (own,) * count
