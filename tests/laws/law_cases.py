"""In: nothing. Out: small files with an answer each and the text that it means, as Hypothesis makes them."""

from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

from redraft.edit.answer.answer import parse
from redraft.laws.change import Broken, Change
from redraft.laws.laws import LAWS

# Words that say nothing to the readers of sentences, no two of which are alike.
WORDS = ("amber", "birch", "cobalt", "dune", "ember", "fjord", "grove", "heron", "iris", "juniper", "kelp", "lotus")
KINDS = {  # how a kind of file writes one of several members, a marker, and what is around them
    "a.py": ("    {0} = {1}", "    # ... existing code ...", "class Store:", ""),
    "a.rb": ("  attribute :{0}, {1}", "  # ... existing code ...", "class Store", "end"),
    "a.ts": ("  {0}: number = {1};", "  // ... existing code ...", "class Store {", "}"),
    "a.yaml": ("  {0}: {1}", "  # ... existing code ...", "store:", ""),
    "a.css": ("  --{0}: {1}px;", "  /* ... existing code ... */", ".store {", "}"),
}


@dataclass(frozen=True)
class Small:
    """A container of members in a file, its answer as blocks between fences, and the text that is right."""

    path: str
    original: Sequence[str]
    update: Sequence[str]
    right: Sequence[str]
    members: Sequence[str]

    def against(self, text: Sequence[str], law: str = "") -> Broken | None:
        """The first law that a text breaks, or what one law has against it."""
        original, written = ("".join(f"{line}\n" for line in lines) for lines in (self.original, text))
        answer = parse("\n".join(self.update), list(self.original), self.path)
        change = Change.of(original, answer, written, self.path)
        laws = [LAWS[law]] if law else LAWS.values()
        return next(filter(None, (each(change) for each in laws)), None)


@st.composite
def additions(draw: st.DrawFn) -> Small:
    """A new member behind a marker for all that there are."""
    path = draw(st.sampled_from(sorted(KINDS)))
    line, marker, head, tail = KINDS[path]
    names = draw(st.lists(st.sampled_from(WORDS), min_size=3, max_size=7, unique=True))
    texts = [line.format(name, number) for number, name in enumerate(names, 10)]
    *old, new = texts
    end = [tail] if tail else []
    return Small(
        path,
        [head, *old, *end],
        ["```", head, marker, new, *end, "```"],
        [head, *old, new, *end],
        old,
    )


@st.composite
def replacements(draw: st.DrawFn) -> Small:
    """A member with another value between two that stay, all shown."""
    path = draw(st.sampled_from(sorted(KINDS)))
    line, _, head, tail = KINDS[path]
    names = draw(st.lists(st.sampled_from(WORDS), min_size=4, max_size=7, unique=True))
    old = [line.format(name, number) for number, name in enumerate(names, 10)]
    at = draw(st.integers(1, len(old) - 2))
    new = line.format(names[at], 77)
    end = [tail] if tail else []
    return Small(
        path,
        [head, *old, *end],
        ["```", old[at - 1], new, old[at + 1], "```"],
        [head, *old[:at], new, *old[at + 1 :], *end],
        old,
    )


def without(lines: Sequence[str], line: str) -> list[str]:
    return [each for each in lines if each != line]
