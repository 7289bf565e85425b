"""In: a hunk of a real edit. Out: the call with one of the slips that public reports name, and what is right.

The reports are those of coding agents and their users on edits that failed, or were recorded as done and were not.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from random import Random

from redraft.calls.spell import AGENTS, AIDER, CLAUDE, CLINE, CODEX, GEMINI, OPENHANDS, ZED
from redraft.data.call_hunks import Hunk, Signed
from redraft.edit.text.changes import difference

JSON = (CLAUDE, GEMINI, OPENHANDS, ZED)
LINES = (*JSON, CLINE, AIDER)
WORD = re.compile(r"[A-Za-z]{4,}")
_SPACED = re.compile(r"(?<=[\w)\]]) ([-+*/<>=&|]{1,2}|:=) (?=[\w(\[])|, (?=\w)")


@dataclass(frozen=True)
class Slipped:
    """The texts of a call; `expected` is the right file, None where it has to be refused, `raw` the call as it stands
    where its agent's format is what is slipped."""

    old: str
    new: str
    expected: str | None
    replace_all: bool = False
    raw: str = ""


@dataclass(frozen=True)
class Slip:
    """How a call goes wrong, and the agents whose calls may."""

    make: Callable[[Hunk, str, Random], Slipped | None]
    agents: Sequence[str] = AGENTS
    is_repairable: bool = True


def made(hunk: Hunk, signed: Sequence[Signed], is_right: bool = True, replace_all: bool = False) -> Slipped | None:
    old = "\n".join(text for sign, text in signed if sign != "+")
    new = "\n".join(text for sign, text in signed if sign != "-")
    if old in file_of(hunk) or old == new:
        return None
    return Slipped(old, new, hunk.expected if is_right else None, replace_all)


def file_of(hunk: Hunk) -> str:
    return "\n".join(hunk.lines)


def _each(hunk: Hunk, change: Callable[[str], str]) -> Slipped | None:
    return made(hunk, [(sign, change(text) if text.strip() else text) for sign, text in hunk.signed])


def _shifted(hunk: Hunk, path: str, rng: Random) -> Slipped | None:
    """All lines less or more indented."""
    depths = [len(text) - len(text.lstrip(" ")) for _, text in hunk.signed if text.strip()]
    if any(text.startswith("\t") for _, text in hunk.signed):
        return _each(hunk, lambda text: f"\t{text}")
    less = min(depths)
    if less and rng.random() < 0.7:
        return _each(hunk, lambda text: text[less:])
    more = " " * rng.choice((2, 4))
    return _each(hunk, lambda text: more + text)


