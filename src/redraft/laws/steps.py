"""In: a change. Out: the first step of the answer that has no code of its own, where other steps have."""

import re
from collections.abc import Sequence

from redraft.edit.align.likeness import quoted
from redraft.laws.change import Broken, Change

_MARK = re.compile(r"\s*(?:[-*+\u2022]\s|\d+[.)]\s|\(\d+\)\s|\*\*[^*\n]+[^*\n:]\*\*(?!:)|L\d+\b|>\s)")


def without_code(change: Change) -> Broken | None:
    """None where no step leads to code: what the blocks below others show is not what the words of this one bid."""
    *above, behind = change.prose
    leading = [prose for prose in above if _leads_to_code(prose)]
    if not leading or (len(leading) == 1 and not leading[0].rstrip().endswith(":")):  # a list of all that comes
        return None
    alone = [*(step for prose in leading for step in _steps(prose)[:-1]), *_steps(behind)]
    if not alone:
        return None
    return Broken("steps", f"no code shows the step {quoted(alone[0])}: show all that it changes")


def _leads_to_code(prose: str) -> bool:
    """Whether the last paragraph above a block is a step."""
    return _MARK.match(prose.rstrip().rpartition("\n\n")[2]) is not None


def _steps(prose: str) -> Sequence[str]:
    return [line.strip() for line in prose.split("\n") if _MARK.match(line)]
