"""In: outcomes or records. Out: the same by system, size class, language and style, and what counts as exact."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from redraft.data import sizes
from redraft.edit.guard.check import WRITTEN
from redraft.measure.accuracy.outcome import Outcome


def is_exact(outcome: Outcome) -> bool:
    """Whether what is written is what was expected; a refused edit is not."""
    return outcome.status in WRITTEN and outcome.exact


def exact(outcomes: Iterable[Outcome]) -> list[bool]:
    return [is_exact(outcome) for outcome in outcomes]


def by_system(outcomes: Iterable[Outcome]) -> dict[str, list[Outcome]]:
    """In the order in which the systems appear."""
    found: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        found[outcome.system].append(outcome)
    return dict(found)


class Measured(Protocol):
    """A case that was run; "error" is the status of one that failed."""

    @property
    def status(self) -> str: ...


Some = TypeVar("Some", bound=Measured)


@dataclass(frozen=True)
class Grouping:
    """A way to group what was measured; `name` is that of its picture."""

    title: str
    name: str
    key: Callable[[Any], str]

    def groups(self, outcomes: Sequence[Some]) -> dict[str, list[Some]]:
        """Size classes from small to large, all else by the alphabet; "" is unknown."""
        names = {self.key(outcome) or "unknown" for outcome in outcomes}
        order = [*(name for name in sizes.NAMES if name in names), *sorted(names.difference(sizes.NAMES))]
        found: dict[str, list[Some]] = {name: [] for name in order}
        for outcome in outcomes:
            found[self.key(outcome) or "unknown"].append(outcome)
        return found


BY_SET = Grouping("set", "by_set", lambda one: one.set)
BY_SIZE = Grouping("size class, lines", "by_size", lambda one: one.bucket)
BY_LANGUAGE = Grouping("language", "by_language", lambda one: one.language)
BY_STYLE = Grouping("style of the sketch", "by_style", lambda one: one.style)
