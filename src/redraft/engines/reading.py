"""In: the ids of an output as they come, or a rendered chat. Out: their text, or the places of its messages.

What tokenizers of any library share.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from redraft.edit.prompts.prompt import Part
from redraft.edit.request import Message

_UNFINISHED = "\ufffd"
_CONTEXT = 16
# Private-use characters: the place of a message in the rendered chat, where the message itself is put as plain text.
_PLACE = "\ue000{}\ue001"
_PLACES = re.compile("\ue000(\\d+)\ue001")

NO_CHAT = "the model has no chat template: use a --template that needs none, such as fenced"
Chat = Callable[[Sequence[Message]], str]


class Decoder(Protocol):
    """A tokenizer; what is in the middle of a character is spelled U+FFFD."""

    def decode(self, ids: Sequence[int]) -> str: ...


class TokenReader:
    """Turns ids into text as they come; the pieces together are the text of all ids after the prompt."""

    def __init__(self, tokens: Decoder, prompt_ids: Sequence[int]) -> None:
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


def rendered(chat: Chat, messages: Sequence[Message]) -> Iterator[str | Part]:
    """The chat in pieces: what the template wrote as it is, what the messages say as parts of plain text."""
    named = [Message(message.role, _PLACE.format(number)) for number, message in enumerate(messages)]
    for at, piece in enumerate(_PLACES.split(chat(named))):
        if at % 2:
            yield Part(messages[int(piece)].content)
        elif piece:
            yield piece
