"""In: the text around a gap, and other files. Out: Qwen's fill-in-the-middle prompt, written or read."""

import re
from collections.abc import Sequence

from redraft.edit.prompts.prompt import Part, Prompt, Source
from redraft.next.recognised import Has, Recognised, TemplateError, joined, need, once

PREFIX, SUFFIX, MIDDLE, PAD = "<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>", "<|fim_pad|>"
REPOSITORY, FILE, END = "<|repo_name|>", "<|file_sep|>", "<|endoftext|>"
TOKENS = (PREFIX, SUFFIX, MIDDLE)
ENDS = (END, FILE, REPOSITORY, PAD, *TOKENS)
_NAME = "fim"
# Characters that are not blank, from which on text that stands twice is seldom meant twice; an estimate.
_TELLING = 20
_NEAR = 4_000  # characters on either side that are drafted from
_OPENING = re.compile(rf"^{re.escape(FILE)}([^\n]*)\n{re.escape(PREFIX)}", re.MULTILINE)


def gap(prefix: str, suffix: str, others: Sequence[tuple[str, str]] = (), path: str = "", *, has: Has) -> Recognised:
    """The prompt for what stands between prefix and suffix; `others` are paths and texts of other files.

    Raises TemplateError for a model without the tokens.
    """
    need(TOKENS, _NAME, has)
    parts = [Part(REPOSITORY, True), Part("project\n")] if others else []
    for name, text in others:
        parts += [Part(FILE, True), Part(f"{name}\n{text}" + ("" if text.endswith("\n") else "\n"))]
    if others:
        parts += [Part(FILE, True), Part(f"{path or 'file'}\n")]
    return _around(tuple(parts), prefix, suffix, path)


def read(prompt: str, has: Has) -> Recognised | None:
    """None for what is no such prompt; raises TemplateError for one that is broken or that can be read twice."""
    if not prompt.endswith(MIDDLE) or not prompt.startswith((PREFIX, REPOSITORY, FILE)):
        if prompt.startswith(PREFIX):
            raise TemplateError(f"the prompt begins with {PREFIX} and does not end with {MIDDLE}")
        return None
    need(TOKENS, _NAME, has)
    start, path = _opened(prompt)
    inner = prompt[start:].removesuffix(MIDDLE)
    at = once(inner, SUFFIX, _NAME)
    before = _files(prompt[: start - len(PREFIX)])
    return _around(before, inner[:at], inner[at + len(SUFFIX) :], path)


def _opened(prompt: str) -> tuple[int, str]:
    """Where the text before the gap begins, and its path; raises TemplateError where that is not clear."""
    if prompt.startswith(PREFIX):
        return len(PREFIX), ""
    found = list(_OPENING.finditer(prompt))
    if len(found) != 1:
        raise TemplateError(f"the prompt ends with {MIDDLE} and has {len(found)} places where {PREFIX} may open it")
    return found[0].end(), found[0][1]


def _around(parts: tuple[Part, ...], prefix: str, suffix: str, path: str) -> Recognised:
    around = (Part(PREFIX, True), Part(prefix), Part(SUFFIX, True), Part(suffix), Part(MIDDLE, True))
    # Nothing is expected at first; where the answer repeats the text around it, that is followed.
    near = f"{prefix[-_NEAR:]}\n{suffix[:_NEAR]}"
    sources = (Source("original", ()), Source("update", (Part(near),)))
    prompt = Prompt(joined((*parts, *around)), sources, _reached(suffix))
    # What stands around the line of the cursor stays while somebody types on it.
    about = path or prefix.rpartition("\n")[0] + suffix.partition("\n")[2]
    return Recognised(_NAME, prompt, ENDS, "", about, suffix)


def _reached(suffix: str) -> tuple[str, ...]:
    """What ends the answer: it goes on as the text behind the gap does, through two lines that are no mere brackets."""
    lines = suffix.split("\n")
    told = [number for number, line in enumerate(lines) if number and line.strip()][:2]
    if len(told) < 2 or told[-1] == len(lines) - 1:
        return ()
    text = "\n".join(lines[: told[-1] + 1]) + "\n"
    return (text,) if len("".join(text.split())) >= _TELLING else ()


def _files(text: str) -> tuple[Part, ...]:
    """Other files, each begun by a token at the beginning of a line."""
    pieces = re.split(rf"^({re.escape(REPOSITORY)}|{re.escape(FILE)})", text, flags=re.MULTILINE)
    tokens = (REPOSITORY, FILE)
    return tuple(Part(piece, piece in tokens and number % 2 == 1) for number, piece in enumerate(pieces))
