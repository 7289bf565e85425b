"""In: an answer and its request. Out: the words and names of which they speak."""

import re
from functools import cached_property
from itertools import chain

from redraft.edit.answer.answer import Answer
from redraft.edit.merge.lines.differing import is_name, stems, tokens
from redraft.edit.words import Directive, Known, directives
from redraft.edit.words.hints import speaks_of

_QUOTED = re.compile(r"`([^`\n]{1,120})`|\"([^\"\n]{2,80})\"")
_SHORTEST = 2  # letters of a name that tells nothing


class Speech:
    """The words around the code of an answer, and those of the request."""

    def __init__(self, answer: Answer, asked: str, known: Known) -> None:
        self._answer, self._asked, self._known = answer, asked, known

    @cached_property
    def removes(self) -> bool:
        return any(speaks_of("removal", text) for text in (self._answer.prose, self._asked))

    @cached_property
    def only_adds(self) -> bool:
        return {directive.verb for directive in self.directives if directive.verb} == {"add"}

    @cached_property
    def directives(self) -> list[Directive]:
        """What the answer's words say of places and names, in their order."""
        return [*chain.from_iterable(directives(text, self._known) for text in self._answer.passages)]

    @cached_property
    def asked(self) -> set[str]:
        """The words of the request."""
        return stems(self._asked)

    @cached_property
    def asked_names(self) -> set[str]:
        return set(tokens(self._asked))

    @cached_property
    def spoken(self) -> set[str]:
        """Words of request and answer, without those that only name places."""
        prose = self._answer.prose
        for name in (name for directive in self.directives for place in directive.places for name in place.names):
            prose = prose.replace(name, " ") if len(name) > _SHORTEST else prose
        return stems(" ".join((prose, *self._answer.notes))) | self.asked

    @cached_property
    def quoted(self) -> set[str]:
        said = f"{self._answer.prose}\n{self._asked}"
        return {*tokens("\n".join(map("\n".join, _QUOTED.findall(said))))}

    @cached_property
    def mentioned(self) -> set[str]:
        """Words and names as they are spelled."""
        return set(tokens(f"{self._answer.prose} {self._asked}"))

    @cached_property
    def declared(self) -> set[str]:
        """The names of which words speak and that the file declares."""
        return {*filter(is_name, self.mentioned & self._known.declared)}
