"""In: a model's chat template. Out: conversations as it renders them, without transformers, which takes seconds.

Source: `transformers.utils.chat_template_utils`: the same sandbox, and the same names in it.
"""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NoReturn

from jinja2 import Template, TemplateError
from jinja2.exceptions import SecurityError
from jinja2.ext import Extension, loopcontrols
from jinja2.nodes import Node
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace

from redraft.edit.request import Message
from redraft.engines.reading import Chat
from redraft.errors import RedraftError


def chat_of(template: str, special: dict[str, str]) -> Chat:
    """What renders a conversation, up to where the model's turn begins; raises RedraftError for what is no template."""
    sandbox = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols, _Generation]
    )
    sandbox.filters["tojson"] = _json
    sandbox.globals |= {"raise_exception": _refused, "strftime_now": _now, "namespace": _Names}
    try:
        read = sandbox.from_string(template)
    except TemplateError as error:
        raise RedraftError(f"the model's chat template cannot be read: {error}") from error
    return lambda messages: _rendered(read, special, messages)


def _rendered(template: Template, special: dict[str, str], messages: Sequence[Message]) -> str:
    turns = [{"role": message.role, "content": message.content} for message in messages]
    # Qwen3 would think first; other templates ignore the word.
    said = {"add_generation_prompt": True, "enable_thinking": False, "tools": None, "documents": None}
    try:
        return template.render(messages=turns, **said, **special)
    except TemplateError as error:
        raise RedraftError(f"the model's chat template does not take this conversation: {error}") from error


class _Generation(Extension):
    """The marks around what a model wrote, which say where training has loss."""

    tags = {"generation"}  # noqa: RUF012

    def parse(self, parser: Parser) -> list[Node]:
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


class _Names(Namespace):
    """Without names of Python's own, by which a template could leave the sandbox."""

    def __init__(self, **names: Any) -> None:
        super().__init__()
        for name, value in names.items():
            self[name] = value

    def __setitem__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            raise SecurityError(f"a chat template cannot set {name!r}")
        super().__setitem__(name, value)


def _json(value: Any, ensure_ascii: bool = False, indent: int | None = None) -> str:
    """Signs of HTML stay what they are, other than by Jinja's own filter."""
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent)


def _now(form: str) -> str:
    return datetime.now().strftime(form)


def _refused(reason: str) -> NoReturn:
    raise TemplateError(reason)
