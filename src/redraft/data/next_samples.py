"""In: mined edits. Out: samples of next edits in Sweep's format, some of them with nothing to change."""

from collections.abc import Iterable, Iterator
from random import Random

from redraft.data.edits import Edit
from redraft.data.region_samples import RegionSample
from redraft.edit.prompts.prompt import Part
from redraft.next import sweep
from redraft.next.predict import before_last, shown_before
from redraft.next.recognised import Recognised
from redraft.next.steps import Step, steps
from redraft.next.sweep import Change

_ABOVE = 24  # lines above a window that a sample may show: those of a file in use are many more


def samples(edits: Iterable[Edit], seed: int = 0, unchanged: float = 0.5) -> Iterator[RegionSample]:
    """Those with something to say, and so many without that they are the share `unchanged` of all.

    What the commit before changed is history, too.
    """
    known = list(edits)
    made = {(edit.repository, edit.path, edit.after_blob): edit for edit in known}
    speaking, still = list[RegionSample](), list[RegionSample]()
    for edit in known:
        earlier = _changes(made.get((edit.repository, edit.path, edit.before_blob)))
        for step in steps(edit.path, edit.before, edit.after, earlier, seed):
            chance = Random(f"{seed} {edit.after_blob} {step.kind}")
            (still if step.kind == "quiet" else speaking).append(_sample(edit, step, chance))
    Random(seed).shuffle(still)
    yield from (*speaking, *still[: round(len(speaking) * unchanged / (1 - unchanged))])


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
