"""In: a file's regions, an answer and what was asked for. Out: the prompt for which a model writes the regions anew.

<|im_start|>system
You apply code edits to files.<|im_end|>
<|im_start|>user
Here are parts of the file `shop/store.py`:

```py
[[ lines 1 to 40 ]]
the lines of a region
[[ lines 61 to 96 ]]
the lines of the next
```

The request was: what was asked for, where it was said

An assistant answered with this edit:

<answer>
the answer as a chat model wrote it
</answer>

Write these parts anew [...]<|im_end|>
<|im_start|>assistant
```py
[[ lines 1 to 40 ]]
the first region anew
[[ lines 61 to 96 ]]
the next one
```<|im_end|>

These are the words in which models that were trained on conversations are asked such things, so that one that was not
tuned can do it too. What is written repeats what is shown but for the change, so that it can be copied.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from redraft.edit.prompts.asked import END, START
from redraft.edit.prompts.fence import fence
from redraft.edit.prompts.prompt import Format, Part, Prompt, Source
from redraft.edit.prompts.sources import code_of
from redraft.edit.region.shown import Shown, shown
from redraft.edit.request import Request
from redraft.errors import RedraftError

_SYSTEM = "You apply code edits to files."
_WHOLE = "Here is the file `{}`:"
_PARTS = "Here are parts of the file `{}`; a line such as `[[ lines 5 to 40 ]]` stands for lines that are not shown:"
_ASKED = "The request was: {}\n\n"
_ANSWERED = "An assistant answered with this edit:\n\n<answer>\n{}\n</answer>"
_WRITE = (
    "Write the whole new {} with exactly this edit applied. Lines that the answer leaves out, or stands for with a "
    "comment like `... existing code ...`, stay as they are in the file. Change nothing else."
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
        drafts = [] if drafted is None else [Source("prediction", spelled(request, found, drafted))]
        own, code = spelled(request, found, found.texts), (Part(code_of(request)),)
        return Prompt(asked(request, found), (*drafts, Source("original", own), Source("update", code)))


def asked(request: Request, found: Shown) -> tuple[Part, ...]:
    """The prompt's parts, up to the line that opens what the model writes."""
    opening = f"{fence(request.original)}{_language(request.place)}\n"
    is_whole = not any(found.separators)
    pieces = [
        (_WHOLE if is_whole else _PARTS).format(request.place),
        f"\n\n{opening}{_text(found, found.texts)}{fence(request.original)}\n\n",
        _ASKED.format(request.instruction.strip()) if request.instruction.strip() else "",
        _ANSWERED.format(request.update.strip("\n")),
        "\n\n" + _WRITE.format("file" if is_whole else "text of these parts"),
    ]
    turns = ("system", _SYSTEM), ("user", "".join(pieces))
    return (*(part for turn in turns for part in _turn(*turn)), START, Part(f"assistant\n{opening}"))


def spelled(request: Request, found: Shown, texts: Sequence[Sequence[str]]) -> tuple[Part, ...]:
    """What the model writes where these are the lines of the regions."""
    return Part(text_of(request, found, texts)), END


def text_of(request: Request, found: Shown, texts: Sequence[Sequence[str]]) -> str:
    """The same without the token that ends it."""
    return _text(found, texts) + fence(request.original)


def regions_of(parts: Sequence[Part], request: Request, found: Shown) -> list[list[str]] | None:
    """The lines of each region in what a model wrote; None where it does not write these regions in their order."""
    lines = "".join(part.text for part in parts if not part.special).rstrip().split("\n")
    if lines.pop() != fence(request.original):
        return None
    texts = list[list[str]]()
    separators = found.separators
    for at, separator in enumerate(separators):
        if separator and lines.count(separator) != 1:
            return None
        end = lines.index(separator) if separator else (0 if at == 0 else len(lines))
        texts.append(lines[:end])
        lines = lines[end + 1 :] if separator else lines[end:]
    return None if texts[0] or lines else texts[1:]


def _turn(role: str, text: str) -> Iterator[Part]:
    yield from (START, Part(f"{role}\n{text}"), END, Part("\n"))


def _text(found: Shown, texts: Sequence[Sequence[str]]) -> str:
    first, *others = found.separators
    lines = [first]
    for text, separator in zip(texts, others, strict=True):
        lines += [*text, separator]
    return "".join(f"{line}\n" for at, line in enumerate(lines) if line or 0 < at < len(lines) - 1)


def _language(path: str) -> str:
    """What stands behind a fence: the suffix, or the file's name."""
    name = path.replace("\\", "/").rpartition("/")[2]
    return name.rpartition(".")[2].lower()
