"""In: nothing. Out: the types of what an engine reads: the prompt text in parts, and the draft sources.

`Format` is what a model is asked to write: the whole new file, or the hunks that change it.
"""

from dataclasses import dataclass
from typing import Literal

from redraft.edit.request import Message

Format = Literal["whole", "search-replace"]
Origin = Literal["prediction", "original", "update", "output", "model"]


@dataclass(frozen=True)
class Part:
    """A piece of text that is tokenized on its own; a special part spells one special token, others never do."""

    text: str
    special: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise TypeError(f"text is a str, not {type(self.text).__name__}")


@dataclass(frozen=True)
class Source:
    """A text that the output is likely to repeat, spelled as the output would spell it."""

    origin: Origin
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Prompt:
    """Text for the model and the draft sources in their order of trust.

    With `messages` the engine renders the tokenizer's chat template, and `parts` open the assistant's answer.
    """

    parts: tuple[Part, ...]
    sources: tuple[Source, ...] = ()
    stop: tuple[str, ...] = ()
    messages: tuple[Message, ...] = ()
