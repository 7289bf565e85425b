"""In: prompt parts, or ids. Out: ids, or text, by the tokenizer in a GGUF file; user text is never a special token."""

import ctypes
from collections.abc import Iterable, Sequence
from itertools import groupby

import llama_cpp
from jinja2 import TemplateError
from llama_cpp.llama_chat_format import Jinja2ChatFormatter

from redraft.edit.prompts.prompt import Part
from redraft.edit.request import Message
from redraft.engines.llamacpp_model import LlamaCppModel
from redraft.engines.reading import NO_CHAT, rendered
from redraft.errors import RedraftError

_LONGEST_PIECE = 512  # bytes


class LlamaCppTokens:
    """The tokenizer of a model, with its chat template where it has one."""

    def __init__(self, model: LlamaCppModel) -> None:
        self._model = model
        self._template = model.said("tokenizer.chat_template")
        self._pieces: dict[int, bytes] = {}

    @property
    def has_chat(self) -> bool:
        return bool(self._template)

    def encode(self, parts: Iterable[Part]) -> list[int]:
        """The ids of the parts, each encoded on its own; raises RedraftError for a special token the model lacks."""
        return [
            token for part in parts for token in (self._special(part.text) if part.special else self._ids(part.text))
        ]

    def open(self, parts: Sequence[Part], messages: Sequence[Message]) -> list[int]:
        """The ids of a whole prompt, with what the model expects at its beginning; raises RedraftError as `encode`."""
        if messages:
            return [*self._chat(messages), *self.encode(parts)]
        beginning = [] if parts and parts[0].special else self._ids("", beginning=True)
        return [*beginning, *self.encode(parts)]

    def parts(self, ids: Sequence[int]) -> tuple[Part, ...]:
        """The text of ids, special tokens as what they are; raises RedraftError for an id that there is not."""
        if (unknown := next((token for token in ids if not 0 <= token < self._model.vocabulary), None)) is not None:
            raise RedraftError(f"the model has no token {unknown}: its tokens are 0 to {self._model.vocabulary - 1}")
        is_control, get_text = llama_cpp.llama_vocab_is_control, llama_cpp.llama_vocab_get_text
        runs = groupby(ids, lambda token: bool(is_control(self._model.vocab, token)))
        return tuple(
            part
            for is_special, run in runs
            for part in (
                [Part(get_text(self._model.vocab, token).decode(), True) for token in run]
                if is_special
                else [Part(self.decode(list(run)))]
            )
        )

    def decode(self, ids: Sequence[int]) -> str:
        return b"".join(map(self._piece, ids)).decode("utf-8", "replace")

    def _chat(self, messages: Sequence[Message]) -> Iterable[int]:
        if not self.has_chat:
            raise RedraftError(NO_CHAT)
        for piece in rendered(self._rendered, messages):
            yield from self._ids(piece.text) if isinstance(piece, Part) else self._ids(piece, special=True)

    def _rendered(self, messages: Sequence[Message]) -> str:
        eos, bos = (self._name(f"tokenizer.ggml.{kind}_token_id") for kind in ("eos", "bos"))
        turns = [{"role": message.role, "content": message.content} for message in messages]
        try:
            return str(Jinja2ChatFormatter(self._template, eos, bos)(messages=turns, enable_thinking=False).prompt)
        except (TemplateError, ValueError) as error:
            raise RedraftError(f"the model's chat template does not take this conversation: {error}") from error

    def _name(self, key: str) -> str:
        number = self._model.said(key)
        return llama_cpp.llama_vocab_get_text(self._model.vocab, int(number)).decode() if number else ""

    def special(self, text: str) -> int | None:
        """The id of a special token; None where the model has no such token."""
        ids = self._ids(text, special=True)
        is_one = len(ids) == 1 and llama_cpp.llama_vocab_is_control(self._model.vocab, ids[0])
        return ids[0] if is_one else None

    def known(self, texts: Iterable[str]) -> set[int]:
        """The ids of those of the special tokens that the model has."""
        return {found for text in texts if (found := self.special(text)) is not None}

    def _special(self, text: str) -> list[int]:
        if (found := self.special(text)) is None:
            raise RedraftError(f"the model has no token {text}: use another --template")
        return [found]

    def _ids(self, text: str, beginning: bool = False, special: bool = False) -> list[int]:
        written = text.encode("utf-8", "replace")
        room = len(written) + 2
        ids = (llama_cpp.llama_token * room)()
        count = llama_cpp.llama_tokenize(self._model.vocab, written, len(written), ids, room, beginning, special)
        return list(ids[:count])

    def _piece(self, token: int) -> bytes:
        if token not in self._pieces:
            buffer = ctypes.create_string_buffer(_LONGEST_PIECE)
            length = llama_cpp.llama_token_to_piece(self._model.vocab, token, buffer, _LONGEST_PIECE, 0, False)
            self._pieces[token] = buffer.raw[: max(length, 0)]
        return self._pieces[token]
