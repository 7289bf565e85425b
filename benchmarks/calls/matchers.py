"""In: failing calls. Out: records of what agents' own matchers make of them, as `redraft eval run` writes records.

    redraft eval fetch calls
    redraft eval run --set calls --systems repair --out calls.jsonl
    python benchmarks/calls/matchers.py calls calls.jsonl
    redraft eval report calls.jsonl --out report

Each is written anew after its published algorithm; those that ask a model in the end stop before it does.
"""

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from difflib import SequenceMatcher
from pathlib import Path

from redraft.edit import jsonl
from redraft.edit.exact.read import read_steps
from redraft.edit.exact.steps import RefusedError, Replacement, SketchError
from redraft.edit.request import Request
from redraft.measure.accuracy.outcome import outcomes
from redraft.measure.accuracy.systems import System
from redraft.measure.sets.named import read_set
from redraft.result import Result

Matcher = Callable[[str, Replacement], str | None]
_FUZZY_LIMIT = 4e8  # of Gemini CLI: what a comparison of all lines may cost
_ALIKE = 0.1  # of Gemini CLI: weighted distance over the length of the old text
_BLANKS = 0.1  # of Gemini CLI: what a blank counts beside a sign
_RATIO = 0.8
_PUNCTUATION = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        **dict.fromkeys("\u2018\u2019\u201a\u201b", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f", '"'),
        **dict.fromkeys("\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "),
    }
)


class Matching:
    """Answers with what a matcher makes of the replacements of a call, one after the other."""

    def __init__(self, matcher: Matcher) -> None:
        self._matcher = matcher

    def answer(self, request: Request) -> Result:
        text: str | None = request.original
        try:
            steps = read_steps(request.original, request.update, request.path)
        except (RefusedError, SketchError) as error:
            return _refused(str(error))
        for step in steps:
            text = self._matcher(text, step) if text is not None and isinstance(step, Replacement) else None
        if text is None or not steps:
            return _refused("no match")
        return Result("no_change" if text == request.original else "applied", text, None, "merge", "")


def _refused(message: str) -> Result:
    return Result("needs_context", None, None, "merge", message)


def exact(text: str, step: Replacement) -> str | None:
    """Claude Code, OpenHands: the old text letter for letter; once, or everywhere where that is asked for."""
    count = text.count(step.old) if step.old else 0
    if not count or (step.count == 1 and count != 1):
        return None
    return text.replace(step.old, step.new)


def aider(text: str, step: Replacement) -> str | None:
    """Whole lines letter for letter, the first place; then with the same blanks missing in front of all lines; then
    without a blank line at the start."""
    whole, old, new = (_with_end(each) for each in (text, step.old, step.new))
    lines, part, shown = (each.splitlines(keepends=True) for each in (whole, old, new))
    if not old.strip():
        return None if text.strip() else new
    found = _perfect(lines, part, shown) or _unindented(lines, part, shown)
    if found is None and len(part) > 2 and not part[0].strip():
        found = _perfect(lines, part[1:], shown) or _unindented(lines, part[1:], shown)
    return found


def _with_end(text: str) -> str:
    return text if not text or text.endswith("\n") else f"{text}\n"


def _perfect(lines: Sequence[str], part: Sequence[str], shown: Sequence[str]) -> str | None:
    for at in range(len(lines) - len(part) + 1):
        if [*lines[at : at + len(part)]] == [*part]:
            return "".join([*lines[:at], *shown, *lines[at + len(part) :]])
    return None


def _unindented(lines: Sequence[str], part: Sequence[str], shown: Sequence[str]) -> str | None:
    leads = [len(line) - len(line.lstrip()) for line in (*part, *shown) if line.strip()]
    less = min(leads, default=0)
    part, shown = ([line[less:] if line.strip() else line for line in each] for each in (part, shown))
    for at in range(len(lines) - len(part) + 1):
        there = lines[at : at + len(part)]
        if not all(a.lstrip() == b.lstrip() for a, b in zip(there, part, strict=True)):
            continue
        more = {a[: len(a) - len(b)] for a, b in zip(there, part, strict=True) if a.strip()}
        if len(more) == 1:
            lead = more.pop()
            new = [lead + line if line.strip() else line for line in shown]
            return "".join([*lines[:at], *new, *lines[at + len(part) :]])
    return None


