"""In: nothing. Out: `Instruction`: selected lines of a file, and what is to be done with them."""

from dataclasses import dataclass

from redraft.edit.text.selection import Selection


@dataclass(frozen=True)
class Instruction:
    """What is to be done with the selected lines of the file at `path`.

    `around` is how many lines before and behind them the model is shown, None for all. `prediction` is what the new
    lines are expected to be; without it, the selected ones.
    """

    selection: Selection
    text: str
    path: str = ""
    prediction: str | None = None
    around: int | None = None

    @property
    def marks(self) -> tuple[str, str]:
        """Lines that enclose the selection in the file that is shown; nothing in the texts looks like them."""
        said = "\n".join((*self.selection.surroundings, self.selection.text, self.text))
        number = next(number for number in range(1, len(said) + 2) if f"selected-{number}>" not in said)
        return f"<selected-{number}>", f"</selected-{number}>"
