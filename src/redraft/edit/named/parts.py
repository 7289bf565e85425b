"""In: nothing. Out: `Part`, what an answer says about one file."""

from collections.abc import Callable
from dataclasses import dataclass

IsFile = Callable[[str], bool]


@dataclass(frozen=True)
class Part:
    """What an answer says about one file, whose `path` is as the answer has it.

    `update` is the part of the answer that changes the file, sentences included, `code` its block without them, `text`
    a whole new file. `must_exist` says that a diff shows lines of the file, `is_named` that the path cannot be a slip
    of the tongue.
    """

    path: str
    update: str = ""
    code: str = ""
    text: str | None = None
    to: str = ""
    is_deleted: bool = False
    must_exist: bool = False
    is_named: bool = True

    @property
    def is_edit(self) -> bool:
        """Whether it changes a file and does nothing else to it."""
        return bool(self.update) and self.text is None and not self.to and not self.is_deleted
