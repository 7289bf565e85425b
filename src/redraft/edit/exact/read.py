"""In: a file and an answer. Out: `Exact`, what the answer's own format makes of the file; None for a sketch."""

from msgspec import Struct


class Exact(Struct, frozen=True):
    """The new file, None with a `message` where it is refused; `healed` names each slip that was mended."""

    text: str | None
    message: str = ""
    healed: tuple[str, ...] = ()


def read_exact(original: str, update: str, path: str = "") -> Exact | None:
    """None where the answer is in no exact format; lines end in newlines alone."""
    return None
