"""In: prompts and answers that cursortab recorded, and a tokenizer. Out: the forwards that drafts from the window take.

The model that answered is not needed: what it says after each draft is known. In the tokens of another vocabulary than
its own the counts are those of that vocabulary. Another model of its size can be run for what the forwards last.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from redraft.draft.drafter import EditDrafter
from redraft.draft.length import VANILLA, Cost, Fastest, Policy
from redraft.draft.loop import Targets, speculate
from redraft.edit.prompts.prompt import Part
from redraft.engines.choice import Likeliest
from redraft.engines.scripted import Replay
from redraft.engines.tokens import Tokens
from redraft.engines.verifier import Model, ModelVerifier
from redraft.measure.next.run import Answer, at_position
from redraft.measure.next.scenarios import Position, Recorded, Way
from redraft.next import fim, sweep
from redraft.next.recognise import recognise

_COST = Cost(1.0, 0.04)  # what one more token in a forward costs, in forwards of one; an estimate for small models


@dataclass(frozen=True)
class _Work:
    """What an answer takes, its end included; seconds from a prompt that was read, with drafts and token by token."""

    tokens: int = 0
    forwards: int = 0
    seconds: float | None = None
    plain: float | None = None


class _Forced:
    """Runs each forward of a model, and says what was recorded whatever the model would have said."""

    def __init__(self, model: Model, prompt: Sequence[int], target: list[int]) -> None:
        session = model.session()
        session.forward(prompt[:-1], 1)
        self._model = ModelVerifier(session, Likeliest(), len(prompt), len(prompt) - 1)
        self._said = Replay(len(prompt), target)

    def step(self, ids: Sequence[int]) -> Targets:
        self._model.step(ids)
        return self._said.step(ids)

    def rollback(self, n: int) -> None:
        self._model.rollback(n)
        self._said.rollback(n)


def replayed(tokens: Tokens, positions: Sequence[Position], recorded: str, model: Model | None) -> Iterator[Answer]:
    """A recorded answer at each position; its work once, where it was recorded for several. `model` is run for it."""
    seen = set[str]()
    for position in positions:
        found = position.recorded(recorded)
        way: Way = "sweep" if found.prompt.startswith(sweep.FILE) else "fim"
        new = position.after(way, found.answer)
        is_new = position.folder.name not in seen
        seen.add(position.folder.name)
        work = _work(tokens, found, way, model) if is_new and found.answer else _Work()
        answer = at_position(f"{recorded}, recorded", position, new, work.tokens, work.forwards)
        yield replace(answer, warm=work.seconds, plain=work.plain)


def by_llamacpp(positions: Sequence[Position], recorded: str) -> tuple[int, int]:
    """Tokens and forwards of the recordings, with llama.cpp's own drafts where it had some."""
    found = {position.folder: position.recorded(recorded) for position in positions}.values()
    return sum(each.tokens for each in found), sum(each.forwards for each in found)


def _work(tokens: Tokens, found: Recorded, way: Way, model: Model | None) -> _Work:
    read = recognise(found.prompt, lambda token: tokens.special(token) is not None)
    assert read is not None
    prompt = tokens.open(read.prompt.parts, ())
    end = Part(sweep.FILE if way == "sweep" else fim.END, True)
    target = tokens.encode((Part(found.answer), *((end,) if found.is_whole else ())))
    ends = tokens.known((end.text,))

    def run(policy: Policy) -> tuple[int, float]:
        drafter = EditDrafter([(source.origin, tokens.encode(source.parts)) for source in read.prompt.sources])
        verifier = _Forced(model, prompt, target) if model else Replay(len(prompt), target)
        started = time.perf_counter()
        added = [each.ids for each in speculate(verifier, prompt, drafter, policy, ends, len(target))]
        assert [id_ for ids in added for id_ in ids] == target
        return len(added), time.perf_counter() - started

    forwards, seconds = run(Fastest(_COST))
    return _Work(len(target), forwards, seconds, run(VANILLA)[1]) if model else _Work(len(target), forwards)
