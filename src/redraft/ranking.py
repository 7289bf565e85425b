"""In: a request, texts that it might stand for, and an engine that ranks. Out: how likely each text is."""

from collections.abc import Sequence
from dataclasses import replace

from redraft.budget import paused
from redraft.edit.prompts.template import Template
from redraft.edit.request import Request
from redraft.edit.text.window import near_changes, window
from redraft.engines import Ranker

MARGIN = 30  # lines shown around what the texts change


def rank(engine: Ranker, template: Template, request: Request, texts: Sequence[str]) -> list[float]:
    """The natural logarithm of each text's probability as the new file, less a number that is the same for all.

    Lines far from what any of the texts changes are left out. Raises RedraftError for what is too long for the model.
    """
    shown = window(request.original, near_changes(request.original, texts), MARGIN)
    cut = [shown.cut(text) for text in texts]
    if any(text is None for text in cut):
        shown, cut = window(request.original, (), MARGIN), list(texts)
    prompt = template.prompt(replace(request, original=shown.text), None)
    with paused():
        return engine.rank(prompt, [text for text in cut if text is not None])
