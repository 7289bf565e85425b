"""In: prompts and answers that cursortab recorded, and a tokenizer. Out: the forwards that drafts from the window take.

The model that answered is not needed: what it says after each draft is known. In the tokens of another vocabulary than
its own the counts are those of that vocabulary.
"""

from collections.abc import Iterator, Sequence

from redraft.draft.drafter import EditDrafter
from redraft.draft.length import Cost, Fastest
from redraft.draft.loop import speculate
from redraft.edit.prompts.prompt import Part
from redraft.engines.scripted import Replay
from redraft.engines.tokens import Tokens
from redraft.measure.next.chrf import delta_chrf
from redraft.measure.next.run import Answer
from redraft.measure.next.scenarios import Position, Recorded, Way
from redraft.next import fim, sweep
from redraft.next.recognise import recognise

_COST = Cost(1.0, 0.04)  # what one more token in a forward costs, in forwards of one; an estimate for small models


def replayed(tokens: Tokens, positions: Sequence[Position], model: str) -> Iterator[Answer]:
    """A recorded answer at each position; its tokens and forwards once, where it was recorded for several."""
    seen = set[str]()
    for position in positions:
        found = position.recorded(model)
        way: Way = "sweep" if found.prompt.startswith(sweep.FILE) else "fim"
        new, expected = position.after(way, found.answer), position.expected or position.lines
        is_new = position.folder.name not in seen
        seen.add(position.folder.name)
        count, forwards = _work(tokens, found, way) if is_new and found.answer else (0, 0)
        alike = delta_chrf(position.lines, new, expected)
        shown = new != position.lines
        is_exact = new == expected
        name = f"{model}, recorded"
        yield Answer(name, position.id, bool(position.expected), shown, is_exact, None, alike, count, forwards)


def by_llamacpp(positions: Sequence[Position], model: str) -> tuple[int, int]:
    """Tokens and forwards of the recordings, with llama.cpp's own drafts where it had some."""
    found = {position.folder: position.recorded(model) for position in positions}.values()
    return sum(each.tokens for each in found), sum(each.forwards for each in found)


def _work(tokens: Tokens, found: Recorded, way: Way) -> tuple[int, int]:
    """The tokens of an answer, its end included, and the forwards that they take."""
    read = recognise(found.prompt, lambda token: tokens.special(token) is not None)
    assert read is not None
    prompt = tokens.open(read.prompt.parts, ())
    end = Part(sweep.FILE if way == "sweep" else fim.END, True)
    target = tokens.encode((Part(found.answer), *((end,) if found.is_whole else ())))
    drafter = EditDrafter([(source.origin, tokens.encode(source.parts)) for source in read.prompt.sources])
    ends = tokens.known((end.text,))
    added = [
        each.ids for each in speculate(Replay(len(prompt), target), prompt, drafter, Fastest(_COST), ends, len(target))
    ]
    assert [id_ for ids in added for id_ in ids] == target
    return len(target), len(added)
