"""In: the name of a template. Out: what puts a request in the form that a kind of model knows."""

from typing import Protocol

from redraft.edit.prompts.asked import ApplyTemplate
from redraft.edit.prompts.fenced import ChatTemplate, FencedTemplate
from redraft.edit.prompts.prompt import Format, Prompt
from redraft.edit.prompts.regional import RegionTemplate
from redraft.edit.prompts.tagged import TaggedTemplate
from redraft.edit.request import Request
from redraft.errors import RedraftError

_OTHERS = "those of apply, chat and fenced"


class Template(Protocol):
    """How a request is put to a model: what the model writes up to a stop string is the new file, or its hunks.

    `prediction` is the new file that is expected, if any.
    """

    @property
    def name(self) -> str: ...

    @property
    def output_format(self) -> Format: ...

    def prompt(self, request: Request, prediction: str | None) -> Prompt: ...


TEMPLATES: dict[str, Template] = {
    template.name: template
    for template in (ApplyTemplate(), ChatTemplate(), FencedTemplate(), RegionTemplate(), TaggedTemplate())
}
_HUNKS: dict[str, Template] = {
    template.name: template
    for template in (ApplyTemplate("search-replace"), ChatTemplate("search-replace"), FencedTemplate("search-replace"))
}


def find_template(name: str, output_format: Format = "whole") -> Template:
    """Raises RedraftError for a name that is not one of `TEMPLATES`, and for a format that it cannot ask for."""
    if name not in TEMPLATES:
        raise RedraftError(f"unknown template {name!r}; there are {', '.join(sorted(TEMPLATES))}")
    if output_format == "search-replace" and name not in _HUNKS:
        raise RedraftError(f"models of the template {name!r} write whole files only; {_OTHERS} can be asked for hunks")
    return TEMPLATES[name] if output_format == "whole" else _HUNKS[name]
