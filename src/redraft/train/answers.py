"""In: mined edits and a model's tokenizer. Out: prompts and answers, as the ids that its engine reads and writes."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random

from redraft.data.edits import Edit
from redraft.data.sketch import STYLES, sketch
from redraft.edit.prompts.template import Template
from redraft.edit.request import Request
from redraft.engines.tokens import Tokens
from redraft.errors import RedraftError


@dataclass(frozen=True)
class Answer:
    """Token ids of one edit; `output` spells the new file up to what ends it, `size` is its text in bytes of UTF-8."""

    prompt: list[int]
    output: list[int]
    size: int

    def __len__(self) -> int:
        return len(self.prompt) + len(self.output)


def answers(
    tokens: Tokens, template: Template, edits: Iterable[Edit], longest: int | None, seed: int = 0
) -> Iterator[Answer]:
    """An answer for each edit, its sketch in a style that `seed` and the edit's number decide.

    Left out are edits of which every sketch would be ambiguous, and those longer than the template or `longest` takes.
    """
    for number, edit in enumerate(edits):
        request = ask(edit, Random(f"{seed} {number}"))
        made = request and _answer(tokens, template, request, _plain(edit.after))
        if made and (longest is None or len(made) <= longest):
            yield made


def ask(edit: Edit, rng: Random) -> Request | None:
    """The edit as a request, with a sketch in a random style; None when it would be ambiguous in all of them."""
    before, after = _plain(edit.before), _plain(edit.after)
    styles, seed = rng.sample(STYLES, len(STYLES)), rng.randrange(1 << 30)
    updates = (sketch(before, after, style, seed, edit.path) for style in styles)
    update = next((update for update in updates if update is not None), None)
    return None if update is None else Request(before, update, path=edit.path)


def _answer(tokens: Tokens, template: Template, request: Request, after: str) -> Answer | None:
    try:
        # A template spells a prediction as the model would write it: that of the right file is the answer.
        prompt = template.prompt(request, after)
    except RedraftError:
        return None
    expected = prompt.sources[0]
    if expected.origin != "prediction":
        return None
    output = tokens.encode(expected.parts)
    return Answer(tokens.open(prompt.parts, prompt.messages), output, len(after.encode()))


def _plain(text: str) -> str:
    """Windows line ends are taken off on the way to a model."""
    return text.replace("\r\n", "\n") if text.count("\n") == text.count("\r\n") else text
