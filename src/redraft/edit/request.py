"""In: what a caller wants done to one file. Out: `Request`, the value that travels through the whole program."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import TypedDict

from redraft.edit.answer.fences import fences
from redraft.edit.outline.guessed import guessed


@dataclass(frozen=True)
class Message:
    """One turn of the conversation that led to the edit."""

    role: str
    content: str


@dataclass(frozen=True)
class Request:
    """One edit: a file and a sketch of its new version, or an instruction, or both."""

    original: str
    update: str = ""
    instruction: str = ""
    path: str = ""
    conversation: tuple[Message, ...] = ()
    prediction: str | None = None

    def __post_init__(self) -> None:
        texts = {"original": self.original, "update": self.update, "instruction": self.instruction, "path": self.path}
        texts |= {} if self.prediction is None else {"prediction": self.prediction}
        for name, value in texts.items():
            if not isinstance(value, str):
                raise TypeError(f"{name} is a str, not {type(value).__name__}")

    @cached_property
    def place(self) -> str:
        """The path; without one `*.py`, or what else the language ends in that the fences or the lines tell."""
        if self.path:
            return self.path
        found = fences(self.update.split("\n"))
        names = (name for fence in found for name in (PurePosixPath(fence.title).suffix[1:], fence.info))
        return guessed(self.original, tuple(name.lower() for name in names if name))


class More(TypedDict, total=False):
    """What a request may say beside the file and its sketch."""

    instruction: str
    path: str
    conversation: tuple[Message, ...]
    prediction: str | None
