"""In: a file, an answer and the text that was made of them. Out: `Broken`, the first law that the text breaks."""

from msgspec import Struct

from redraft.edit.answer.answer import Answer


class Broken(Struct, frozen=True):
    """A law that a text breaks: its name, and a sentence that says which line, why, and what to add to the answer."""

    law: str
    message: str


def broken(original: str, answer: Answer, text: str, path: str = "", instruction: str = "") -> Broken | None:
    """None where the text keeps all laws."""
    return None
