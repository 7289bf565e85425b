"""In: a `Prompt` and a completions server whose tokenizer is not known. Out: chunks, drafts verified by echo, as text.

What the server said stays what it says only while it cuts the text that it is sent into the same tokens: that is looked
at in each answer. Where it cuts otherwise, it is asked for everything from the start, without drafts.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import product

from redraft.draft import Origin
from redraft.draft.drafter import EditDrafter
from redraft.edit.prompts.prompt import Part, Prompt
from redraft.engines import Chunk, Finish, Sampling
from redraft.engines.abandon import before_forward
from redraft.engines.completions_ids import WORTH, Bill
from redraft.engines.completions_server import CompletionsServer, NoEchoError, Said, Token
from redraft.engines.endpoint import NoAnswerError
from redraft.engines.reading import NO_CHAT
from redraft.engines.stop import Stop
from redraft.errors import RedraftError

# As models spell them; a server reads such a text as the token.
_SPECIAL = re.compile(r"<\|[^<>|\s]{1,40}\|>|</?s>|<(?:bos|eos|pad|unk|start_of_turn|end_of_turn)>|\[/?INST\]")


# What may be the name of a token that ends the output and has no text.
_MAY_END = re.compile(r"^$|.*[<>\[\]|\uff5c].+|.+[<>\[\]|\uff5c]")
# Drafts in a row of which little holds, after which the server is asked for everything.
_PATIENCE = 6
_WHOLE = 1 << 30
_SPARE_TOKENS = 1024


@dataclass(frozen=True)
class _Piece:
    """Text in a row from one origin, and whether the server ended behind it."""

    text: str
    origin: Origin = "model"
    finish: Finish = ""
    drafted: int = 0
    accepted: int = 0


def by_text(server: CompletionsServer, prompt: Prompt, sampling: Sampling, echo: bool) -> Iterator[Chunk]:
    """Raises RedraftError for a prompt that only the model's tokenizer can spell.

    Raises NotTakenError before the first chunk where the server does not echo.
    """
    if prompt.messages:
        raise RedraftError(f"{NO_CHAT}; the server does not say where its tokenizer is")
    if found := _SPECIAL.search(_plain(prompt.parts)):
        raise RedraftError(f"the text holds {found[0]}, which this server reads as a special token")
    writing = _Writing(server, prompt, sampling)
    stop, finish = Stop(prompt.stop), ""
    for piece in writing.pieces() if echo else writing.plain():
        text = stop.feed(piece.text)
        finish = "stop" if stop.stopped else piece.finish
        text += stop.flush() if finish and not stop.stopped else ""
        runs = ((piece.origin, text),) if text else ()
        yield writing.bill.take(Chunk(runs, (), (), (), piece.drafted, piece.accepted, 0, finish or "", 0, 0))
        if finish:
            return
    yield writing.bill.take(Chunk((("model", stop.flush()),), (), (), (), 0, 0, 0, "length", 0, 0))


class _Writing:
    """One output: its text, and the tokens of prompt and output as the server cut them."""

    def __init__(self, server: CompletionsServer, prompt: Prompt, sampling: Sampling) -> None:
        self._server, self._sampling, self._stop = server, sampling, prompt.stop
        self._prompt = "".join(part.text for part in prompt.parts)
        sources = [(source.origin, _plain(source.parts)) for source in prompt.sources]
        usable = [(origin, _units(text)) for origin, text in sources if not _SPECIAL.search(text)]
        self._drafter = EditDrafter(usable or [("prediction", ())])
        # Tokens of code have three letters and more.
        self._most = sampling.max_tokens or max((len(text) for _, text in sources), default=0) // 2 + _SPARE_TOKENS
        self._text, self._known = "", list[str]()
        self.bill = Bill()

    def plain(self) -> Iterator[_Piece]:
        """What the server writes without drafts, less what was shown before; raises NoAnswerError where it differs."""
        skip = self._text
        self.bill.requests += 1
        with closing(self._server.stream(self._prompt, self._most, self._sampling, self._stop)) as pieces:
            for said in pieces:
                before_forward()
                shown, text = said.text[: len(skip)], said.text[len(skip) :]
                if not skip.startswith(shown):
                    raise NoAnswerError("the server does not write the same twice")
                skip = skip[len(shown) :]
                self.bill.written += 1
                yield _Piece(text, finish=said.finish)
                if said.finish:
                    return

    def pieces(self) -> Iterator[_Piece]:
        """What the server stands for, draft after draft; what it writes, from where drafts do not help."""
        echoed = self._echoed("")
        if echoed is None:
            raise NoEchoError
        prompt, _ = echoed
        self._known = [token.name for token in prompt.tokens]
        last, poor = len(prompt.tokens) + self._most, 0
        while poor < _PATIENCE:
            before_forward()
            draft = "".join(map(chr, self._drafter.draft(_units(self._text), _WHOLE)))
            origins = self._drafter.origins()
            echoed = self._echoed(draft)
            if echoed is None or not self._goes_on(echoed[0]):
                break
            sent, written = echoed
            tokens = sent.tokens[len(self._known) : last]
            accepted = next((n for n, token in enumerate(tokens) if not token.is_best), len(tokens))
            is_whole = len(self._known) + accepted == len(sent.tokens)
            text = self._taken(tokens[:accepted])
            finish = self._finish(is_whole and sent.finish == "stop", last)
            yield _Piece(text, origins[0] if text else "model", finish, len(tokens), accepted)
            if finish:
                return
            poor = 0 if accepted >= WORTH else poor + 1
            own = written if is_whole else tokens[accepted].best
            if own is None or not own.is_readable or _MAY_END.search(own.name):
                break
            yield _Piece(self._taken([own]), finish=self._finish(False, last))
        yield from self.plain()

    def _goes_on(self, said: Said) -> bool:
        """Whether the server spells what is known as before."""
        return [token.name for token in said.tokens[: len(self._known)]] == self._known

    def _finish(self, has_ended: bool, last: int) -> Finish:
        return "stop" if has_ended else "length" if len(self._known) == last else ""

    def _taken(self, tokens: Sequence[Token]) -> str:
        text = "".join(token.name for token in tokens)
        self._known += [token.name for token in tokens]
        self._text += text
        return text

    def _echoed(self, draft: str) -> tuple[Said, Token | None] | None:
        """What the server says of the tokens of prompt, output and draft, and the token that it wrote after them.

        None where the tokens do not spell what was sent.
        """
        sent = self._prompt + self._text + draft
        said = self._server.echo(sent)
        self.bill.requests += 1
        self.bill.read += said.prompt_tokens or len(said.tokens)
        self.bill.written += said.completion_tokens or 1
        # The first may be one that the server puts before any text, the last is what it wrote.
        for first, last in product((0, 1), (len(said.tokens) - 1, len(said.tokens))):
            if "".join(token.name for token in said.tokens[first:last]) == sent:
                return replace(said, tokens=said.tokens[first:last]), next(iter(said.tokens[last:]), None)
        return None


def _plain(parts: Sequence[Part]) -> str:
    return "".join(part.text for part in parts if not part.special)


def _units(text: str) -> list[int]:
    return list(map(ord, text))
