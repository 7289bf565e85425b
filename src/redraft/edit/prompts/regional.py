"""In: a file's regions, an answer and what was asked for. Out: the prompt for which a model writes the regions anew.

<|repo_name|>path
<|fim_prefix|>what was asked for, where it was said
<|fim_suffix|>the answer as a chat model wrote it
<|file_sep|>41 Store.flush
the lines of a region, from line 41 on
<|file_sep|>97
the lines of the next
<|fim_middle|><|file_sep|>41 Store.flush
the first region anew
<|file_sep|>97
the next one<|im_end|>

What is written repeats what is shown but for the change, so that it can be copied.
Borders are special tokens, which no text of a user spells.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from redraft.edit.prompts.prompt import Format, Part, Prompt, Source
from redraft.edit.prompts.sources import code_of
from redraft.edit.region.shown import Shown, shown
from redraft.edit.request import Request
from redraft.errors import RedraftError

_PATH, _ASKED, _ANSWER, REGION, _NEW, _END = (
    Part(f"<|{name}|>", special=True)
    for name in ("repo_name", "fim_prefix", "fim_suffix", "file_sep", "fim_middle", "im_end")
)


@dataclass(frozen=True)
class RegionTemplate:
    """The stretches of the file that an answer is about, each of which the model writes anew."""

    name: ClassVar[str] = "regions"
    output_format: Format = "whole"

    def prompt(self, request: Request, prediction: str | None) -> Prompt:
        """Raises RedraftError where the answer tells no place."""
        if not request.update.strip():
            raise RedraftError("the update is empty: this model was trained to apply answers, not instructions alone")
        found = shown(request)
        if not found.regions:
            raise RedraftError("the answer tells no place in the file: show some of the lines around the change")
        drafted = None if prediction is None else found.of(prediction)
        drafts = [] if drafted is None else [Source("prediction", spelled(found, drafted))]
        shown_code = Source("update", (Part(code_of(request)),))
        return Prompt(
            tuple(asked(request, found)), (*drafts, Source("original", spelled(found, found.texts)), shown_code)
        )


def asked(request: Request, found: Shown) -> Iterator[Part]:
    """The prompt's parts."""
    yield from (_PATH, Part(request.place))
    if request.instruction.strip():
        yield from (_ASKED, Part(request.instruction.strip()))
    yield from (_ANSWER, Part(request.update.strip("\n")))
    yield from (*_regions(found, found.texts), _NEW)


def spelled(found: Shown, texts: Sequence[Sequence[str]]) -> tuple[Part, ...]:
    """What the model writes where these are the lines of the regions."""
    return (*_regions(found, texts), _END)


def regions_of(parts: Sequence[Part], found: Shown) -> list[list[str]] | None:
    """The lines of each region in what a model wrote; None where it does not write these regions in their order."""
    texts: list[str] = []
    for part in parts:
        if part == REGION:
            texts.append("")
        elif not part.special and texts:
            texts[-1] += part.text
    split = [text.partition("\n") for text in texts]
    if [header for header, _, _ in split] != found.headers:
        return None
    return [text.removesuffix("\n").split("\n") if text else [] for _, _, text in split]


def _regions(found: Shown, texts: Sequence[Sequence[str]]) -> Iterator[Part]:
    for header, lines in zip(found.headers, texts, strict=True):
        yield from (REGION, Part(f"{header}\n"))
        if lines:
            yield Part(_text(lines))


def _text(lines: Sequence[str]) -> str:
    return "".join(line + "\n" for line in lines)
