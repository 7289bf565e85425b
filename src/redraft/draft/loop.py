"""In: a verifier (the model and its cache), a prompt and a drafter. Out: what each forward adds to the output."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from redraft.draft import Drafter, Logprobs, Origin
from redraft.draft.accept import emit
from redraft.draft.length import Policy


@dataclass(frozen=True)
class Targets:
    """The model's own next token after each id that was fed, its top-1 to top-2 margin, and log-probabilities if asked.

    Those inside the prompt may be left out: the loop reads from the end.
    """

    ids: Sequence[int]
    margins: Sequence[float]
    logprobs: Sequence[Logprobs] = ()


class Verifier(Protocol):
    """A model with a cache that can be rolled back."""

    def step(self, ids: Sequence[int]) -> Targets:
        """Feed `ids` after what is cached."""
        ...

    def rollback(self, n: int) -> None:
        """Forget the last `n` ids that were fed; `n` may be 0."""
        ...


@dataclass(frozen=True)
class Accepted:
    """What one forward added: `accepted` of the `drafted` ids, then the model's own token unless the output ended."""

    ids: tuple[int, ...]
    origins: tuple[Origin, ...]
    margins: tuple[float, ...]
    drafted: int
    accepted: int
    logprobs: tuple[Logprobs, ...] = ()


def speculate(
    verifier: Verifier,
    prompt_ids: Sequence[int],
    drafter: Drafter,
    policy: Policy,
    end_ids: Collection[int],
    max_tokens: int,
) -> Iterator[Accepted]:
    """The ids that one-token-at-a-time decoding gives, through the first end token, in at most as many forwards.

    `prompt_ids` must not be empty; they are fed together with the first draft. What is accepted is cached before it
    is yielded, all but the newest id.
    """
    output: list[int] = []
    fed = list(prompt_ids)
    while len(output) < max_tokens:
        limit = min(policy.length(), max_tokens - len(output) - 1)
        draft = list(drafter.draft(output, limit))[:limit]
        targets = verifier.step([*fed, *draft])
        ids = emit(draft, targets.ids[-len(draft) - 1 :], end_ids)
        verifier.rollback(len(draft) + 1 - len(ids))
        added = _added(drafter, draft, ids, targets)
        policy.seen(added.drafted, added.accepted)
        output += ids
        yield added
        if ids[-1] in end_ids:
            return
        fed = [ids[-1]]


def _added(drafter: Drafter, draft: list[int], ids: Sequence[int], targets: Targets) -> Accepted:
    accepted = len(ids) if list(ids) == draft[: len(ids)] else len(ids) - 1
    own: list[Origin] = ["model"] * (len(ids) - accepted)
    first = len(targets.ids) - len(draft) - 1
    kept = slice(first, first + len(ids))
    margins, logprobs = tuple(targets.margins[kept]), tuple(targets.logprobs[kept])
    origins = (*drafter.origins()[:accepted], *own)
    return Accepted(tuple(ids), origins, margins, len(draft), accepted, logprobs)
