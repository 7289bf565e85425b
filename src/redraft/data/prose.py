"""In: pieces of code. Out: the chat answer around them: some prose and a fenced block each."""

from collections.abc import Sequence
from random import Random

from redraft.data.languages import extension, language

_OPENINGS = (
    "Here's the updated code:",
    "Here are the changes:",
    "Sure! Here's how to change `{path}`:",
    "I'll update `{path}` as follows.",
    "You need to make these edits in `{path}`.",
    "Update the file like this:",
    "",
)
_FIRST = ("First, change this part:", "Start here:", "In this part:", "")
_NEXT = ("Then update this part:", "And here:", "Next:", "Further down:", "Then:", "And finally this one:", "")
_CLOSINGS = (
    "Everything else stays as it is.",
    "That's all that needs to change.",
    "Let me know if you'd like me to explain any of this.",
    "The rest of the file stays the same.",
    "",
    "",
)

_PAIRS = (
    ("Replace this:", "with this:"),
    ("Find:", "Replace with:"),
    ("**Before**", "**After**"),
    ("Before:", "After:"),
    ("Old:", "New:"),
    ("Change", "to"),
    ("Current code:", "Updated code:"),
)
_GONE_LINE = (
    "This removes `{first}`.",
    "I deleted the line `{first}`.",
    "`{first}` is no longer needed, so it is gone.",
    "Note that I've removed `{first}`.",
)
_GONE_LINES = (
    "Remove everything from `{first}` to `{last}`.",
    "The lines from `{first}` down to `{last}` are gone.",
    "I dropped the part that starts with `{first}` and ends with `{last}`.",
)


def around_blocks(blocks: Sequence[str], path: str, rng: Random) -> str:
    """A chat answer with one fenced block a piece, in order."""
    tag = _tag(path, rng)
    parts = [rng.choice(_OPENINGS).format(path=path)]
    for number, block in enumerate(blocks):
        if len(blocks) > 1:
            parts.append(rng.choice(_NEXT if number else _FIRST))
        parts.append(_fenced(block, tag))
    parts.append(rng.choice(_CLOSINGS))
    return _paragraphs(parts)


def around_diff(diff: str, path: str, rng: Random) -> str:
    """A chat answer with one fenced diff."""
    if rng.random() < 0.3:
        return _fenced(diff, "diff")
    return _paragraphs([rng.choice(_OPENINGS).format(path=path), _fenced(diff, "diff"), rng.choice(_CLOSINGS)])


def around_pairs(pairs: Sequence[tuple[str, str]], path: str, rng: Random) -> str:
    """A chat answer that shows every changed piece twice, as it is and as it should be."""
    tag, names = _tag(path, rng), rng.choice(_PAIRS)
    parts = [rng.choice(_OPENINGS).format(path=path)]
    for pair in pairs:
        for name, code in zip(names, pair, strict=True):
            parts += [name, _fenced(code, tag)]
    return _paragraphs([*parts, rng.choice(_CLOSINGS)])


def around_deletions(block: str, gone: Sequence[tuple[str, str]], path: str, rng: Random) -> str:
    """A chat answer with one fenced block that says in words which lines, by their first and last, go away."""
    said = (
        rng.choice(_GONE_LINE if first == last else _GONE_LINES).format(first=first, last=last) for first, last in gone
    )
    told = " ".join(dict.fromkeys(said))
    before = rng.random() < 0.5
    fenced = _fenced(block, _tag(path, rng))
    opening = rng.choice(_OPENINGS).format(path=path)
    return _paragraphs([opening, told, fenced] if before else [opening, fenced, told])


def _fenced(text: str, tag: str) -> str:
    return f"```{tag}\n{text}\n```"


def _paragraphs(parts: Sequence[str]) -> str:
    return "\n\n".join(part for part in parts if part)


def _tag(path: str, rng: Random) -> str:
    return rng.choice((language(path), language(path), extension(path), ""))
