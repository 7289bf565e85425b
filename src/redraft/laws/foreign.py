"""In: a change. Out: the first new line that only a block shows which the words say is of another file."""

from redraft.edit.align.likeness import quoted
from redraft.edit.outline.grammars import grammar
from redraft.edit.words.hints import named_files, names_another_file
from redraft.laws.change import Broken, Change, code_of, spelling


def foreign(change: Change) -> Broken | None:
    """None where no new line is from a block below a sentence that names another file."""
    blocks = change.answer.blocks
    others = {number for number, block in enumerate(blocks) if _is_of_another(block.prose, change.path)}
    if not others:
        return None
    own = {spelling(line) for number, block in enumerate(blocks) if number not in others for line in code_of(block)}
    for at in change.arrived:
        place = change.shown.get(at)
        if place is not None and place.block in others and spelling(change.after[at]) not in own:
            said = f"the answer shows {quoted(change.after[at])} below a sentence that names another file"
            return Broken("foreign", f"{said}: name this file above what is to come into it")
    return None


def _is_of_another(prose: str, path: str) -> bool:
    """Whether a file is named whose kind is known: `response.ok` is a member."""
    return names_another_file(prose, path) and any(map(grammar, named_files(prose)))
