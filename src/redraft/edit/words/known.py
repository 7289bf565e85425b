"""In: a file's lines, the names it declares and its words. Out: which of them a piece of text means."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice

from msgspec import Struct

from redraft.edit.text.changes import common
from redraft.edit.text.lines import without_numbers
from redraft.edit.words.comments import comment_body

LONGEST_QUOTE = 200  # characters; a longer piece of code is no name

_QUALIFIED = re.compile(r"[\w$]+(?:(?:\.|::|#|->)[\w$!?]+)+")
_DOTTED = re.compile(r"[A-Za-z_$][\w$-]*(?:\.[A-Za-z_$][\w$-]*)+")
_NAME = re.compile(r"[A-Za-z_$][\w$-]*[!?]?")
_SIGNATURE_END = re.compile(r"\s*(?:\(.*\)?|<.*>|\[.*\])?\s*[:{;,]?\s*", re.DOTALL)
_DECLARING = re.compile(
    r"(?:(?:export|default|public|private|protected|internal|static|async|abstract|final|pub(?:\([a-z]+\))?|override"
    r"|const|inline|unsafe|open|suspend|virtual)\s+){0,5}"
    r"(?:def|class|func|function\*?|fn|fun|sub|struct|interface|enum|trait|impl|type|module|namespace|record|object"
    r"|protocol|const|let|var|val|macro_rules!|#define|void|int|bool|string|boolean)\s+(?:\([^()]*\)\s*)?"
    r"([\w$.:]+[!?]?)"
)
_SHORTEST_PIECE = 8  # characters of a part of a line that tell which line it is
_LEAST_WORDS, _SAME, _AMENDED = 5, 2, 2  # of a comment; by which it is looked up; that may be others
_WORD = re.compile(r"\w+")
_ARITY = re.compile(r"(?<=\w)/\d$")
_IMPORTING = re.compile(r"(?:import|from|use|using|#\s*include|require|require_once|alias|open)\b|.*\brequire\(")
_WORD_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_a-zA-Z]+")

Words = tuple[str, ...]


class Known(Struct, frozen=True, dict=True):
    """`lines`: the file's lines, stripped; `declared`: names that it declares; `words`: all its identifiers;
    `overloaded`: names that it declares more than once; `path`: its own."""

    lines: frozenset[str] = frozenset()
    declared: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    overloaded: frozenset[str] = frozenset()
    path: str = ""

    @cached_property
    def parts(self) -> frozenset[str]:
        """The words that the identifiers are made of, in lower case: `parseRow` gives parse and row."""
        return parts_of(self.words | self.declared) | {word.lower() for word in self.words}

    @cached_property
    def _unnumbered(self) -> frozenset[str]:
        return frozenset(without_numbers(line) for line in self.lines)

    def has_version(self, text: str) -> bool:
        """Whether the file has a line, or one that this comments out, or the same with other numbers, or a comment that
        is the same but for a word or two."""
        return bool(text) and (
            text in self.lines
            or comment_body(text) in self.lines
            or without_numbers(text) in self._unnumbered
            or self._is_amended(text)
        )

    def _is_amended(self, text: str) -> bool:
        """Whether a comment says what one of the file says but for a word or two, or in another order."""
        words = tuple(text.split())
        if len(words) < _LEAST_WORDS:
            return False
        own = frozenset(_WORD.findall(text.lower()))
        others = (other for other in self._comment_words if len(own & other) >= _LEAST_WORDS)
        if any(max(len(own - other), len(other - own)) <= _AMENDED for other in others):
            return True
        near = (*self._comments[0].get(words[:_SAME], ()), *self._comments[1].get(words[-_SAME:], ()))
        return any(_differing(words, other) <= _AMENDED for other in near)

    @cached_property
    def _comments(self) -> tuple[Mapping[Words, Sequence[Words]], Mapping[Words, Sequence[Words]]]:
        """The words of each comment, by its first ones and by its last ones."""
        firsts: dict[Words, list[Words]] = defaultdict(list)
        lasts: dict[Words, list[Words]] = defaultdict(list)
        for words in (tuple(line.split()) for line in self._comment_lines):
            if len(words) >= _LEAST_WORDS:
                firsts[words[:_SAME]].append(words)
                lasts[words[-_SAME:]].append(words)
        return firsts, lasts

    @cached_property
    def _comment_words(self) -> Sequence[frozenset[str]]:
        """The words of each comment, in any order."""
        found = (frozenset(_WORD.findall(line.lower())) for line in self._comment_lines)
        return [words for words in found if len(words) >= _LEAST_WORDS]

    @cached_property
    def _comment_lines(self) -> Sequence[str]:
        return [line for line in self.lines if comment_body(line) is not None]

    @cached_property
    def is_plain(self) -> bool:
        """Whether the file has no sign beyond ASCII."""
        return all(map(str.isascii, self.lines))

    @cached_property
    def _text(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)

    @cached_property
    def _imports(self) -> tuple[str, ...]:
        return tuple(line for line in self.lines if _IMPORTING.match(line))

    @cached_property
    def _bare_lines(self) -> dict[str, str]:
        return {bare_line(line): line for line in self.lines if line}

    def name(self, text: str) -> str:
        """The declared name that a piece of text is, `Class.method` for one with its owner; "" where it is none."""
        text = _ARITY.sub("", text.strip()).removesuffix("()") if len(text) <= LONGEST_QUOTE else ""
        if text in self.declared:
            return text
        if (text := text.lstrip("#.&*@")) in self.declared:
            return text
        if _QUALIFIED.fullmatch(text):
            names = self._steps(re.split(r"\.|::|#|->", text))
            return ".".join(names) if names and text.endswith(names[-1]) else ""
        return self._by_end.get(text, "")

    @cached_property
    def _by_end(self) -> dict[str, str]:
        """The declared names with dots in them by their last part, where one alone ends so: `open` for `exports.open`;
        not what is imported."""
        own = (name for name in self.declared if _DOTTED.fullmatch(name))
        dotted = {name: name.rpartition(".")[2] for name in own if not any(name in line for line in self._imports)}
        ends = Counter(dotted.values())
        return {end: name for name, end in dotted.items() if ends[end] == 1}

    def _steps(self, words: list[str]) -> list[str]:
        """The declared names among words that dots part, also those with dots in them."""
        names: list[str] = []
        while words:
            ends = (end for end in range(len(words), 0, -1) if ".".join(words[:end]) in self.declared)
            end = next(ends, 0)
            names += [".".join(words[:end])] * bool(end)
            words = words[end or 1 :]
        return names

    def line(self, text: str) -> str:
        """The line of the file that a piece of text is but for a separator at its end; "" where it is none."""
        text = text.strip()
        return text if text in self.lines else self._bare_lines.get(bare_line(text), "") if text else ""

    def holding(self, text: str) -> str:
        """The one line that a piece of text is a part of."""
        return only(self.having(text)) if _SHORTEST_PIECE <= len(text) <= LONGEST_QUOTE else ""

    def having(self, text: str) -> Iterator[str]:
        """The lines that a piece of text is a part of, each once."""
        at = self._text.find(text)
        while at >= 0 and "\n" not in text:
            start, end = self._text.rfind("\n", 0, at) + 1, self._text.find("\n", at)
            yield self._text[start:end]
            at = self._text.find(text, end)

    def has(self, text: str) -> bool:
        """Whether some line holds a piece of text, its words whole."""
        if not text or len(text) > LONGEST_QUOTE:
            return False
        piece = whole_piece(text)
        return any(piece.search(line) for line in self.having(text))

    def imported(self, text: str) -> str:
        """The line that imports something, where one does: `using System;` for `System`."""
        if len(text) > LONGEST_QUOTE:
            return ""
        return only(filter(re.compile(rf"(?<![\w.]){re.escape(text)}(?![\w.])").search, self._imports))

    def resolved(self, quoted: str) -> str:
        """What quoted code means: a declared name, a line of the file, or the name that a header declares."""
        if len(quoted) > LONGEST_QUOTE:
            return ""
        if found := self.name(quoted) or self.line(quoted) or self.name(quoted.strip("\"'")):
            return found
        if found := self.declares(quoted):
            return found
        if (call := re.match(r"[\w$.:#]+(?=[(<])", quoted)) and _SIGNATURE_END.fullmatch(quoted, call.end()):
            name, head = self.name(call[0]), quoted.strip().rstrip(":{;, ")
            return head if name in self.overloaded and self.holding(head) else self._calling(quoted) or name
        return ""

    def declares(self, text: str) -> str:
        """The name that a header declares."""
        header = _DECLARING.match(text)
        return self.name(header[1]) if header and _SIGNATURE_END.fullmatch(text, header.end()) else ""

    def _calling(self, text: str) -> str:
        """The one line that calls something with just these arguments, where none declares it so."""
        line = "" if text.rstrip(";").endswith("()") else only(self.having(text))
        return "" if _DECLARING.match(line) else line


def _differing(one: Words, other: Words) -> int:
    """How many words lie between the first ones and the last ones that two texts have in common, at most."""
    start = common(one, other)
    rest = one[start:][::-1], other[start:][::-1]
    return max(map(len, rest)) - common(*rest)


def only(lines: Iterable[str]) -> str:
    """One line, where there is no other; "" for none or several."""
    first = list(islice(lines, 2))
    return first[0] if len(first) == 1 else ""


def whole_piece(text: str) -> re.Pattern[str]:
    """Finds a piece of text that begins and ends where words do."""
    return re.compile(rf"(?:(?<![\w$])|(?![\w$])){re.escape(text)}(?:(?![\w$])|(?<![\w$]))")


def parts_of(words: Iterable[str]) -> frozenset[str]:
    """The words that identifiers are made of, in lower case."""
    return frozenset(part.lower() for word in words for part in _WORD_PARTS.findall(word))


def is_import(text: str) -> bool:
    """Whether a line brings in names of other files."""
    return _IMPORTING.match(text.strip()) is not None


def bare_line(text: str) -> str:
    """A line without a separator at its end."""
    return text.strip().rstrip(",;:{ ") or text.strip()


def is_word(text: str) -> bool:
    """Whether a text may be a name and nothing more: `load`, `Store.load()`."""
    return re.fullmatch(r"[\w.:#$-]+(?:\(\))?", text) is not None


def is_identifier(text: str) -> bool:
    """Whether a word looks like a name in code: `parse_row`, `parseRow`, `Store.close`, `main()`."""
    return bool(_NAME.match(text)) and (
        "_" in text.strip("_") or text.endswith("()") or bool(re.search(r"[a-z\d][A-Z]|\w(?:\.|::)\w", text))
    )
