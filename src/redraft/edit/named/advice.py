"""In: an answer that was not applied to a file. Out: what it is instead of an edit of this file, "" for an edit."""

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from redraft.edit.answer.fences import Fence, fences
from redraft.edit.named.naming import title

_APOLOGY = re.compile(
    r"\b(?:i(?:'|\u2019)?m (?:very )?sorry|i apologi[sz]e|my apologies|sorry, (?:but )?i|"
    r"i(?:'|\u2019| a)?m (?:not able|unable) to|i (?:cannot|can(?:'|\u2019)t|could(?:n(?:'|\u2019)t| not))|as an ai\b)",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"\b(?:could|can|would) you (?:please )?(?:share|provide|paste|show|tell|clarify)|please (?:share|provide|paste)\b",
    re.IGNORECASE,
)
_USAGE = re.compile(
    r"\b(?:usage|example usage|use it|using it|run it|to run|call it|try it|for example|like this|"
    r"sample output|output:|prints?:)",
    re.IGNORECASE,
)
_PROMPT = re.compile(r"\s*(?:\$|>>>|In \[\d+\]:|%|C:\\.*>)\s+\S")
_FOR_THE_SHELL = ("bash", "sh", "shell", "zsh", "console", "terminal", "powershell")
_LONGEST = 80


def instead(answer: str, path: str, is_applied: bool = False) -> str:
    """One sentence on what the answer is, where it is no edit of the file at `path`.

    What could be applied is only doubted where every block names another file.
    """
    lines = answer.replace("\r\n", "\n").split("\n")
    found = fences(lines, is_meant=True)
    after = lines[found[-1].end + 1 :] if found else lines
    said = " ".join(line.strip() for block in found for line in block.before) + " " + " ".join(after)
    if not found:
        return "" if is_applied else _without_code(answer)
    others = _other_files(found, path)
    if others:
        return f"the answer is about {others[0]}, not about {path}"
    if is_applied:
        return ""
    if all(_is_usage(block, path, alone=len(found) == 1) for block in found):
        return "the answer only shows how the code is used, and no change of it"
    return _without_code(said) if _APOLOGY.search(said) else ""


def also_named(answer: str, path: str) -> list[str]:
    """The other files that blocks of an answer about `path` are titled with."""
    found = fences(answer.replace("\r\n", "\n").split("\n"), is_meant=True)
    name = PurePosixPath(path.replace("\\", "/")).name
    named = dict.fromkeys(title(block, lambda _: False).path for block in found)
    others = [each for each in named if each and PurePosixPath(each).name != name]
    return others if len(others) < len(named) else []


def _without_code(text: str) -> str:
    if found := _APOLOGY.search(text):
        return f"the answer is no edit but an apology: {_sentence(text, found.start())!r}"
    if found := _QUESTION.search(text):
        return f"the answer is no edit but a question: {_sentence(text, found.start())!r}"
    return ""


def _other_files(found: Sequence[Fence], path: str) -> list[str]:
    """The files that the blocks name, where each names one and none is this one."""
    name = PurePosixPath(path.replace("\\", "/")).name
    named = [title(block, lambda _: False).path for block in found]
    return named if path and all(named) and all(PurePosixPath(each).name != name for each in named) else []


def _is_usage(block: Fence, path: str, alone: bool) -> bool:
    """Whether a block shows how to run or call something: a session, or commands for the shell."""
    written = [line for line in block.lines if line.strip()]
    if written and _PROMPT.match(written[0]):
        return True
    if block.info in _FOR_THE_SHELL:
        return not path.endswith((".sh", ".bash", ".zsh", ".ps1"))
    return alone and bool(_USAGE.search(" ".join(block.before[-2:]))) and len(written) <= 3


def _sentence(text: str, start: int) -> str:
    """The sentence that begins there, cut where it is long."""
    line = " ".join(text[start:].split())
    end = re.search(r"[.!?](?:\s|$)", line)
    short = line[: end.end()].strip() if end else line
    return short if len(short) <= _LONGEST else short[:_LONGEST].rsplit(" ", 1)[0] + " ..."
