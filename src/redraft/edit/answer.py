"""In: what a model wrote after a prompt of some template. Out: the text of the file in it."""

import re

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})([^`\n]*)")
_UPDATED = re.compile(r"<updated-code>\n?(.*?)(?:\n?</updated-code>|\Z)", re.DOTALL)


def extract(output: str, template: str, original: str = "") -> str:
    """The new file in a model's output: without fences, tags and prose, with a final newline where `original` has one.

    Templates: "redraft" (the output is the file), "fenced" (up to the closing fence), "chat" (a fenced block, or the
    rest of one that the prompt opened), "fastapply" (between `<updated-code>` tags).
    """
    if template == "redraft":
        return output
    tagged = _UPDATED.search(output) if template == "fastapply" else None
    text = tagged[1] if tagged else _unfenced(output, original, opened=template == "fenced")
    if original and not original.endswith("\n"):
        return text.removesuffix("\n")
    return text if text.endswith("\n") or not text else text + "\n"


def _unfenced(output: str, original: str, opened: bool) -> str:
    """The inside of the first fence; `opened` says that the prompt has opened it, else the output shows whether it did.

    A file that holds fences itself ends at the last closing fence, any other at the first.
    """
    lines = output.split("\n")
    fences = [at for at, line in enumerate(lines) if _FENCE.fullmatch(line)]
    holds_fences = any(map(_FENCE.fullmatch, original.split("\n")))
    own = [] if opened else fences
    starts_with_fence = bool(own) and not any(line.strip() for line in lines[: own[0]])
    start, mark = 0, "```"
    if starts_with_fence or (len(own) > 1 and not holds_fences):
        start, mark = own[0] + 1, lines[own[0]].strip()
    closing = [at for at in fences if at >= start and _closes(lines[at], mark)]
    if not closing:
        return "\n".join(lines[start:])
    return "\n".join(lines[start : closing[-1] if holds_fences else closing[0]])


def _closes(line: str, mark: str) -> bool:
    fence, opening = _FENCE.fullmatch(line), _FENCE.fullmatch(mark)
    assert fence is not None
    assert opening is not None
    return fence[1].startswith(opening[1]) and not fence[2].strip()
