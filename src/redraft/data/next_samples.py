"""In: mined edits. Out: samples of next edits in Sweep's format and of gaps in Qwen's, some with nothing to say."""

import re
from collections.abc import Iterable, Iterator
from random import Random

from redraft.data.edits import Edit
from redraft.data.region_samples import RegionSample
from redraft.edit.prompts.prompt import Part
from redraft.next import fim, sweep
from redraft.next.predict import before_last, shown_before
from redraft.next.recognised import Recognised
from redraft.next.steps import Step, steps, typed
from redraft.next.sweep import Change

_WORD = re.compile(r"\w+")
_ABOVE = 24  # lines above a window that a sample may show: those of a file in use are many more


def samples(
    edits: Iterable[Edit], seed: int = 0, unchanged: float = 0.5, gaps: float = 0.0, foretold: bool = False
) -> Iterator[RegionSample]:
    """Those with something to say, and so many without that they are the share `unchanged` of all.

    `gaps` is the share that asks for the text at the cursor. With `foretold` only windows count whose new words stand
    in the prompt. What the commit before changed is history, too.
    """
    known = list(edits)
    made = {(edit.repository, edit.path, edit.after_blob): edit for edit in known}
    windows, filled = _Kinds(), _Kinds()
    for edit in known:
        earlier = _changes(made.get((edit.repository, edit.path, edit.before_blob)))
        begun = typed(edit.path, edit.before, edit.after, seed) if gaps else None
        for step in steps(edit.path, edit.before, edit.after, earlier, seed):
            chance = Random(f"{seed} {edit.after_blob} {step.kind}")
            if step.kind == "quiet":
                windows.still.append(_sample(edit, step, chance))
                filled.still.append(_gap(edit, step, chance))
            elif not foretold or _is_foretold(step):
                windows.speaking.append(_sample(edit, step, chance))
        if begun is not None:
            filled.speaking.append(_gap(edit, begun, Random(f"{seed} {edit.after_blob} gap")))
    asked = windows.mixed(unchanged, seed)
    yield from asked
    yield from filled.mixed(unchanged, seed)[: round(len(asked) * gaps / (1 - gaps))]


class _Kinds:
    """Samples with something to say, and without."""

    def __init__(self) -> None:
        self.speaking, self.still = list[RegionSample](), list[RegionSample]()

    def mixed(self, unchanged: float, seed: int) -> list[RegionSample]:
        Random(seed).shuffle(self.still)
        mixed = [*self.speaking, *self.still[: round(len(self.speaking) * unchanged / (1 - unchanged))]]
        Random(seed).shuffle(mixed)
        return mixed


def _is_foretold(step: Step) -> bool:
    """Whether each word that comes stands in what the prompt shows, in a change before it among others."""
    shown = [step.before, *(text for change in step.now.changes for text in (change.before, change.after))]
    return set(_WORD.findall(step.after)) <= {word for text in shown for word in _WORD.findall(text)}


def _gap(edit: Edit, step: Step, chance: Random) -> RegionSample:
    """What comes at the cursor, in Qwen's format; where nothing does, half of them anywhere in the window."""
    lines = step.now.lines
    row, column = step.now.line - 1, step.now.column - 1
    if step.kind == "quiet" and chance.random() < 0.5:
        row = chance.randrange(*step.window)
        column = chance.choice([len(lines[row]), chance.randint(0, len(lines[row]))])
    above = "".join(f"{line}\n" for line in lines[max(0, row - chance.randint(10, 60)) : row]) + lines[row][:column]
    below = "\n".join([lines[row][column:], *lines[row + 1 : row + chance.randint(5, 30)]])
    come = _come(step)
    prompt = fim.gap(above, below, path=edit.path, has=lambda _: True).prompt
    output = (*([Part(come)] if come else []), Part(fim.END, True))
    return RegionSample(f"{edit.commit}/gap", edit.repository, f"gap, {step.kind}", prompt.parts, output, len(come))


def _come(step: Step) -> str:
    """What the step brings between what stands above and below."""
    before, after = step.before, step.after
    start = sum(len(line) + 1 for line in step.now.lines[step.window[0] : step.now.line - 1]) + step.now.column - 1
    return after[start : len(after) - (len(before) - start)]


def _sample(edit: Edit, step: Step, chance: Random) -> RegionSample:
    """Half of them as Zed asks, half as cursortab does; `style` is the kind of the step."""
    asked = _as_cursortab(step) if chance.random() < 0.5 else None
    found, written = asked or (_as_zed(step, chance), "")
    text = _closed(step.after).removeprefix(written)
    output = (Part(text), Part(sweep.FILE, True))
    name = f"{edit.commit}/{step.kind}"
    return RegionSample(name, edit.repository, step.kind, found.prompt.parts, output, len(text.encode()))


def _as_zed(step: Step, chance: Random) -> Recognised:
    now, window = step.now, step.before
    above = shown_before(now.lines, step.window[0]).splitlines(keepends=True)[-_ABOVE:]
    others = "".join(above) if chance.random() < 0.5 else ""
    return sweep.write(now.path, window, now.changes, before_last(window, now.changes), others)


def _as_cursortab(step: Step) -> tuple[Recognised, str] | None:
    """The prompt, which ends with the window's lines above the cursor, and these; None where a step changes them.

    To cursortab a file's end is no line.
    """
    now, start = step.now, step.window[0]
    above = "".join(f"{line}\n" for line in now.lines[start : now.line - 1])
    window, cursor = step.before.removesuffix("\n"), len(above) + now.column - 1
    if cursor > len(window) or not _closed(step.after).startswith(above):
        return None
    changes = [Change(each.path, each.before.rstrip("\n"), each.after.rstrip("\n")) for each in now.changes]
    return sweep.at_cursor(now.path, window, cursor, changes, start + 1), above


def _closed(text: str) -> str:
    return text if text.endswith("\n") else f"{text}\n"


def _changes(edit: Edit | None) -> tuple[Change, ...]:
    """The changes of the commit before, as its last step tells them."""
    if edit is None:
        return ()
    *_, last = steps(edit.path, edit.before, edit.after)
    return last.now.changes
