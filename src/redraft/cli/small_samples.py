"""In: files of small cases. Out: a packed file of samples of regions, or of lists to choose among."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Annotated

import typer

from redraft.cli.packing import counted, said, write_regions
from redraft.cli.regions import Model, own_texts, tokens_for
from redraft.data.list_samples import WRONG, ListSample, Own, Settled, list_sample, veto_sample
from redraft.data.region_samples import Outside
from redraft.edit.request import Request
from redraft.measure.score.small import Small, read_small

_RIGHT = 4  # of the lists of what readers write right one of so many is taken


def small_samples(
    cases: Annotated[list[Path], typer.Argument(metavar="CASES.jsonl", help="Files of small cases.")],
    out: Annotated[Path, typer.Option("--out", metavar="SAFETENSORS", help="Where the ids go.")],
    model: Model,
    longest: Annotated[int, typer.Option(min=64, help="Tokens of a sample; longer ones are left out.")] = 1600,
    lists: Annotated[
        bool, typer.Option("--lists", help="Texts to choose among, not regions: of edits in doubt, and written ones.")
    ] = False,
    own: Annotated[
        str | None, typer.Option("--own", metavar="SPEC", help="With --lists: an engine whose own texts join in doubt.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Decides the order.")] = 0,
) -> int:
    """Pack samples of regions from small cases; a fifth of them, by their names, is held out."""
    tokens = tokens_for(model, out)
    met = Counter[str]()
    known = [(f"{file.stem}/{case.id}", case) for file in cases for case in read_small(file)]
    if not lists:
        answered = ((name, _Answered(case)) for name, case in known if case.right)
        return write_regions(answered, tokens, longest, out, seed, met)
    from redraft.train.lists import write_lists

    texts = own_texts(own)
    chance = Random(seed)
    found = [counted(_listed(name, case, texts, chance), met) for name, case in known]
    chance.shuffle(found)
    samples = [sample for sample in found if isinstance(sample, ListSample)]
    return said(met, write_lists(samples, tokens, longest, out), out)


class _Answered:
    """A small case as an edit that was told: its first right text is what is learned."""

    def __init__(self, case: Small) -> None:
        self.id, self.path, self.original, self.update = case.id, case.path, case.original, case.update
        self.expected, self.style = (case.right or (case.original,))[0], "small"


def _listed(name: str, case: Small, own: Own, chance: Random) -> ListSample | Settled | Outside:
    answered, is_right = _Answered(case), case.right.__contains__

    def more(request: Request) -> Iterable[str]:
        return (*case.right[:1], *own(request))

    if not isinstance(doubted := list_sample(name, answered, is_right, more), Settled):
        return doubted
    written = veto_sample(name, answered, is_right)
    is_wrong = isinstance(written, ListSample) and written.rewards[0] == WRONG
    return written if is_wrong or chance.random() < 1 / _RIGHT else doubted
