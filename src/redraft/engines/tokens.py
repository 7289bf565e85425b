"""In: prompt parts, or ids. Out: ids, or text, by a Hugging Face tokenizer; user text is never a special token."""

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import groupby
from pathlib import Path

from tokenizers import Tokenizer

from redraft.edit.prompts.prompt import Part
from redraft.edit.request import Message
from redraft.engines.chat import chat_of
from redraft.engines.folder import Folder, read_json
from redraft.engines.reading import NO_CHAT, Chat, rendered
from redraft.errors import RedraftError


class Tokens:
    """A tokenizer; `chat` renders messages with the model's chat template, None for models without one."""

    def __init__(self, tokenizer: Tokenizer, chat: Chat | None = None) -> None:
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

    def known(self, texts: Iterable[str]) -> set[int]:
        """The ids of those of the special tokens that the model has."""
        return {found for text in texts if (found := self.special(text)) is not None}

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
            raise RedraftError(NO_CHAT)
        for piece in rendered(self._chat, messages):
            yield from (piece,) if isinstance(piece, Part) else _marked(piece, self._special)

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


def read_tokens(file: Path, chat: Chat | None = None) -> Tokens:
    """The tokenizer of a `tokenizer.json`; raises RedraftError for what is not JSON."""
    read_json(file)
    return Tokens(Tokenizer.from_file(str(file)), chat)


def folder_tokens(folder: Folder) -> Tokens:
    """The tokenizer of a folder, with its chat template; raises RedraftError for one that cannot be loaded."""
    if folder.plain_tokenizer:
        template = folder.chat_template
        chat = None if template is None else chat_of(template, folder.special_tokens())
        return read_tokens(folder.plain_tokenizer, chat)
    # Here: transformers takes seconds to import, and is needed for classes of their own alone.
    from redraft.engines.stock import load_tokens

    return load_tokens(str(folder.path))


def _marked(text: str, special: Collection[str]) -> Iterable[Part]:
    """The parts of a piece of a chat template, in which special tokens are meant."""
    spellings = "|".join(map(re.escape, sorted(special, key=len, reverse=True)))
    for piece in re.split(f"({spellings})", text) if spellings else [text]:
        if piece:
            yield Part(piece, piece in special)
