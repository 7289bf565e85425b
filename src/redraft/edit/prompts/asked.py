"""In: a request. Out: the prompt that the embedded model was trained on: file, instruction and update in tags.

<|im_start|>user
<code>
the file</code>
<instruction>
what was asked for, where it was said
</instruction>
<update>
the answer as a chat model wrote it
</update><|im_end|>
<|im_start|>assistant
the new file<|im_end|>
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from redraft.edit.prompts.prompt import Format, Part, Prompt, Source
from redraft.edit.prompts.sources import sources
from redraft.edit.request import Request

START, END = Part("<|im_start|>", special=True), Part("<|im_end|>", special=True)


@dataclass(frozen=True)
class ApplyTemplate:
    """A turn of the user with each text on its own behind its tag, and the new file as the turn of the assistant.

    Where hunks are wanted, a tag opens the turn of the assistant.
    """

    name: ClassVar[str] = "apply"
    output_format: Format = "whole"

    def prompt(self, request: Request, prediction: str | None) -> Prompt:
        opening = () if self.output_format == "whole" else (Part("<hunks>\n"),)
        return Prompt((*_parts(request), *opening), tuple(_sources(request, prediction, self.output_format)))


def _parts(request: Request) -> Iterator[Part]:
    yield from (START, Part("user\n<code>\n"), Part(request.original), Part("</code>"))
    said = [f"{message.role}: {message.content}" for message in request.conversation]
    for tag, text in (
        ("instruction", "\n".join([*said, request.instruction]).strip()),
        ("update", request.update.strip("\n")),
    ):
        if text.strip():
            yield from (Part(f"\n<{tag}>\n"), Part(text), Part(f"\n</{tag}>"))
    yield from (END, Part("\n"), START, Part("assistant\n"))


def _sources(request: Request, prediction: str | None, output_format: Format) -> Iterator[Source]:
    """The prediction, the original and the update's lines, spelled as the model writes them: to the last newline."""
    texts = {"prediction": prediction, "original": request.original} if output_format == "whole" else {}
    for source in sources(request, prediction, "", output_format):
        text = texts.get(source.origin)
        yield Source(source.origin, (source.parts if text is None else (Part(text),)) + (END,))
