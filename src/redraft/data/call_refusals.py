"""In: a hunk of a real edit. Out: the call gone wrong so that nobody can tell what is meant: it has to be refused."""

import re
from collections.abc import Mapping
from dataclasses import replace
from html import escape
from random import Random

from redraft.calls.spell import CLAUDE, CLINE, CODEX, OPENHANDS, spell
from redraft.data.call_hunks import Hunk
from redraft.data.call_slips import LINES, REPAIRABLE, WORD, Slip, Slipped, file_of, made, renamed
from redraft.data.languages import comment

_STRING = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|`[^`]*`")
_MARKUP = (".html", ".xml", ".vue", ".svelte", ".md", ".jsx", ".tsx", ".php", ".erb", ".rst", ".yml", ".yaml")


def slipped(hunk: Hunk, path: str, name: str, agent: str, rng: Random) -> tuple[str, str | None] | None:
    """The call and the file that is right, None where the hunk cannot have the slip."""
    slip = SLIPS[name]
    made = slip.make(hunk, path, rng) if agent in slip.agents else None
    if made is None:
        return None
    return made.raw or spell([made], path, agent), made.expected


def _twice(hunk: Hunk, path: str, rng: Random) -> Slipped | None:
    """Old text so short that it stands several times."""
    found = _short(hunk, rng)
    return Slipped(found[0], found[1], None) if found else None


def _twice_shifted(hunk: Hunk, path: str, rng: Random) -> Slipped | None:
    """The same indented otherwise than all its places."""
    found = _short(hunk, rng)
    if found is None:
        return None
    old, new = ("\n".join(f"   {line}" if line.strip() else line for line in text.split("\n")) for text in found)
    return Slipped(old, new, None) if old not in file_of(hunk) else None


def _short(hunk: Hunk, rng: Random) -> tuple[str, str] | None:
    """A line that stands several times, and a new one in its place."""
    telling = [line for line in hunk.old if WORD.search(line) and hunk.lines.count(line) > 1]
    if not telling:
        return None
    line = rng.choice(telling)
    return line, renamed(line)


def _stale(hunk: Hunk, path: str, rng: Random) -> Slipped | None:
    """A line that the edit replaces is another one in the file by now."""
    spots = [
        (at, word)
        for at, (sign, text) in enumerate(hunk.signed)
        if sign == "-"
        for word in re.finditer(r"\d+|[A-Za-z]{4,}", text)
    ]
    if not spots:
        return None
    at, word = rng.choice(spots)
    signed = list(hunk.signed)
    text = signed[at][1]
    other = str(int(word[0]) + 1) if word[0].isdigit() else f"{word[0]}Of"
    signed[at] = ("-", text[: word.start()] + other + text[word.end() :])
    return made(hunk, signed, is_right=False)


def _unseen(hunk: Hunk, path: str, rng: Random) -> Slipped | None:
    """A line of the file within the old text is missing in both texts."""
    at = [at for at, (_, text) in enumerate(hunk.signed) if 0 < at < len(hunk.signed) - 1 and WORD.search(text)]
    at = [each for each in at if hunk.signed[each][0] == " "]
    if not at:
        return None
    gone = rng.choice(at)
    return made(hunk, [each for here, each in enumerate(hunk.signed) if here != gone], is_right=False)


def _elsewhere(hunk: Hunk, path: str, rng: Random) -> Slipped | None:
    """Old text that is of another file."""
    old = [line.replace(word[0], word[0][::-1]) if (word := WORD.search(line)) else line for line in hunk.old]
    text = file_of(hunk)
    solid = [line for line in old if line.strip()]
    if len(solid) < 2 or any(line.strip() in map(str.strip, hunk.lines) for line in solid) or "\n".join(old) in text:
        return None
    return Slipped("\n".join(old), "\n".join([*old, "    passed = True"]), None)


def _cut_off(hunk: Hunk, path: str, rng: Random) -> Slipped | None:
    """A call that ends in the middle of its new text."""
    agent = rng.choice((CLAUDE, CODEX, CLINE))
    whole = Slipped("\n".join(hunk.old), "\n".join(hunk.new), None)
    raw = spell([whole], path, agent)
    end = len(raw) - len("*** End Patch\n") if agent == CODEX else len(raw) - max(len("\n".join(hunk.new)) // 2, 3)
    return replace(whole, raw=raw[: end - rng.randint(4, 12)])


def _left_out(hunk: Hunk, path: str, rng: Random) -> Slipped | None:
    """New text that has a remark in place of lines."""
    stay = [at for at, (sign, text) in enumerate(hunk.signed) if sign == " " and text.strip()]
    if len(hunk.old) < 4 or len(stay) < 2:
        return None
    opening, closing = comment(path)
    new = [*hunk.new[:1], f"{opening} ... {rng.choice(('existing code', 'rest of the code'))} ...{closing}"]
    return Slipped("\n".join(hunk.old), "\n".join([*new, *hunk.new[-1:]]), None)


def _new_entities(hunk: Hunk, path: str, rng: Random) -> Slipped | None:
    """Entities in the new text alone."""
    new = "\n".join(hunk.new)
    code = _STRING.sub("", "\n".join(text for sign, text in hunk.signed if sign == "+"))
    if path.endswith(_MARKUP) or not re.search(r"[<>]", code):
        return None
    if re.search(r"[<>&]", "".join(hunk.old)) or re.search(r"&\w+;", file_of(hunk)):
        return None
    return Slipped("\n".join(hunk.old), escape(new, quote=False), None)


def _signs(hunk: Hunk, path: str, rng: Random) -> Slipped | None:
    """Signs of a diff in the new text."""
    if not any(sign == "+" and text.strip() for sign, text in hunk.signed) or path.endswith(_MARKUP):
        return None
    new = [f"+{text}" if sign == "+" else text for sign, text in hunk.signed if sign != "-"]
    return Slipped("\n".join(hunk.old), "\n".join(new), None)


def _empty(hunk: Hunk, path: str, rng: Random) -> Slipped | None:
    """No old text, for a file that has lines."""
    added = [text for sign, text in hunk.signed if sign == "+"]
    return Slipped("", "\n".join(added), None) if any(map(str.strip, added)) else None


REFUSED: Mapping[str, Slip] = {
    "equal places": Slip(_twice, is_repairable=False),
    "equal places, shifted": Slip(_twice_shifted, is_repairable=False),
    "a replaced line that has changed": Slip(_stale, is_repairable=False),
    "a line that the call does not know": Slip(_unseen, is_repairable=False),
    "text of another file": Slip(_elsewhere, is_repairable=False),
    "a call that is cut off": Slip(_cut_off, (CLAUDE,), is_repairable=False),
    "a remark in place of lines": Slip(_left_out, LINES, is_repairable=False),
    "entities in the new text alone": Slip(_new_entities, LINES, is_repairable=False),
    "signs of a diff in the new text": Slip(_signs, LINES, is_repairable=False),
    "no old text": Slip(_empty, (CLAUDE, OPENHANDS, CLINE), is_repairable=False),
}
SLIPS: Mapping[str, Slip] = {**REPAIRABLE, **REFUSED}
