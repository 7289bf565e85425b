"""In: a case, another one and chance. Out: a case a little other, as models, editors and transports garble texts."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

from fuzz.cases import Case

_TOKEN = re.compile(r"\w+|[^\w\s]+|[ \t]+|\n")
_PATHS = (
    "",
    "a.py",
    "a.ts",
    "a.tsx",
    "a.md",
    "a.txt",
    "a.yaml",
    "a.json",
    "a.rs",
    "a.html",
    "a.css",
    "a.sql",
    "a.ini",
    "*.py",
)
_MARKS = tuple((Path(__file__).parent / "marks.txt").read_text(encoding="utf-8").splitlines())
_LEADS = ("  ", "\t", "+", "-", " ", "> ", "12 | ")
_SIGNS = (
    *"\u00a0\ufeff\u200b\u2028\u0085\x0b\x0c\x00\r\t\U0001f600\u2026\u201c\u2019\u0130\u00df\u0661\u00b2`\"'\\",
    *("e\u0301", "\\n", '\\"', "\\u00e9", "\\ud800", "&lt;", "&amp;", "&#39;", "%s", "{0}"),
)


def mutated(case: Case, other: Case, chance: Random) -> Case:
    """One to four changes; some go through all texts alike, so that the answer still fits the file."""
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 4))):
        case = chance.choice(_STEPS)(case, other, chance)
    return case


def _one_text(change: Callable[[str, str, Random], str]) -> Callable[[Case, Case, Random], Case]:
    def step(case: Case, other: Case, chance: Random) -> Case:
        name = chance.choice(("update", "update", "update", "original", "text"))
        return replace(case, **{name: change(getattr(case, name), chance.choice(_texts(other)), chance)})

    return step


def _all_texts(case: Case, other: Case, chance: Random) -> Case:
    """A word, sign or line that stands in several texts becomes another in all of them."""
    old = chance.choice(chance.choice((_TOKEN.findall, str.splitlines))(chance.choice(_texts(case))) or [" "])
    new = chance.choice(
        (old + old, old + chance.choice(_SIGNS), chance.choice(_SIGNS) + old, chance.choice(_MARKS), "")
    )
    if not old:
        return case
    return replace(case, **{name: getattr(case, name).replace(old, new) for name in ("original", "update", "text")})


def _texts(case: Case) -> tuple[str, ...]:
    return case.original, case.update, case.text


def _lines(text: str, other: str, chance: Random) -> str:
    """Lines that go, come twice, move, are indented, or become those of another text."""
    lines, others = text.split("\n"), other.split("\n")
    start = chance.randrange(len(lines))
    end, to = min(start + chance.randint(1, 4), len(lines)), chance.randrange(len(lines))
    taken, first = lines[start:end], chance.randrange(len(others))
    left = lines[:start] + lines[end:]
    lead, mark = chance.choice(_LEADS), chance.choice(_MARKS)
    found = {
        "gone": left,
        "twice": lines[:to] + taken + lines[to:],
        "moved": left[:to] + taken + left[to:],
        "other": lines[:start] + others[first : first + 3] + lines[end:],
        "indented": lines[:start] + [lead + line for line in taken] + lines[end:],
        "shorter": lines[:start] + [line[1:] for line in taken] + lines[end:],
        "marked": [*lines[:to], mark, *lines[to:]],
        "cut": lines[:end],
    }
    return "\n".join(found[chance.choice(list(found))])


def _signs(text: str, other: str, chance: Random) -> str:
    """A sign comes in, a few letters go, or words become others."""
    at = chance.randint(0, len(text))
    words = _TOKEN.findall(other) or [" "]
    match chance.randrange(4):
        case 0:
            return text[:at] + chance.choice(_SIGNS) + text[at:]
        case 1:
            return text[:at] + text[at + chance.randint(1, 5) :]
        case 2:
            return text[:at] + chance.choice(words) + text[at:]
        case _:
            return re.sub(
                r"\d+", lambda found: str(max(int(found[0][:9]) + chance.choice((-1, 1, 1000)), 0)), text, count=1
            )


def _endings(text: str, other: str, chance: Random) -> str:
    return chance.choice(
        (
            lambda: text.replace("\r\n", "\n").replace("\n", "\r\n"),
            lambda: text.replace("\n", "\r"),
            lambda: text.replace("\n", "\r\n", chance.randint(1, 3)),
            lambda: text.rstrip("\n"),
            lambda: text + "\n" * chance.randint(1, 3),
            lambda: re.sub(r"\n", "  \n", text, count=chance.randint(1, 3)),
        )
    )()


def _spliced(case: Case, other: Case, chance: Random) -> Case:
    """Two answers in one, the file of one with the answer of the other, or both."""
    here, there = case.update.split("\n"), other.update.split("\n")
    joined = here[: chance.randint(0, len(here))] + there[chance.randint(0, len(there)) :]
    original = chance.choice((case.original, case.original + other.original, other.original))
    return replace(case, original=original, update="\n".join(chance.choice((joined, here + there))))


def _wrapped(case: Case, other: Case, chance: Random) -> Case:
    """An answer in a fence, in a quotation, in a call, deeper, or with words around it."""
    text = case.update
    wrap = chance.choice(
        (
            lambda: f"```\n{text}\n```",
            lambda: "\n".join(f"> {line}" for line in text.split("\n")),
            lambda: "\n".join(f"    {line}" for line in text.split("\n")),
            lambda: json.dumps({"path": case.path, "code_edit": text}),
            lambda: json.dumps(text),
            lambda: f"<tool_call>\n{text}\n</tool_call>",
            lambda: f"<think>\n{other.update}\n</think>\n{text}",
            lambda: f"Here it is:\n\n{text}\n\nThat is all.",
            lambda: case.original,
            lambda: case.text,
        )
    )
    return replace(case, update=wrap())


def _path(case: Case, other: Case, chance: Random) -> Case:
    return replace(case, path=chance.choice((*_PATHS, other.path)))


_STEPS = (
    *[_one_text(_lines), _all_texts] * 3,  # what leaves most answers in their format comes most often
    *[_one_text(_signs)] * 2,
    *(_one_text(_endings), _spliced, _wrapped, _path),
)