def cline(text: str, step: Replacement) -> str | None:
    """The first place letter for letter; then lines without the blanks around them; then, of three lines or more, a
    first and a last line that far apart. No old text means the whole file."""
    if not step.old:
        return _with_end(step.new)
    old, new = _with_end(step.old), _with_end(step.new)
    at = text.find(old)
    if at >= 0:
        return text[:at] + new + text[at + len(old) :]
    lines, part = text.split("\n"), [line.strip() for line in old.split("\n")[:-1]]
    bare = [line.strip() for line in lines]
    tests: list[Callable[[int], bool]] = [lambda at: bare[at : at + len(part)] == part]
    if len(part) > 2:
        tests.append(lambda at: bare[at] == part[0] and bare[at + len(part) - 1] == part[-1])
    for test in tests:
        for at in range(len(lines) - len(part) + 1):
            if test(at):
                return "\n".join([*lines[:at], *new.split("\n")[:-1], *lines[at + len(part) :]])
    return None


def codex(text: str, step: Replacement) -> str | None:
    """Lines as they are; but for blanks at their ends; but for blanks around them; but for typographic signs: the first
    place, below the anchor where there is one."""
    lines, part, new = text.split("\n"), _lines(step.old), _lines(step.new)
    if not part:
        return None
    start = 0
    for scope in step.scopes:
        found = _seek(lines, [scope], start)
        if found is None:
            return None
        start = found + 1
    found = _seek(lines, part, start)
    return None if found is None else "\n".join([*lines[:found], *new, *lines[found + len(part) :]])


def _seek(lines: Sequence[str], part: Sequence[str], start: int) -> int | None:
    for key in (str, str.rstrip, str.strip, lambda line: line.translate(_PUNCTUATION).strip()):
        there, wanted = [*map(key, lines)], [*map(key, part)]
        for at in range(start, len(lines) - len(part) + 1):
            if there[at : at + len(part)] == wanted:
                return at
    return None


def _lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []


def gemini(text: str, step: Replacement) -> str | None:
    """Letter for letter, as often as is expected; then lines without the blanks around them; then the words and signs
    with any blanks between them; then what is at most a tenth different. No model is asked after that."""
    old, new = step.old.replace("\r\n", "\n"), step.new.replace("\r\n", "\n")
    if not old:
        return None
    for way in (_literal, _flexible, _pattern, _fuzzy):
        count, made = way(text, old, new)
        if count:
            is_expected = count == (step.count or count) or (step.count == 0 and count > 0)
            return _ended(text, made) if is_expected and old != new else None
    return None


def _ended(text: str, made: str) -> str:
    return _with_end(made) if text.endswith("\n") else made.removesuffix("\n")


def _literal(text: str, old: str, new: str) -> tuple[int, str]:
    return text.count(old), text.replace(old, new)


def _flexible(text: str, old: str, new: str) -> tuple[int, str]:
    lines, part = text.splitlines(keepends=True), [line.strip() for line in old.split("\n")]
    count = at = 0
    while at <= len(lines) - len(part):
        if [line.strip() for line in lines[at : at + len(part)]] == part:
            count += 1
            made = "\n".join(_indented(new.split("\n"), lines[at]))
            lines[at : at + len(part)] = [made + "\n" * lines[at + len(part) - 1].endswith("\n")]
        at += 1
    return count, "".join(lines)


def _indented(new: Sequence[str], like: str) -> list[str]:
    """Lines moved so that the first one is indented as another line is."""
    lead = like[: len(like) - len(like.lstrip(" \t"))]
    first = new[0][: len(new[0]) - len(new[0].lstrip(" \t"))]
    return [
        "" if not line.strip() else lead + line.removeprefix(first).lstrip(" \t" * (not line.startswith(first)))
        for line in new
    ]


