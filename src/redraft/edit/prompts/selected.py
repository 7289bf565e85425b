"""In: selected lines of a file, and an instruction. Out: the prompt that is answered by the new lines alone."""

from redraft.edit.instruction import Instruction
from redraft.edit.prompts.fence import block, fence, language, with_final_newline
from redraft.edit.prompts.prompt import Part, Prompt, Source
from redraft.edit.request import Message

_RULES = "Output only code: the new version of these lines in one code block, with their indentation, nothing left out."


def chat_prompt(asked: Instruction) -> Prompt:
    """For instruct models: the file, the selected lines, what to do; the answer is opened with a fence."""
    selected = _block(asked, asked.selection.text)
    if asked.around == 0:  # short words for small models, which are shown nothing else
        said = f"Here is some code:\n\n{selected}\nRewrite it: {asked.text}\n\nOutput only the code."
    else:
        file = f"{f'The file {asked.path}'.rstrip()}, with the selected lines between {' and '.join(asked.marks)}:"
        task = f"What to do with the selected lines: {asked.text}"
        said = "\n".join((file, "", _file(asked), "The selected lines:", "", selected, task, "", _RULES))
    return Prompt((Part(_opening(asked)),), *_ending(asked), (Message("user", said),))


def page_prompt(asked: Instruction) -> Prompt:
    """For base models: a page of Markdown that ends in an opened fence."""
    file = () if asked.around == 0 else ("## File\n", _file(asked))
    old = ("## Old lines\n", _block(asked, asked.selection.text))
    page = (*file, *old, f"## Change\n\n{asked.text}\n", f"## New lines\n\n{_opening(asked)}")
    return Prompt((Part("\n".join(page)),), *_ending(asked))


# By the template of a model; one that writes regions of an answer is asked as it was before it was trained to.
PROMPTS = {"chat": chat_prompt, "fenced": page_prompt, "regions": chat_prompt}


def _ending(asked: Instruction) -> tuple[tuple[Source, ...], tuple[str, ...]]:
    """What the new lines are drafted from, and the fence that ends them."""
    expected = asked.selection.text if asked.prediction is None else asked.prediction
    ticks = _ticks(asked)
    return (Source("prediction", (Part(with_final_newline(expected) + ticks),)),), (ticks,)


def _file(asked: Instruction) -> str:
    """The file, or what is near the selected lines, with marks around them."""
    before, after = asked.selection.surroundings
    if asked.around is not None:
        before = "".join(_lines(before)[-asked.around :])
        after = "".join(_lines(after)[: asked.around])
    opening, closing = asked.marks
    selected = with_final_newline(asked.selection.text)
    return _block(asked, f"{before}{opening}\n{selected}{closing}\n{after}")


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    return [line + "\n" for line in lines[:-1]] + [line for line in lines[-1:] if line]


def _block(asked: Instruction, text: str) -> str:
    return block(_ticks(asked), language(asked.path), text)


def _opening(asked: Instruction) -> str:
    return f"{_ticks(asked)}{language(asked.path)}\n"


def _ticks(asked: Instruction) -> str:
    return fence(*asked.selection.surroundings, asked.selection.text, asked.text, asked.prediction or "")
