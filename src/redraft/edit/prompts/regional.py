"""In: a file's regions, an answer and what was asked for. Out: the prompt for which a model writes the regions anew.

<|repo_name|>path
<|fim_prefix|>what was asked for, where it was said
<|fim_suffix|>the answer as a chat model wrote it
<|file_sep|>41 Store.flush
the lines of a region, from line 41 on
<|file_sep|>97
the lines of the next
<|fim_middle|>the first region anew
<|file_sep|>the next one<|im_end|>

Borders are special tokens, which no text of a user spells.
"""

from collections.abc import Iterable, Iterator, Sequence

from redraft.edit.prompts.prompt import Origin, Part, Prompt, Source
from redraft.edit.region.select import Region
from redraft.edit.request import Request

PATH, ASKED, ANSWER, REGION, NEW, END = (
    Part(f"<|{name}|>", special=True)
    for name in ("repo_name", "fim_prefix", "fim_suffix", "file_sep", "fim_middle", "im_end")
)


def regional(request: Request, lines: Sequence[str], regions: Sequence[Region], scopes: Sequence[str]) -> tuple[Part, ...]:
    """The parts of the prompt; `scopes` names for each line of the file what it lies in."""
    return tuple(_parts(request, lines, regions, scopes))


def spelled(texts: Sequence[Sequence[str]]) -> tuple[Part, ...]:
    """What the model writes, where these are the lines of the regions."""
    found: list[Part] = []
    for number, lines in enumerate(texts):
        found += ([REGION] if number else []) + ([Part(text)] if (text := _text(lines)) else [])
    return (*found, END)


def prompt(parts: tuple[Part, ...], drafts: Iterable[tuple[Origin, Sequence[Sequence[str]]]]) -> Prompt:
    """With drafts of all regions, the likeliest first."""
    return Prompt(parts, tuple(Source(origin, spelled(texts)) for origin, texts in drafts))


def regions_of(parts: Sequence[Part], count: int) -> list[list[str]] | None:
    """The lines of each region in what a model wrote, None where that is not so many."""
    if any(part.special and part not in (REGION, END) for part in parts):
        return None
    written = [part for part in parts if part != END]
    texts = [""]
    for part in written:
        if part == REGION:
            texts.append("")
        else:
            texts[-1] += part.text
    if len(texts) != count:
        return None
    return [text.removesuffix("\n").split("\n") if text else [] for text in texts]


def _parts(
    request: Request, lines: Sequence[str], regions: Sequence[Region], scopes: Sequence[str]
) -> Iterator[Part]:
    yield from (PATH, Part(request.place))
    if request.instruction.strip():
        yield from (ASKED, Part(request.instruction.strip()))
    yield from (ANSWER, Part(request.update.strip("\n")))
    for region in regions:
        scope = " ".join(scopes[region.start].split()) if region.start < len(scopes) else ""
        yield from (REGION, Part(f"{region.start + 1} {scope}".rstrip() + "\n"))
        if text := _text(lines[region.start : region.end]):
            yield Part(text)
    yield NEW


def _text(lines: Sequence[str]) -> str:
    return "".join(line + "\n" for line in lines)