def _pattern(text: str, old: str, new: str) -> tuple[int, str]:
    tokens = re.sub(r"([():\[\]{}><=])", r" \1 ", old).split()
    found = re.search(r"^([ \t]*)" + r"\s*".join(map(re.escape, tokens)), text, re.MULTILINE) if tokens else None
    if found is None:
        return 0, text
    made = "\n".join(_indented(new.split("\n"), f"{found[1]}x"))
    return 1, text[: found.start()] + made + text[found.end() :]


def _fuzzy(text: str, old: str, new: str) -> tuple[int, str]:
    lines, part = text.splitlines(keepends=True), [line.rstrip() for line in old.splitlines()]
    if len(old) < 10 or not part or len(lines) * len(old) ** 2 > _FUZZY_LIMIT:
        return 0, text
    block = "\n".join(part)
    scored = []
    for at in range(len(lines) - len(part) + 1):
        there = "\n".join(line.rstrip() for line in lines[at : at + len(part)])
        if abs(len(there) - len(block)) <= len(block) * _ALIKE / _BLANKS and _may_be(there, block):
            signs = _distance("".join(there.split()), "".join(block.split()))
            score = (signs + (_distance(there, block) - signs) * _BLANKS) / len(block)
            if score <= _ALIKE:
                scored.append((score, at))
    taken: list[int] = []
    for _, at in sorted(scored):
        if all(abs(at - other) >= len(part) for other in taken):
            taken.append(at)
    for at in sorted(taken, reverse=True):
        made = "\n".join(_indented(new.split("\n"), lines[at]))
        lines[at : at + len(part)] = [made + "\n" * lines[at + len(part) - 1].endswith("\n")]
    return len(taken), "".join(lines)


def _may_be(one: str, other: str) -> bool:
    """Whether a tenth may be all that differs; a bound that costs little."""
    return SequenceMatcher(None, "".join(one.split()), "".join(other.split()), autojunk=False).quick_ratio() > 0.75


def _distance(one: str, other: str) -> int:
    """The fewest signs put in, taken out or changed."""
    row: list[int] = [*range(len(other) + 1)]
    for at, sign in enumerate(one, 1):
        above, row[0] = row[0], at
        for here, mark in enumerate(other, 1):
            above, row[here] = row[here], min(row[here] + 1, row[here - 1] + 1, above + (sign != mark))
    return row[-1]


def alike(text: str, step: Replacement) -> str | None:
    """The lines that are the most like the old ones by `difflib`, at 0.8 or more."""
    lines, part = text.split("\n"), _lines(step.old)
    if not part:
        return None
    matcher = SequenceMatcher(None, autojunk=False)
    matcher.set_seq2("\n".join(part))
    best, found = _RATIO, -1
    for at in range(len(lines) - len(part) + 1):
        matcher.set_seq1("\n".join(lines[at : at + len(part)]))
        if matcher.real_quick_ratio() >= best and matcher.quick_ratio() >= best:
            ratio = matcher.ratio()
            if ratio > best or (ratio == best and found < 0):
                best, found = ratio, at
    return None if found < 0 else "\n".join([*lines[:found], *_lines(step.new), *lines[found + len(part) :]])


MATCHERS: Mapping[str, Matcher] = {
    "exact": exact,
    "aider": aider,
    "cline": cline,
    "codex": codex,
    "gemini": gemini,
    "difflib": alike,
}


def systems() -> list[System]:
    return [System(name, Matching(matcher)) for name, matcher in MATCHERS.items()]


def main(name: str, out: str) -> None:
    for found in outcomes(read_set(name).cases, systems(), set(), name):
        jsonl.append(Path(out), [asdict(found)])


if __name__ == "__main__":
    main(*sys.argv[1:])
