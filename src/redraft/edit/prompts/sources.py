"""In: a request and its prediction. Out: the texts that the output is likely to repeat, each with what ends it."""

from collections.abc import Iterator

from redraft.edit.answer.parsed import parsed
from redraft.edit.prompts.fence import with_final_newline
from redraft.edit.prompts.hunks import hunks
from redraft.edit.prompts.prompt import Format, Origin, Part, Source
from redraft.edit.request import Request


def sources(
    request: Request, prediction: str | None, closing: str, output_format: Format = "whole"
) -> tuple[Source, ...]:
    """The prediction, the original and the update's new lines, best first, each with the `closing` of the output."""
    texts = _texts(request, prediction) if output_format == "whole" else _hunks(request, prediction)
    return tuple(Source(origin, (Part(with_final_newline(text) + closing),)) for origin, text in texts)


def _texts(request: Request, prediction: str | None) -> Iterator[tuple[Origin, str]]:
    if prediction is not None:
        yield "prediction", prediction
    yield "original", request.original
    if code := code_of(request):
        yield "update", code


def _hunks(request: Request, prediction: str | None) -> Iterator[tuple[Origin, str]]:
    """The same texts as hunks repeat them."""
    for origin, text in _texts(request, prediction):
        if origin == "prediction":
            yield origin, hunks(request.original, text)
        else:
            sign = " " if origin == "original" else "+"
            yield origin, "".join(f"{sign}{line}\n" for line in text.removesuffix("\n").split("\n"))


def code_of(request: Request) -> str:
    """All lines of code that an answer shows."""
    lines = (line for block in parsed(request.original, request.update, request.place).blocks for line in block.lines)
    return "\n".join(line.text for line in lines if line.kind == "code")
