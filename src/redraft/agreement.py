"""In: what one reader decides of an answer to a longer file, and what the other reads. Out: how sure the decision is.

The weights are those of a logistic regression, which `recipes/agreement.py` fits on answers whose right file is known
and writes to agreement.json.
"""

from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import structs

from redraft.edit.answer.answer import Answer
from redraft.edit.decide import Decision
from redraft.edit.sole import is_sole_line
from redraft.regression import chance, log_odds

_SOLE = 0.98  # in what both read, where one line is all that differs: of 120 such texts of the fit 119 were right
_FITTED: dict[str, Any] = msgspec.json.decode(Path(__file__).with_name("agreement.json").read_bytes())


class Licensed(NamedTuple):
    """A text in which each change has a licence; `is_plain`: nothing of it may be a slip of who wrote the answer."""

    text: str
    is_plain: bool


def in_longer(original: str, answer: Answer, decision: Decision, sketch: Licensed | None, path: str = "") -> Decision:
    """The decision with the confidence of these signs, which decides whether it is written.

    It is surer where the reader of sketches makes the same text, and one line is all that the answer is about.
    """
    if decision.text is None or decision.text == original:
        return decision
    signs = signs_of(answer, decision, sketch)
    sure = chance(_FITTED["weights"], signs)
    is_same = sketch is not None and sketch.text == decision.text
    if is_same and is_sole_line(original, answer, decision.text, path):
        sure = max(sure, _SOLE)
    confidence = round(min(sure, decision.most), 4)
    is_sure = decision.has_place and confidence >= _FITTED["least"]
    return structs.replace(decision, confidence=confidence, is_sure=is_sure, features=signs)


def signs_of(answer: Answer, decision: Decision, sketch: Licensed | None) -> dict[str, float]:
    """Those of the text alone, and: whether the reader of sketches reads it `plain`, or `other`, the odds of its surest
    paraphrase and of what is outdated, and whether the answer is `bare` of words, or `faithful`, as from a tool."""
    same = sketch if sketch is not None and sketch.text == decision.text else None
    return {
        **decision.features,
        "plain": float(same is not None and same.is_plain),
        "other": float(sketch is not same),
        "paraphrased_odds": log_odds(decision.features["paraphrased"]),
        "outdated_odds": log_odds(decision.features["outdated"]),
        "bare": float(not answer.is_talk),
        "faithful": float(answer.is_faithful),
    }
