"""In: edits. Out: the prompts that a model would be asked with for them. No model."""

from collections.abc import Iterator

from redraft.apply import Redraft
from redraft.edit.prompts.prompt import Prompt
from redraft.edit.prompts.template import find_template
from redraft.edit.request import Request
from redraft.engines import GREEDY, Chunk, Sampling


class Asked:
    """Stands where an engine stands; `template` and `window` are those of the model that is meant."""

    def __init__(self, template: str, window: int | None = None) -> None:
        self.template = template
        self._prompt = Prompt(())
        self._editor = Redraft.of(self, find_template(template), window=window)

    def prompt(self, request: Request) -> Prompt:
        self._prompt = Prompt(())
        self._editor.answer(request)
        return self._prompt

    def generate(self, prompt: Prompt, sampling: Sampling = GREEDY) -> Iterator[Chunk]:
        self._prompt = prompt
        yield Chunk((), (), (), (), 0, 0, 0, "stop", 0)
