"""In: a request. Out: the prompt as Markdown with code fences, a message for chat models and a page for base models.

Both can ask for the whole new file or for the hunks that change the old one.
"""

from dataclasses import dataclass
from typing import ClassVar

from redraft.edit.prompts.fence import block, fence, language
from redraft.edit.prompts.prompt import Format, Part, Prompt
from redraft.edit.prompts.sources import sources
from redraft.edit.request import Message, Request

_TASKS: dict[Format, str] = {
    "whole": "Output only code: the whole new file in one code block, every unchanged line as it is.",
    "search-replace": """Output only the change, as hunks in one code block:
@@ ... @@
 def total(items):
-    return sum(items)
+    return sum(item.price for item in items)

Each line begins with a sign: a space for an unchanged line, - for a line to remove, + for a new line.
Show about three unchanged lines above and below each change, more where they stand several times.
Copy unchanged and removed lines exactly, leave none out between them, and abbreviate nothing.""",
}
_SKETCH = "The answer of an assistant to that; it shows the change, and seldom the whole file:"
_READING = """Make each change that the answer shows or tells, all of them, and no other.
What it leaves out stays in the file, also where no comment such as `... existing code ...` stands for it.
Where it retells a line of the file in other words, without a reason in what was to be done, the file's line stays
as it is, comments, spaces and blank lines too.
Examples of use, commands and remarks of the answer do not belong into the file.
"""
_HEADINGS: dict[Format, str] = {"whole": "## New code", "search-replace": "## Hunks"}


def _fence_of(request: Request, prediction: str | None) -> str:
    return fence(request.original, request.update, request.instruction, prediction or "")


def _opened(output_format: Format, path: str) -> str:
    """The language of the block that the model writes."""
    return language(path) if output_format == "whole" else "diff"


@dataclass(frozen=True)
class ChatTemplate:
    """For instruct models: the code first, then what to do; the answer is opened with a fence: the draft lines up."""

    name: ClassVar[str] = "chat"
    output_format: Format = "whole"

    def prompt(self, request: Request, prediction: str | None) -> Prompt:
        ticks, info = _fence_of(request, prediction), language(request.path)
        paragraphs = [f"The file {request.path}".rstrip() + ":", block(ticks, info, request.original)]
        paragraphs += [f"{message.role}: {message.content}\n" for message in request.conversation]
        if request.instruction:
            paragraphs.append(f"What to do: {request.instruction}\n")
        if request.update:
            paragraphs += [_SKETCH, block(ticks, "", request.update), _READING]
        paragraphs.append(_TASKS[self.output_format])
        return Prompt(
            parts=(Part(f"{ticks}{_opened(self.output_format, request.path)}\n"),),
            sources=sources(request, prediction, ticks, self.output_format),
            stop=(ticks,),
            messages=(Message("user", "\n".join(paragraphs)),),
        )


@dataclass(frozen=True)
class FencedTemplate:
    """For base models: a page with the file, the change and an opened fence; stopped at the closing fence."""

    name: ClassVar[str] = "fenced"
    output_format: Format = "whole"

    def prompt(self, request: Request, prediction: str | None) -> Prompt:
        ticks, info = _fence_of(request, prediction), language(request.path)
        sections = ["## Original code\n", block(ticks, info, request.original), "## Change\n"]
        sections += [f"{message.role}: {message.content}\n" for message in request.conversation]
        if request.instruction:
            sections.append(f"{request.instruction}\n")
        if request.update:
            sections.append(block(ticks, info, request.update))
        sections.append(f"{_HEADINGS[self.output_format]}\n\n{ticks}{_opened(self.output_format, request.path)}\n")
        return Prompt((Part("\n".join(sections)),), sources(request, prediction, ticks, self.output_format), (ticks,))
