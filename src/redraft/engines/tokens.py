"""In: prompt parts, or the ids of an output as they come. Out: ids, or text; user text is never a special token."""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import groupby
from pathlib import Path

from tokenizers import Tokenizer

from redraft.edit.prompts.prompt import Part
from redraft.edit.request import Message
from redraft.engines.folder import read_json
from redraft.errors import RedraftError

_UNFINISHED = "\ufffd"
_CONTEXT = 16
# Private-use characters: the place of a message in the rendered chat, where the message itself is put as plain text.
_PLACE = "\ue000{}\ue001"
_PLACES = re.compile("\ue000(\\d+)\ue001")


class Tokens:
    """A tokenizer; `chat` renders messages with the model's chat template, None for models without one."""

    def __init__(self, tokenizer: Tokenizer, chat: Callable[[Sequence[Message]], str] | None = None) -> None:
        self._tokenizer = tokenizer
        self._chat = chat
        added = tokenizer.get_added_tokens_decoder().items()
        self._special = {token.content: token_id for token_id, token in added if token.special}
        self._beginning = list(tokenizer.encode("", add_special_tokens=True).ids)
        tokenizer.encode_special_tokens = True

    @property
    def has_chat(self) -> bool:
        return self._chat is not None

    def special(self, text: str) -> int | None:
        """The id of a special token; None where the model has no such token."""
        return self._special.get(text)

    def encode(self, parts: Iterable[Part]) -> list[int]:
        """The ids of the parts, each encoded on its own; raises RedraftError for a special token the model lacks."""
        parts = list(parts)
        texts = list(dict.fromkeys(part.text for part in parts if not part.special))
        encodings = self._tokenizer.encode_batch_fast(texts, add_special_tokens=False)
        ids = dict(zip(texts, (encoding.ids for encoding in encodings), strict=True))
        try:
            return [id_ for part in parts for id_ in ((self._special[part.text],) if part.special else ids[part.text])]
        except KeyError as error:
            raise RedraftError(f"the model has no token {error.args[0]}: use another --template") from error

    def open(self, parts: Sequence[Part], messages: Sequence[Message]) -> list[int]:
        """The ids of a whole prompt, with what the model expects at its beginning; raises RedraftError as `encode`."""
        if messages:
            return self.encode([*self._rendered(messages), *parts])
        beginning = [] if parts and parts[0].special else self._beginning
        return [*beginning, *self.encode(parts)]

    def _rendered(self, messages: Sequence[Message]) -> Iterable[Part]:
        if self._chat is None:
            raise RedraftError("the model has no chat template: use a --template that needs none, such as fenced")
        named = [Message(message.role, _PLACE.format(number)) for number, message in enumerate(messages)]
        for at, piece in enumerate(_PLACES.split(self._chat(named))):
            if at % 2:
                yield Part(messages[int(piece)].content)
            else:
                yield from _marked(piece, self._special)

    def parts(self, ids: Sequence[int]) -> tuple[Part, ...]:
        """The text of ids, special tokens as what they are; raises RedraftError for an id that there is not."""
        size = self._tokenizer.get_vocab_size()
        if (unknown := next((id_ for id_ in ids if not 0 <= id_ < size), None)) is not None:
            raise RedraftError(f"the model has no token {unknown}: its tokens are 0 to {size - 1}")
        spelled = {id_: text for text, id_ in self._special.items()}
        runs = ((is_special, list(run)) for is_special, run in groupby(ids, spelled.__contains__))
        return tuple(
            part
            for is_special, run in runs
            for part in ([Part(spelled[id_], True) for id_ in run] if is_special else [Part(self.decode(run))])
        )

    def decode(self, ids: Sequence[int]) -> str:
        return str(self._tokenizer.decode(ids, skip_special_tokens=True))


def read_tokens(file: Path) -> Tokens:
    """The tokenizer of a `tokenizer.json`; raises RedraftError for what is not JSON."""
    read_json(file)
    return Tokens(Tokenizer.from_file(str(file)))


def _marked(text: str, special: Collection[str]) -> Iterable[Part]:
    """The parts of a piece of a chat template, in which special tokens are meant."""
    spellings = "|".join(map(re.escape, sorted(special, key=len, reverse=True)))
    for piece in re.split(f"({spellings})", text) if spellings else [text]:
        if piece:
            yield Part(piece, piece in special)


class TokenReader:
    """Turns ids into text as they come; the pieces together are the text of all ids after the prompt."""

    def __init__(self, tokens: Tokens, prompt_ids: Sequence[int]) -> None:
        self._decode = tokens.decode
        self._context = list(prompt_ids[-_CONTEXT:])
        self._pending: list[int] = []

    def feed(self, ids: Sequence[int]) -> str:
        """The text of the ids; held back while it ends in the middle of a character."""
        self._pending += ids
        text = self._text()
        if text.endswith(_UNFINISHED):
            return ""
        self._context = (self._context + self._pending)[-_CONTEXT:]
        self._pending = []
        return text

    def flush(self) -> str:
        """What was held back when no more ids come."""
        return self._text() if self._pending else ""

    def _text(self) -> str:
        # Some decoders drop a blank at the very beginning: the ids before tell them that this is not it.
        return self._decode(self._context + self._pending)[len(self._decode(self._context)) :]
