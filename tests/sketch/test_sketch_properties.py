"""Sketches of random files: what is shown whole is written as it is, what a marker stands for stays, twice is once."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from redraft.edit.answer.parsed import known_of, parsed
from redraft.edit.outline import outline
from redraft.edit.request import Request
from redraft.edit.sketch.read import read_sketch
from redraft.edit.text.changes import split_lines
from redraft.reading import merged

SETTINGS = settings(max_examples=20, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
# Words that say nothing to the readers of sentences, no two of which are alike.
NAMES = ("amber", "birch", "cobalt", "dune", "ember", "fjord", "grove", "heron", "juniper", "kelp", "lotus", "maple")
NEW = ("quartz", "sorrel", "thyme", "umber")


@dataclass(frozen=True)
class Language:
    """How a language writes what the files here are made of."""

    path: str
    unit: str
    imports: str
    function: str
    method: str
    container: str
    sets: str
    returns: str
    marker: str
    closer: str

    def body(self, words: Sequence[str], depth: int) -> list[str]:
        lines = [self.sets.format(word, number) for number, word in enumerate(words, depth)]
        return [self.unit * depth + line for line in (*lines, self.returns.format(words[-1]))]

    def declared(self, head: str, words: Sequence[str], depth: int = 0) -> list[str]:
        ends = [self.unit * depth + self.closer] if self.closer else []
        return [self.unit * depth + head, *self.body(words, depth + 1), *ends]


PYTHON = Language(
    "a.py",
    "    ",
    "import {}",
    "def {}(count):",
    "def {}(self, count):",
    "class Store:",
    "{} = count * {}",
    "return {}",
    "# ... existing code ...",
    "",
)
TYPESCRIPT = Language(
    "a.ts",
    "  ",
    "import {0} from './{0}';",
    "export function {}(count: number) {{",
    "{}(count: number) {{",
    "export class Store {",
    "const {} = count * {};",
    "return {};",
    "// ... existing code ...",
    "}",
)
BOTH = pytest.mark.parametrize("language", [PYTHON, TYPESCRIPT], ids=["python", "typescript"])


@dataclass(frozen=True)
class File:
    language: Language
    imports: list[str]
    functions: list[list[str]]
    methods: list[list[str]]

    @property
    def container(self) -> list[str]:
        return [
            self.language.container,
            *_apart(self.methods, 1),
            *([self.language.closer] if self.language.closer else []),
        ]

    @property
    def lines(self) -> list[str]:
        between = 2 if self.language is PYTHON else 1
        return _apart([self.imports, *self.functions, self.container], between)


def _apart(parts: Sequence[Sequence[str]], blanks: int) -> list[str]:
    found: list[str] = []
    for part in parts:
        found += [*[""] * (blanks if found else 0), *part]
    return found


@st.composite
def files(draw: st.DrawFn, language: Language) -> File:
    names = draw(st.permutations(NAMES))
    imports = [language.imports.format(name) for name in sorted(names[: draw(st.integers(2, 3))])]
    count = draw(st.integers(1, 3))
    words = st.lists(st.sampled_from(NAMES[:8]), min_size=1, max_size=3, unique=True)
    functions = [
        language.declared(language.function.format(f"{name}_all"), draw(words)) for name in names[3 : 3 + count]
    ]
    heads = [language.method.format(f"{name}_one") for name in names[6 : 7 + draw(st.integers(0, 2))]]
    return File(language, imports, functions, [language.declared(head, draw(words), 1) for head in heads])


def text_of(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def fenced(lines: Sequence[str], words: str = "") -> str:
    return f"{words}\n\n```\n{text_of(lines)}```\n" if words else f"```\n{text_of(lines)}```\n"


def read(original: str, update: str, path: str) -> str | None:
    """What the reader writes; None where it is in doubt."""
    known = known_of(outline(split_lines(original), path), path)
    found = read_sketch(original, parsed(original, update, path), known, path)
    return None if found is None else found.text


def is_kept(before: Sequence[str], after: str) -> bool:
    """Whether all lines stand in a text, in their order."""
    rest = iter(after.split("\n"))
    return all(line in rest for line in before if line.strip())


def shrinks(before: Sequence[str], after: str) -> bool:
    """Whether more lines are gone than come: not each has a new version."""
    return sum(map(bool, after.split("\n"))) < sum(map(bool, before))


@BOTH
@SETTINGS
@given(st.data())
def test_a_function_that_is_shown_whole_is_written_as_it_is(language: Language, data: st.DataObject) -> None:
    file = data.draw(files(language))
    at = data.draw(st.integers(0, len(file.functions) - 1))
    line = data.draw(st.integers(1, 2))
    changed = [*file.functions[at]]
    changed[line:line] = [language.unit + language.sets.format(data.draw(st.sampled_from(NEW)), 9)]
    functions = [*file.functions[:at], changed, *file.functions[at + 1 :]]
    right = text_of(File(language, file.imports, functions, file.methods).lines)
    assert read(text_of(file.lines), fenced(changed), language.path) == right


@BOTH
@SETTINGS
@given(st.data())
def test_a_new_member_behind_a_marker_comes_last_and_costs_no_line(language: Language, data: st.DataObject) -> None:
    file = data.draw(files(language))
    new = language.declared(language.method.format("sorrel_one"), ["quartz"], 1)
    blank = data.draw(st.sampled_from([[], [""]]))
    ends = [language.closer] if language.closer else []
    shown = [language.container, language.unit + language.marker, *blank, *new, *ends]
    right = text_of(File(language, file.imports, file.functions, [*file.methods, new]).lines)
    assert read(text_of(file.lines), fenced(shown), language.path) == right


@BOTH
@SETTINGS
@given(st.data())
def test_a_new_import_among_imports_is_a_union(language: Language, data: st.DataObject) -> None:
    file = data.draw(files(language))
    new = language.imports.format(data.draw(st.sampled_from(NEW)))
    known = data.draw(st.sampled_from([[], file.imports[:1], file.imports]))
    shown = data.draw(st.sampled_from([[*known, new], [new, *known]]))
    words = data.draw(st.sampled_from(["", "Add the import:"]))
    found = read(text_of(file.lines), fenced(shown, words), language.path)
    assert found is not None or not words
    if found is not None:
        assert is_kept(file.lines, found)
        assert Counter(found.split("\n"))[new] == 1
        assert sorted([*file.imports, new]) == sorted(line for line in found.split("\n") if line.startswith("import"))


@st.composite
def shown_lines(draw: st.DrawFn, file: File, is_marked: bool) -> list[str]:
    """Lines of the file and new ones in any order, with markers anywhere, or between all of them."""
    language = file.language
    fresh = [language.unit * draw(st.integers(0, 2)) + language.sets.format(name, 7) for name in NEW]
    any_line = st.one_of(st.sampled_from(file.lines), st.sampled_from(fresh), st.just(language.marker))
    stretch = st.integers(0, len(file.lines) - 1).flatmap(
        lambda start: st.integers(1, 5).map(lambda size: file.lines[start : start + size])
    )
    parts = draw(st.lists(st.one_of(any_line.map(lambda line: [line]), stretch), min_size=1, max_size=5))
    lines = [line for part in parts for line in part]
    return [each for line in lines for each in (line, language.marker)] if is_marked else lines


@BOTH
@pytest.mark.parametrize("words", ["", "Add this:", "Insert these lines into the file:"])
@SETTINGS
@given(st.data())
def test_no_answer_is_too_odd_and_what_adds_takes_nothing(words: str, language: Language, data: st.DataObject) -> None:
    file = data.draw(files(language))
    found = read(text_of(file.lines), fenced(data.draw(shown_lines(file, False)), words), language.path)
    assert found is None or not words or is_kept(file.lines, found) or not shrinks(file.lines, found)


@BOTH
@SETTINGS
@given(st.data())
def test_what_stands_between_markers_takes_nothing(language: Language, data: st.DataObject) -> None:
    file = data.draw(files(language))
    found = read(text_of(file.lines), fenced(data.draw(shown_lines(file, True))), language.path)
    assert found is None or is_kept(file.lines, found)


@BOTH
@SETTINGS
@given(st.data())
def test_twice_is_once(language: Language, data: st.DataObject) -> None:
    file = data.draw(files(language))
    words = data.draw(st.sampled_from(["", "Add this:", "Change this:"]))
    update = fenced(data.draw(shown_lines(file, False)), words)
    once = read(text_of(file.lines), update, language.path)
    assert once is None or read(once, update, language.path) in (None, once)


SAID = (
    "Replace `{}` with:",
    "Replace the function `{}` with this version:",
    "Update `{}`:",
    "Rewrite `{}` like this:",
    "Simplify `{}`:",
    "I refactored `{}`:",
    "Updated code:",
)


@SETTINGS
@given(st.permutations(NAMES), st.sampled_from(SAID))
def test_a_whole_function_takes_the_place_of_the_one_that_the_words_name(names: Sequence[str], said: str) -> None:
    one, two, *words = names
    head = PYTHON.function.format(two)
    old, new = [head, "    log(count)", "    return count"], [head, "    return ordered(count)"]
    file = [*PYTHON.declared(PYTHON.function.format(one), words[:3]), "", "", *old]
    update = "\n".join([said.format(two), "", "```", *new, "```", ""])
    result = merged(Request("\n".join(file) + "\n", update, "", PYTHON.path))
    assert (result.status, result.output) == ("applied", "\n".join([*file[: -len(old)], *new]) + "\n")
