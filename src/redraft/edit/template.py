"""In: the name of a template. Out: what puts a request in the form that a kind of model knows."""

from collections.abc import Iterator
from typing import Protocol

from redraft.edit.fenced import ChatTemplate, FencedTemplate
from redraft.edit.lines import LinesTemplate
from redraft.edit.prompt import Prompt
from redraft.edit.request import Request
from redraft.edit.tagged import TaggedTemplate
from redraft.errors import RedraftError


class Template(Protocol):
    """How a request is put to a model: what the model writes up to a stop string is the new file.

    `prediction` is the text that the output is expected to be, if any.
    """

    @property
    def name(self) -> str: ...

    def prompt(self, request: Request, prediction: str | None) -> Prompt: ...


def _all() -> Iterator[Template]:
    yield LinesTemplate()
    yield ChatTemplate()
    yield FencedTemplate()
    yield TaggedTemplate()


TEMPLATES = {template.name: template for template in _all()}


def find_template(name: str) -> Template:
    """Raises RedraftError for a name that is not one of `TEMPLATES`."""
    if name not in TEMPLATES:
        raise RedraftError(f"unknown template {name!r}; there are {', '.join(sorted(TEMPLATES))}")
    return TEMPLATES[name]
