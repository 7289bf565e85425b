"""In: an edit and a chat model. Out: an apply sample whose instruction and update the model wrote, or why not.

The edit gives the file and the region that a developer would have selected. The model first reads the commit's change
and writes the request that one would type; asked that, it answers in a chat. What is kept is checked by `fault`.
"""

import re
from collections.abc import Sequence
from dataclasses import asdict
from random import Random

from redraft.data.chat import Chat
from redraft.data.clones import blob_hash
from redraft.data.edits import Edit
from redraft.data.samples import Sample
from redraft.edit.answer.answer import parse
from redraft.edit.decide import likeliest
from redraft.edit.guard.check import check
from redraft.edit.prompts.fence import fence
from redraft.edit.request import Message
from redraft.edit.text.changes import LineChange, line_changes, split_lines

STYLE = "chat"
LONGEST_INSTRUCTION = 400
AROUND = 3
_REFUSAL = re.compile(r"\W*(?:i(?:'|\u2019)?m sorry|sorry|i can(?:no|')t|i am unable|as an ai)\b", re.IGNORECASE)
_MANNERS = (
    "Answer as in a chat: a short sentence, then one fenced block with the changed code and a few lines around it; "
    "a comment such as `... existing code ...` stands for what stays.",
    "Show only what changes, one fenced block for each place, in the order of the file, with a line of prose each.",
    "Show the whole function or block that changes in one fenced code block, and leave out the rest of the file with "
    "comments such as `... rest of the code ...`.",
    "Answer with one fenced code block and nothing else; leave unchanged code out, with a comment in its place.",
)


def write_sample(edit: Edit, chat: Chat, model: str, seed: int) -> Sample | str:
    """The sample, or the fault for which there is none: `no answer`, `instruction`, or one of `fault`."""
    region = selection(edit)
    instruction = chat.ask(_about_change(edit, region))
    if instruction is None:
        return "no answer"
    instruction = " ".join(instruction.strip().strip("\"'`").split())
    if not 0 < len(instruction) <= LONGEST_INSTRUCTION or "```" in instruction or _REFUSAL.match(instruction):
        return "instruction"
    manner = Random(f"{seed} {edit.path} {edit.before_blob}").choice(_MANNERS)
    update = chat.ask(_about_request(edit, region, instruction, manner))
    if update is None:
        return "no answer"
    after = likeliest(edit.before, update, edit.path)
    if reason := fault(edit.before, update, after, region, edit.path):
        return reason
    assert after is not None
    provenance = asdict(edit) | {"after": after, "after_blob": blob_hash(after.encode(), edit.before_blob)}
    return Sample(**provenance, instruction=instruction, update=update, style=STYLE, source=model, expect="applied")


def selection(edit: Edit) -> LineChange:
    """The lines that a developer would have selected for the edit: all that changed, and what they became."""
    found = line_changes(split_lines(edit.before), split_lines(edit.after))
    return LineChange(found[0].start, found[-1].end, found[0].after_start, found[-1].after_end)


def fault(before: str, update: str, after: str | None, region: LineChange, path: str) -> str:
    """Why an answer is no sample, "" when its edit is consistent: the first of these that fails.

    `refusal`: it holds code. `place`: the deterministic reader finds one place for all of it. `guards`: the file that
    comes out changes in nothing that the answer does not show, holds no marker, keeps its end, and can be parsed if
    the file before could. `outside`: no line is lost that lies more than AROUND lines outside the selected region;
    lines may be added anywhere, as imports are.
    """
    if not parse(update, path=path).blocks:
        return "refusal"
    if after is None:
        return "place"
    if check(before, update, after, path=path).status != "applied":
        return "guards"
    old, new = split_lines(before), split_lines(after)
    changed = line_changes(old, new)
    if any(h.end > h.start and (h.start < region.start - AROUND or h.end > region.end + AROUND) for h in changed):
        return "outside"
    return ""


def _about_change(edit: Edit, region: LineChange) -> list[Message]:
    old, new = split_lines(edit.before), split_lines(edit.after)
    was, is_now = _lines(old, region.start, region.end), _lines(new, region.after_start, region.after_end)
    ticks = fence(was, is_now)
    return [
        Message("system", "You write the requests that developers type into the inline edit box (cmd-k) of an editor."),
        Message(
            "user",
            f"In {edit.path} a developer selected this:\n\n{ticks}\n{was}{ticks}\n\nand turned it into this:\n\n"
            f"{ticks}\n{is_now}{ticks}\n\nWrite the request that would have led to this change: one sentence in plain "
            "words, as typed in a hurry, that names what has to be known. Reply with the request only.",
        ),
    ]


def _about_request(edit: Edit, region: LineChange, instruction: str, manner: str) -> list[Message]:
    old = split_lines(edit.before)
    selected = _lines(old, region.start, region.end)
    ticks = fence(edit.before)
    place = (
        f"lines {region.start + 1}-{region.end}" if selected else f"nothing, the cursor is at line {region.start + 1}"
    )
    shown = f":\n\n{ticks}\n{selected}{ticks}" if selected else "."
    return [
        Message("system", f"You help a developer to edit code. {manner}"),
        Message(
            "user",
            f"The file {edit.path}:\n\n{ticks}\n{_lines(old, 0, len(old))}{ticks}\n\nSelected: {place}{shown}\n\n"
            f"{instruction}",
        ),
    ]


def _lines(lines: Sequence[str], start: int, end: int) -> str:
    return "".join(line + "\n" for line in lines[start:end])