def _tabs(hunk: Hunk, path: str, rng: Random) -> Slipped | None:
    """Blanks for the file's tabs, or tabs for its blanks."""
    leads = [text[: len(text) - len(text.lstrip())] for _, text in hunk.signed if text.strip()]
    if all(set(lead) <= {"\t"} for lead in leads) and any(leads):
        unit = " " * rng.choice((2, 4))
        return _each(hunk, lambda text: unit * (len(text) - len(text.lstrip("\t"))) + text.lstrip("\t"))
    width = min((len(lead) for lead in leads if lead), default=0)
    if width not in (2, 4) or any(set(lead) - {" "} or len(lead) % width for lead in leads):
        return None
    return _each(hunk, lambda text: "\t" * ((len(text) - len(text.lstrip())) // width) + text.lstrip())


def _first_line(hunk: Hunk, path: str, rng: Random) -> Slipped | None:
    """The first line without its indentation."""
    sign, first = hunk.signed[0]
    if sign != " " or first == first.lstrip() or len(hunk.old) < 2:
        return None
    old, new = ("\n".join([first.lstrip(), *lines[1:]]) for lines in (hunk.old, hunk.new))
    return Slipped(old, new, hunk.expected)


def _trailing(hunk: Hunk, path: str, rng: Random) -> Slipped | None:
    """Blanks at the ends of some lines that stay."""
    at = [at for at, (sign, text) in enumerate(hunk.signed) if sign != "+" and text.strip()]
    chosen = set(rng.sample(at, min(2, len(at))))
    return made(hunk, [(sign, text + " " * (at in chosen)) for at, (sign, text) in enumerate(hunk.signed)])


def _blank_lines(hunk: Hunk, path: str, rng: Random) -> Slipped | None:
    """One blank line more, or one less where there are two, between lines that stay."""
    signed = list(hunk.signed)
    blank = [
        at
        for at in range(1, len(signed) - 1)
        if all(signed[near][0] == " " for near in (at - 1, at, at + 1)) and not signed[at][1].strip()
    ]
    if not blank:
        return None
    at = rng.choice(blank)
    is_run = not signed[at - 1][1].strip() or not signed[at + 1][1].strip()
    signed[at : at + 1] = [] if is_run else [signed[at]] * 2
    return made(hunk, signed)


def _numbered(hunk: Hunk, rng: Random) -> tuple[list[str], list[str]]:
    gutter = rng.choice(("{:>6}\t{}", "{:>6}\u2192{}", "{:>4} | {}", "{}: {}"))
    old = [gutter.format(at, text) for at, text in enumerate(hunk.old, hunk.start + 1)]
    new = [gutter.format(at, text) for at, text in enumerate(hunk.new, hunk.start + 1)]
    return old, new


def _gutter(hunk: Hunk, path: str, rng: Random) -> Slipped | None:
    """The numbers of a listing in front of all lines."""
    old, new = _numbered(hunk, rng)
    return Slipped("\n".join(old), "\n".join(new), hunk.expected)


def _old_gutter(hunk: Hunk, path: str, rng: Random) -> Slipped | None:
    """The numbers of a listing in front of the old lines alone."""
    return Slipped("\n".join(_numbered(hunk, rng)[0]), "\n".join(hunk.new), hunk.expected)


def _entities(hunk: Hunk, path: str, rng: Random) -> Slipped | None:
    """Signs as entities in both texts."""
    if not any(sign in text for text in hunk.old for sign in "<>&") or (
        "&" in file_of(hunk) and ";" not in file_of(hunk)
    ):
        return None
    is_quoted = rng.random() < 0.5
    return None if re.search(r"&\w+;", file_of(hunk)) else _each(hunk, lambda text: escape(text, quote=is_quoted))


def _escapes(hunk: Hunk, path: str, rng: Random) -> Slipped | None:
    """A text that is escaped once more than its call needs."""
    old, new = (json.dumps("\n".join(lines), ensure_ascii=False)[1:-1] for lines in (hunk.old, hunk.new))
    if "\\" in file_of(hunk) or "\t" in "".join((*hunk.old, *hunk.new)):
        return None
    return Slipped(old, new, hunk.expected) if old not in file_of(hunk) else None


def _no_break(hunk: Hunk, path: str, rng: Random) -> Slipped | None:
    """No-break spaces for blanks."""
    return None if "\u00a0" in file_of(hunk) else _each(hunk, lambda text: text.replace(" ", "\u00a0"))


def _quotes(hunk: Hunk, path: str, rng: Random) -> Slipped | None:
    """Typographic quotes for straight ones."""
    if re.search("[\u2018\u2019\u201c\u201d]", file_of(hunk)):
        return None
    return _each(hunk, lambda text: re.sub(r'"([^"]*)"', "\u201c\\1\u201d", text).replace("'", "\u2019"))


def _ticks(hunk: Hunk, path: str, rng: Random) -> Slipped | None:
    """Both texts in a fence."""
    old, new = (f"```{path.rpartition('.')[2]}\n{chr(10).join(lines)}\n```" for lines in (hunk.old, hunk.new))
    return None if "```" in file_of(hunk) else Slipped(old, new, hunk.expected)


def _tags(hunk: Hunk, path: str, rng: Random) -> Slipped | None:
    """The closing tags of the call at the ends of both texts."""
    old, new = (
        f"{chr(10).join(lines)}\n</{tag}>"
        for lines, tag in ((hunk.old, "old_string"), (hunk.new, rng.choice(("new_string", "parameter"))))
    )
    return Slipped(old, new, hunk.expected)


def _endings(hunk: Hunk, path: str, rng: Random) -> Slipped | None:
    """Carriage returns at the ends of lines that the file does not have."""
    return Slipped("\r\n".join(hunk.old), "\r\n".join(hunk.new), hunk.expected) if len(hunk.old) > 1 else None


def _spacing(hunk: Hunk, path: str, rng: Random) -> Slipped | None:
    """Lines that stay without the blanks around their signs."""
    signed = [(sign, _SPACED.sub(_tight, text) if sign == " " else text) for sign, text in hunk.signed]
    return made(hunk, signed) if len(hunk.old) > 1 else None


def _tight(found: re.Match[str]) -> str:
    return "," if found[0].startswith(",") else found[1]


def _miscopied(hunk: Hunk, path: str, rng: Random) -> Slipped | None:
    """A word of a line that stays is another one."""
    spots = [(at, word) for at, (sign, text) in enumerate(hunk.signed) if sign == " " for word in WORD.finditer(text)]
    if not spots:
        return None
    at, word = rng.choice(spots)
    signed = list(hunk.signed)
    text = signed[at][1]
    signed[at] = (" ", text[: word.start()] + word[0][:-1] + text[word.end() :])
    return made(hunk, signed)


def _every(hunk: Hunk, path: str, rng: Random) -> Slipped | None:
    """A line that stands several times, to be replaced everywhere, and indented otherwise."""
    bare = [line.strip() for line in hunk.lines]
    lines = sorted({line for line in hunk.lines if 1 < bare.count(line.strip()) < 7 and WORD.search(line)})
    lines = [line for line in lines if hunk.lines.count(line) == bare.count(line.strip()) == file_of(hunk).count(line)]
    if not lines:
        return None
    line = rng.choice(lines)
    new = renamed(line)
    expected = "".join(f"{new if each == line else each}\n" for each in hunk.lines)
    shown = f"  {line}"
    return Slipped(shown, f"  {new}", expected, True) if shown not in file_of(hunk) else None


def renamed(line: str) -> str:
    word = WORD.findall(line)[0]
    return line.replace(word, f"{word}Next", 1)


def _wrong_numbers(hunk: Hunk, path: str, rng: Random) -> Slipped | None:
    """A diff whose header has other numbers, or none."""
    number = max(hunk.start + 1 + rng.choice((-40, -7, 11, 60)), 1)
    head = rng.choice((f"@@ -{number},{len(hunk.old)} +{number},{len(hunk.new)} @@", "@@"))
    lines = [sign + text for sign, text in difference(hunk.old, hunk.new)]
    raw = "\n".join([f"--- a/{path}", f"+++ b/{path}", head, *lines]) + "\n"
    return Slipped("\n".join(hunk.old), "\n".join(hunk.new), hunk.expected, raw=f"```diff\n{raw}```\n")


def _anchored(hunk: Hunk, path: str, anchor: str) -> str:
    lines = [sign + text for sign, text in difference(hunk.old, hunk.new)]
    return "\n".join(["*** Begin Patch", f"*** Update File: {path}", f"@@ {anchor}", *lines, "*** End Patch"])


def _no_anchor(hunk: Hunk, path: str, rng: Random) -> Slipped | None:
    """A patch whose anchor is not in the file."""
    anchor = f"def {rng.choice(('prepare', 'handle', 'update'))}_{rng.randint(100, 999)}():"
    return Slipped("", "", hunk.expected, raw=_anchored(hunk, path, anchor))


def _unsigned(hunk: Hunk, path: str, rng: Random) -> Slipped | None:
    """A patch whose context lines lack the blank in front."""
    lines = [text if sign == " " else sign + text for sign, text in difference(hunk.old, hunk.new)]
    if not any(sign == " " and text[:1] not in ("", " ") for sign, text in difference(hunk.old, hunk.new)):
        return None
    raw = ["*** Begin Patch", f"*** Update File: {path}", "@@", *lines, "*** End Patch"]
    return Slipped("", "", hunk.expected, raw="\n".join(raw))


REPAIRABLE: Mapping[str, Slip] = {
    "common shift of indentation": Slip(_shifted),
    "tabs and blanks": Slip(_tabs),
    "first line without its indentation": Slip(_first_line, (CLINE, AIDER, CODEX)),
    "blanks at the ends of lines": Slip(_trailing),
    "number of blank lines": Slip(_blank_lines),
    "line numbers in front": Slip(_gutter, LINES),
    "line numbers in the old text alone": Slip(_old_gutter, LINES),
    "entities": Slip(_entities),
    "escapes": Slip(_escapes, JSON),
    "no-break spaces": Slip(_no_break),
    "typographic quotes": Slip(_quotes),
    "ticks around both texts": Slip(_ticks, LINES),
    "tags of the call": Slip(_tags, JSON),
    "line endings": Slip(_endings, JSON),
    "blanks within lines": Slip(_spacing),
    "a miscopied word": Slip(_miscopied),
    "replaced everywhere": Slip(_every, (CLAUDE,)),
    "wrong numbers of a diff": Slip(_wrong_numbers, (CODEX,)),
    "an anchor that is nowhere": Slip(_no_anchor, (CODEX,)),
    "context without its sign": Slip(_unsigned, (CODEX,)),
}
