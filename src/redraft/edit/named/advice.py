"""In: an answer that was not applied to a file. Out: what it is instead of an edit of this file, "" for an edit."""

import re
from collections.abc import Collection, Sequence
from itertools import chain
from pathlib import PurePosixPath

from redraft.edit.align.likeness import overlap, tokens
from redraft.edit.answer.fences import Fence, fences
from redraft.edit.named.naming import title
from redraft.edit.text.kind import is_path_of
from redraft.edit.text.lines import is_telling
from redraft.edit.text.newlines import with_newlines

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
_CALL = re.compile(
    r"\A\s*(?:```\w*\s*)?(?:\{.{0,40}\"(?:name|tool|function)\"\s*:\s*\"(\w+)\".{0,20}\"(?:arguments|args|parameters|input)\""
    r"|(?:<\w+>\s*)*<invoke name=\"(\w+)\"|print\(default_api\.(\w+)\()",
    re.DOTALL,
)
_UNKNOWN = "the answer is a call of {}, which is not known here: show the code that changes in a block"
_LONGEST = 80
_ALIKE = 0.8  # of what two lines are made of: less is also a call of what the file defines


def instead(answer: str, path: str, is_applied: bool = False, original: str = "") -> str:
    """One sentence on what the answer is, where it is no edit of the file at `path`.

    What could be applied is only doubted where every block names another file.
    """
    lines = with_newlines(answer).split("\n")
    found = fences(lines, is_intended=True)
    if others := _other_files(found, path):
        return f"the answer is about {others[0]}, not about {path}"
    if is_applied:
        return ""
    if not found:
        return _called(answer) or _without_code(answer)
    known = {line.strip() for line in original.split("\n")}
    if all(_is_usage(block, path, known, alone=len(found) == 1) for block in found):
        return "the answer only shows how the code is used, and no change of it"
    around = (*chain.from_iterable(block.before for block in found), *lines[found[-1].end + 1 :])
    sentences = " ".join(map(str.strip, around))
    return _called(answer) or (_without_code(sentences) if _APOLOGY.search(sentences) else "")


def _called(answer: str) -> str:
    """An answer that is a call of a tool which no format knows."""
    found = _CALL.search(answer)
    name = next(filter(None, found.groups()), "") if found else ""
    return _UNKNOWN.format(name) if name else ""


def also_named(answer: str, path: str) -> list[str]:
    """The other files that blocks of an answer about `path` are titled with."""
    found = fences(with_newlines(answer).split("\n"), is_intended=True)
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
    named = [title(block, lambda each: is_path_of(each, path)).path for block in found]
    return named if path and all(named) and all(PurePosixPath(each).name != name for each in named) else []


def _is_usage(block: Fence, path: str, known: Collection[str], alone: bool) -> bool:
    """Whether a block shows how to run or call something: a session, commands for the shell."""
    written = [line for line in block.lines if line.strip()]
    if _PROMPT.match("".join(written[:1])):
        return True
    if block.info in _FOR_THE_SHELL:
        return not path.endswith((".sh", ".bash", ".zsh", ".ps1"))
    if any(is_telling(line) and _is_known(line.strip(), known) for line in written):
        return False
    return alone and bool(_USAGE.search(" ".join(block.before[-2:]))) and len(written) <= 3


def _is_known(line: str, known: Collection[str]) -> bool:
    """Whether a line stands in the file, or may be the new version of one that does."""
    return line in known or any(overlap(tokens(line), tokens(each)) >= _ALIKE for each in known)


def _sentence(text: str, start: int) -> str:
    """The sentence that begins there, cut where it is long."""
    line = " ".join(text[start:].split())
    end = re.search(r"[.!?](?:\s|$)", line)
    short = line[: end.end()].strip() if end else line
    return short if len(short) <= _LONGEST else short[:_LONGEST].rsplit(" ", 1)[0] + " ..."
