"""In: an edit. Out: the answer of an assistant that leaves out, retells and words freely, and what stands for what.

The right file is known: it is the edit's. `lessons` makes the wrong ones.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, zip_longest
from random import Random

from redraft.data.anchors import context, is_telling
from redraft.data.drift_prose import Speaker, names
from redraft.data.enclosing import block, headers, is_header
from redraft.data.languages import comment
from redraft.data.manners import dedent
from redraft.data.pieces import Changed
from redraft.data.retelling import retold
from redraft.data.segments import ELIDED, GONE, KEPT, NEW, Segment, runs, segments
from redraft.data.sketch import LONGEST_BLOCK, is_code
from redraft.edit.align.spelling import lead_of
from redraft.edit.text.changes import line_changes, split_lines

# What assistants leave out, of 146 blocks of public logs.
NO_FIRST_MARKER, NO_LAST_MARKER, NO_INNER_MARKER = 0.67, 0.41, 0.06
FAITHFUL = 0.2
LONGEST_WHOLE = 90


@dataclass(frozen=True)
class Drifted:
    """An answer, the way it is written in, and the file in segments."""

    update: str
    style: str
    segments: tuple[Segment, ...]


_WORD = re.compile(r"(\w+)")
Writer = Callable[[Sequence[Segment], Speaker, Random], str | None]


def drift(before: str, after: str, style: str, seed: int, path: str) -> Drifted | None:
    """The answer in one of DRIFT_STYLES, the same for the same arguments; None where the edit cannot be told so."""
    old, new = split_lines(before), split_lines(after)
    edit = Changed(old, new, line_changes(old, new), path)
    if not old or not edit.hunks or before.endswith("\n") != after.endswith("\n"):
        return None
    rng = Random(f"drift {style} {seed} {path} {len(before)} {len(after)}")
    kept = _kept(edit, style, rng)
    if kept is None:
        return None
    found = segments(edit, kept)
    if not is_code([line for segment in found if segment.role != ELIDED for line in segment.lines]):
        return None
    if style != "whole" and rng.random() >= FAITHFUL:  # what a whole file retells, nobody could tell from a change
        found = retold(found, path, rng)
    speaker = Speaker(path, rng)
    marked = _marked(found, speaker, rng)
    text = _WRITERS[style](marked, speaker, rng)
    return None if text is None else Drifted(text.rstrip("\n") + "\n", f"drift-{style}", tuple(marked))


def _kept(edit: Changed, style: str, rng: Random) -> set[int] | None:
    """The lines that are shown: all of a small file, else as much as gives every change one place."""
    if style == "whole":
        return set(range(len(edit.before))) if len(edit.before) <= LONGEST_WHOLE else None
    kept = context(edit.before, edit.hunks, rng.choice((1, 2, 3, 3, 4, 6)), True)
    return None if kept is None else _widened(edit, kept, rng)


def _widened(edit: Changed, kept: set[int], rng: Random) -> set[int]:
    """The context, with the heads around the changes or the whole functions, as some assistants show them."""
    kind = rng.random()
    if kind < 0.35:
        return kept | {number for hunk in edit.hunks for number in headers(edit.before, hunk)}
    if kind < 0.6:
        found = [lines for hunk in edit.hunks if (lines := block(edit.before, hunk)) and len(lines) <= LONGEST_BLOCK]
        return kept | {number for lines in found for number in lines}
    return kept


def _marked(found: Sequence[Segment], speaker: Speaker, rng: Random) -> list[Segment]:
    """With markers where a careless assistant has them, and notes or nothing for what goes."""
    marked, lines = list[Segment](), [line for s in found if s.role not in (NEW,) for line in s.lines]
    at = 0
    for number, segment in enumerate(found):
        end = at + (len(segment.lines) if segment.role != NEW else 0)
        if segment.role == ELIDED:
            missing = NO_FIRST_MARKER if not at else NO_LAST_MARKER if end == len(lines) else NO_INNER_MARKER
            text = speaker.marker(lines, at, end)
            segment = replace(segment, told=() if rng.random() < missing else (text,))
        elif segment.role == GONE:
            segment = replace(segment, told=_note(found, number, speaker, rng))
        marked.append(segment)
        at = end
    return marked


def _note(found: Sequence[Segment], number: int, speaker: Speaker, rng: Random) -> tuple[str, ...]:
    """A comment that says what is gone, where nothing comes instead of it."""
    segment = found[number]
    beside = {other.role for other in found[max(0, number - 1) : number + 2]}
    return () if NEW in beside or rng.random() < 0.6 else speaker.gone(segment.lines)


def _shown(found: Sequence[Segment]) -> list[str]:
    return [line for segment in found for line in segment.told]


def _snippet(found: Sequence[Segment], speaker: Speaker, rng: Random) -> str | None:
    code = "\n".join(_shown(found))
    return code if rng.random() < 0.15 else speaker.answer([code], [found])


def _blocks(found: Sequence[Segment], speaker: Speaker, rng: Random) -> str | None:
    parts = [found[start:end] for start, end in runs(found)]
    parts = [part for part in parts if any(segment.role in (NEW, GONE) for segment in part)]
    shown = [_shown(part) for part in parts]
    if rng.random() < 0.35:
        shown = [dedent(lines) for lines in shown]
    order = list(range(len(parts)))
    if rng.random() < 0.25:
        rng.shuffle(order)
    if not all(any(map(is_telling, lines)) for lines in shown):
        return None
    return speaker.answer(["\n".join(shown[at]) for at in order], [parts[at] for at in order])


def _signed(found: Sequence[Segment], speaker: Speaker, rng: Random) -> str | None:
    """Lines with diff signs and no header, among markers and unsigned lines."""
    space, after = rng.choice(("", " ")), rng.choice(("", " "))
    gone = rng.random() < 0.85
    lines = list[str]()
    for segment in found:
        if segment.role == NEW:
            lines += [f"+{after}{line}".rstrip() for line in segment.lines]
        elif segment.role == GONE:
            lines += [f"-{after}{line}".rstrip() for line in segment.lines] if gone else []
        else:
            lines += [f"{space}{line}".rstrip() for line in segment.told]
    return speaker.answer(["\n".join(lines)], [found], "diff" if space and rng.random() < 0.3 else None)


def _signs(part: Sequence[Segment]) -> list[str]:
    signs = {NEW: "+", GONE: "-", KEPT: " ", ELIDED: " "}
    return [signs[s.role] + line for s in part for line in (s.lines if s.role in (NEW, GONE) else s.told)]


def _patch(found: Sequence[Segment], speaker: Speaker, rng: Random) -> str | None:
    """The envelope of some agents: places are named by the head of their function."""
    lines = ["*** Begin Patch", f"*** Update File: {speaker.path}"]
    for start, end in runs(found):
        if any(segment.role in (NEW, GONE) for segment in found[start:end]):
            lines += [f"@@ {speaker.heading(found[:start])}".rstrip(), *_signs(found[start:end])]
    text = "\n".join([*lines, "*** End Patch"])
    return text if rng.random() < 0.5 else speaker.answer([text], [found], rng.choice(("", "diff", "patch")))


def _hunks(found: Sequence[Segment], speaker: Speaker, rng: Random) -> str | None:
    """A diff whose numbers are made up."""
    lines = [f"--- a/{speaker.path}", f"+++ b/{speaker.path}"] if rng.random() < 0.7 else []
    for start, end in runs(found):
        signed = _signs(found[start:end])
        number, count = rng.randint(1, 200), rng.randint(1, 30)
        lines += [rng.choice((f"@@ -{number},{count} +{number},{count + 2} @@", "@@", "@@ ... @@")), *signed]
    return speaker.answer(["\n".join(lines)], [found], "diff")


def _pairs_of(found: Sequence[Segment]) -> list[tuple[str, str]] | None:
    made = []
    for start, end in runs(found):
        part = found[start:end]
        old = [line for s in part if s.role != NEW for line in (s.lines if s.role == GONE else s.told)]
        new = [line for s in part if s.role != GONE for line in s.told]
        if not any(map(is_telling, old)):
            return None
        if any(segment.role in (NEW, GONE) for segment in part):
            made.append(("\n".join(old), "\n".join(new)))
    return made


def _search(found: Sequence[Segment], speaker: Speaker, rng: Random) -> str | None:
    pairs = _pairs_of(found)
    if pairs is None:
        return None
    blocks = [f"<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE" for old, new in pairs]
    return speaker.answer([f"{speaker.path}\n{text}" if rng.random() < 0.5 else text for text in blocks], None, "")


def _pairs(found: Sequence[Segment], speaker: Speaker, rng: Random) -> str | None:
    pairs = _pairs_of(found)
    return None if pairs is None else speaker.pairs(pairs)


def _gutter(found: Sequence[Segment], speaker: Speaker, rng: Random) -> str | None:
    """Each line behind its number in the file, roughly, and a bar."""
    number, bar, lines = rng.randint(1, 4), rng.choice((" | ", "| ", ": ", " │ ")), list[str]()
    for segment in found:
        for line in segment.told if segment.role != GONE else ():
            plain = segment.role == ELIDED
            lines.append(line if plain else f"{number:>4}{bar}{line}".rstrip())
            number += not plain
        number += len(segment.lines) if segment.role == ELIDED else 0
    return speaker.answer(["\n".join(lines)], [found])


def _commented(found: Sequence[Segment], speaker: Speaker, rng: Random) -> str | None:
    """The old lines stand as comments above the new ones."""
    opening, closing = comment(speaker.path)
    told = list[Segment]()
    for segment in found:
        if segment.role == GONE and any(map(is_telling, segment.lines)):
            old = [f"{lead_of(s)}{opening} {s.strip()} {closing}".rstrip() for s in segment.lines if s.strip()]
            head = f"{lead_of(segment.lines[0])}{opening} {rng.choice(('old:', 'before:', 'was:', 'OLD'))} {closing}"
            segment = replace(segment, told=(head.rstrip(), *old))
        told.append(segment)
    is_any = any(segment.role == GONE and any(map(is_telling, segment.lines)) for segment in found)
    return speaker.answer(["\n".join(_shown(told))], [found]) if is_any and not closing else None


def _whole(found: Sequence[Segment], speaker: Speaker, rng: Random) -> str | None:
    return speaker.whole("\n".join(_shown([s for s in found if s.role != GONE])))


def _skeleton(found: Sequence[Segment], speaker: Speaker, rng: Random) -> str | None:
    """What is left out shows the heads of its functions, their bodies abbreviated on the same line."""
    told = [replace(s, told=tuple(_heads(s.lines, rng)) or s.told) if s.role == ELIDED else s for s in found]
    return None if told == list(found) else speaker.answer(["\n".join(_shown(told))], [found])


def _heads(lines: Sequence[str], rng: Random) -> Iterator[str]:
    body = rng.choice(("...", "/* ... */", "/* as before */", "…"))
    for line in lines:
        if is_header(line) and line.rstrip().endswith("{"):
            yield f"{line.rstrip()} {body} }}"
        elif is_header(line) and line.rstrip().endswith(":"):
            yield f"{line.rstrip()} ..."


def _told(found: Sequence[Segment], speaker: Speaker, rng: Random) -> str | None:
    """What only goes is told in prose, by its name; the rest is shown."""
    parts = [found[start:end] for start, end in runs(found)]
    gone = [part for part in parts if any(s.role == GONE for s in part) and not any(s.role == NEW for s in part)]
    shown = [part for part in parts if any(s.role == NEW for s in part)]
    declared = list(names([line for s in found if s.role != NEW for line in s.lines]))
    said = [_declared(s) for part in gone for s in part if s.role == GONE]
    if not gone or not all(name and declared.count(name) == 1 for name in said):
        return None
    sentences = " ".join(map(speaker.goes, said))
    answer = speaker.answer(["\n".join(_shown(part)) for part in shown], shown) if shown else ""
    return "\n\n".join(filter(None, (sentences, answer) if rng.random() < 0.5 else (answer, sentences)))


def _declared(gone: Segment) -> str:
    """The name of the function or class that goes, "" where it is something else."""
    first = next(filter(is_telling, gone.lines), "")
    return next(names([first]), "") if is_header(first) else ""


def _rename(found: Sequence[Segment], speaker: Speaker, rng: Random) -> str | None:
    """A name that is another one everywhere is told in prose, with its first place."""
    pairs = [(one, other) for one, other in pairwise(found) if one.role == GONE and other.role == NEW]
    if len(pairs) < 2 or 2 * len(pairs) != sum(s.role in (GONE, NEW) for s in found):
        return None
    changed = {_renaming(old, new) for one, other in pairs for old, new in zip_longest(one.lines, other.lines)}
    if len(changed) != 1 or None in changed:
        return None
    [(old, new)] = filter(None, changed)
    start, end = next(runs(found))
    rest = [line for s in found for line in (s.lines if s.role != GONE else ())]
    if any(re.search(rf"\b{re.escape(old)}\b", line) for line in rest):
        return None
    return speaker.renamed(old, new, "\n".join(_shown(found[start:end])))


def _renaming(old: str | None, new: str | None) -> tuple[str, str] | None:
    """The word and the other one by which alone two lines differ."""
    first, second = (_WORD.split(line or "") for line in (old, new))
    changed = {(a, b) for a, b in zip_longest(first, second, fillvalue="") if a != b}
    [pair] = changed if len(changed) == 1 else [None]
    return pair if pair and all(map(str.isidentifier, pair)) else None


_WRITERS: dict[str, Writer] = {
    "snippet": _snippet,
    "blocks": _blocks,
    "signed": _signed,
    "patch": _patch,
    "hunks": _hunks,
    "search": _search,
    "pairs": _pairs,
    "gutter": _gutter,
    "commented": _commented,
    "whole": _whole,
    "skeleton": _skeleton,
    "told": _told,
    "rename": _rename,
}
DRIFT_STYLES = tuple(_WRITERS)
