"""In: a file's path and an answer's pieces of code. Out: the assistant's words: markers, notes, sentences, fences."""

import re
from collections.abc import Iterator, Sequence
from random import Random

from redraft.data.anchors import is_telling
from redraft.data.enclosing import is_header
from redraft.data.languages import extension, language
from redraft.data.markers import Markers
from redraft.data.phrases import TONGUES
from redraft.data.segments import ELIDED, GONE, NEW, Segment
from redraft.edit.align.spelling import lead_of
from redraft.edit.prompts.fence import fence
from redraft.edit.text.changes import split_lines

_NAME = re.compile(
    r"\b(?:class|def|func|fn|fun|function|interface|struct|trait|enum|impl|module|defmodule|defp?|type|const|let|var|val"
    r"|object|namespace|resource|variable|CREATE TABLE)\*?\s+[`\"']?([\w.:]{3,})"
    r"|^\s*[\"']?([\w.-]{3,})[\"']?\s*[:=](?![:=])|^\s*[\w<>\[\],*&:~\s?]*?\b([a-z_]\w{2,})\s*\([^;]*\)?[^;=]*\{\s*$"
)
_LABELS = (("Before:", "After:"), ("Old:", "New:"), ("Find this", "and make it this"), ("Currently:", "Change it to:"))
_MOST_NAMES = 3
_ENGLISH = 0.6


class Speaker(Markers):
    """The words of one answer: one human language, one way with markers."""

    def __init__(self, path: str, rng: Random) -> None:
        super().__init__(rng, path)
        self.path, self._free = path, rng
        self._says = TONGUES["en" if rng.random() < _ENGLISH else rng.choice(sorted(TONGUES))]
        self._naming = rng.random()

    def marker(self, lines: Sequence[str], start: int, end: int) -> str:
        """What stands for the elided `lines[start:end]`: free words, a usual marker, or bare dots."""
        usual = self.write(lines, start, end)
        if self._free.random() < 0.2:
            return usual if self._free.random() < 0.6 else lead_of(usual) + self._free.choice(("...", "…"))
        found = list(dict.fromkeys(names(lines[start:end])))
        if found and self._free.random() < self._naming:
            said = ", ".join(found[:_MOST_NAMES]) if self._free.random() < 0.5 else self._free.choice(found)
            words = self._free.choice(self._says.naming).format(name=said)
        else:
            words = self._free.choice(self._says.plain)
        opening, closing = self._dialect(lines, start, end)
        return f"{lead_of(usual)}{opening} {words} {closing}".rstrip()

    def gone(self, lines: Sequence[str]) -> tuple[str, ...]:
        """A comment that says that these lines go away; nothing where they have no name."""
        found = list(dict.fromkeys(names(lines)))
        if not found:
            return ()
        opening, closing = self._dialect(lines, 0, 0)
        words = self._free.choice(self._says.gone).format(name=", ".join(found[:_MOST_NAMES]))
        return (f"{lead_of(next(filter(is_telling, lines)))}{opening} {words} {closing}".rstrip(),)

    def heading(self, before: Sequence[Segment]) -> str:
        """The last head of a function or class in the file above a place."""
        lines = (line for segment in reversed(before) if segment.role != NEW for line in reversed(segment.lines))
        return next((line.strip() for line in lines if is_header(line)), "")

    def answer(self, code: Sequence[str], of: Sequence[Sequence[Segment]] | None, tag: str | None = None) -> str:
        """The pieces of code in fences with prose around; `of`, what each of them shows, tells what to say of it."""
        says, parts = self._says, list[str]()
        tag = self._free.choice((language(self.path), extension(self.path), "")) if tag is None else tag
        parts.append(self._free.choice(says.opening).format(path=self.path))
        for number, text in enumerate(code):
            parts.append(self._lead(of[number]) if of else self._free.choice(("", *says.change)))
            parts.append(self._fenced(text, tag))
        parts.append(self._free.choice(says.closing) if self._free.random() < 0.5 else "")
        if self._free.random() < 0.05:
            parts += [self._free.choice(says.example), self._fenced(_EXAMPLE, "")]
        return "\n\n".join(part for part in parts if part)

    def whole(self, text: str) -> str:
        opening = self._free.choice((self._free.choice(self._says.whole), self._free.choice(self._says.opening)))
        return f"{opening.format(path=self.path)}\n\n{self._fenced(text, self._free.choice((language(self.path), '')))}"

    def renamed(self, old: str, new: str, text: str) -> str:
        """A name is another one everywhere, and one of the places is shown."""
        said = self._free.choice(self._says.rename).format(old=old, new=new)
        return f"{said}\n\n{self._fenced(text, self._free.choice((language(self.path), '')))}"

    def goes(self, name: str) -> str:
        return self._free.choice(self._says.gone).format(name=f"`{name}`") + "."

    def pairs(self, pairs: Sequence[tuple[str, str]]) -> str:
        labels, tag, parts = self._free.choice(_LABELS), self._free.choice((language(self.path), "")), list[str]()
        for pair in pairs:
            for label, text in zip(labels, pair, strict=True):
                parts += [label, self._fenced(text, tag)]
        return "\n\n".join([self._free.choice(self._says.opening).format(path=self.path), *parts]).lstrip("\n")

    def _lead(self, part: Sequence[Segment]) -> str:
        """The sentence before a block: it says add or change, or now and then where."""
        kind = self._free.random()
        found = list(names([line for segment in part if segment.role not in (NEW, ELIDED) for line in segment.lines]))
        if kind < 0.3:
            return ""
        if kind < 0.4 and found and not any(segment.role == ELIDED for segment in part):
            return self._free.choice(self._says.after).format(name=found[0])
        only_new = not any(segment.role == GONE for segment in part)
        return self._free.choice(self._says.add if only_new and kind < 0.75 else self._says.change)

    @staticmethod
    def _fenced(text: str, tag: str) -> str:
        ticks = fence(text)
        return f"{ticks}{tag}\n{text}\n{ticks}"


_EXAMPLE = "run_it_once()"


def names(lines: Sequence[str]) -> Iterator[str]:
    """What the lines declare: functions, classes, constants, keys."""
    for line in lines:
        for text in split_lines(line):
            if found := _NAME.search(text):
                yield next(filter(None, found.groups()))
