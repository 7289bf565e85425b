"""In: a file, the reading of an answer, and its likeliest text. Out: what tells how sure one can be of that text.

The weights of these signs are those of a logistic regression, which `recipes/confidence.py` fits on answers whose right
file is known and writes to confidence.json.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from redraft.edit.merge.reading import Candidate, Reading
from redraft.edit.text.changes import LineChange, line_changes, split_lines
from redraft.edit.text.lines import is_telling, stripped, width_of, written
from redraft.regression import chance

_FITTED: dict[str, Any] = msgspec.json.decode(Path(__file__).with_name("confidence.json").read_bytes())
WRITTEN_FROM: float = _FITTED["least"]["written"]  # the confidence from which a text is written
BARE_FROM: float = _FITTED["least"]["bare"]  # the same of an answer without a word, as tools send it
SURE: float = _FITTED["least"]["sure"]  # and from which no model is asked
_MOST = 3.0  # costs, margins of costs and counts that are as good as any greater ones
_COSTLY = 0.5
_CLOSE = 0.6  # a margin of costs
_SHORT = 30  # lines of a file
_DOUBTED = 0.1  # the chance from which a change may be a paraphrase


def is_short(original: str) -> bool:
    """Whether a file is so short that a line of it is like many others, and a change has hardly another place."""
    return original.count("\n") <= _SHORT


class Evidence(Struct, frozen=True):
    """The signs of a text, 0 where there is nothing of the kind.

    `cost` is what speaks against it, `margin` how much more speaks against the next one, which is `close` or not.
    `unchanged`: the text is the file. `known` is the share of the lines shown that the file has, `missing` counts those
    that the text lacks, in halves, `shifted` the changes that begin at another depth than what goes. `judged` says
    whether its changes were looked at, `doubted` how many of them may be paraphrases, `paraphrased` how likely the
    likeliest is one, and `alike` how little differs in it; `outdated` how likely something that stays is to go.
    """

    cost: float
    costly: float
    margin: float
    close: float
    unchanged: float
    known: float
    missing: float
    shifted: float
    judged: float
    doubted: float
    paraphrased: float
    alike: float
    outdated: float
    short: float

    @staticmethod
    def of(original: str, reading: Reading, taken: Candidate) -> "Evidence":
        shown, chances = stripped(reading.answer.code), taken.kept.chances
        before, after = split_lines(original), split_lines(taken.text)
        known, there = {*stripped(before)}, {*stripped(after)}
        missing = {line for line in shown if is_telling(line)} - there
        return Evidence(
            cost=min(max(taken.cost, 0.0), _MOST),
            costly=float(taken.cost > _COSTLY),
            margin=min(reading.margin, _MOST),
            close=float(reading.margin <= _CLOSE),
            unchanged=float(before == after),
            known=sum(line in known for line in shown) / max(1, len(shown)),
            missing=min(len(missing) / 2, _MOST),
            shifted=min(float(sum(_is_shifted(before, after, each) for each in line_changes(before, after))), _MOST),
            judged=float(bool(chances)),
            doubted=min(float(sum(each > _DOUBTED for each in chances)), _MOST),
            paraphrased=max(chances, default=0.0),
            alike=taken.kept.alike,
            outdated=taken.outdated,
            short=float(is_short(original)),
        )

    @property
    def confidence(self) -> float:
        return chance(_FITTED["weights"], asdict(self))


def _is_shifted(before: Sequence[str], after: Sequence[str], change: LineChange) -> bool:
    """Whether what comes begins at another depth than what goes."""
    old, new = written(before[change.start : change.end]), written(after[change.after_start : change.after_end])
    return bool(old and new) and width_of(old[0]) != width_of(new[0])
