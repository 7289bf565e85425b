"""In: tables, pictures and failures. Out: one HTML page that needs nothing else, and into which no text can break."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from redraft.measure.report.table import Table

_FOLDER = Path(__file__).parent


def page(
    title: str, counts: str, tables: Sequence[Table], pictures: Mapping[str, bytes], failures: Mapping[str, Any]
) -> str:
    """The page; `pictures` are PNGs by the name by which a table asks for one.

    Its security policy lets run the one script that it was made with, and lets it fetch nothing.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    room = Environment(loader=FileSystemLoader(_FOLDER), autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    room.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    style, script = (_FOLDER.joinpath(name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    return room.get_template("page.html.jinja").render(
        title=title,
        counts=counts,
        tables=tables,
        pictures={name: b64encode(content).decode() for name, content in pictures.items()},
        failures=failures,
        style=Markup(style),
        script=Markup(script),
        style_hash=_hash(style),
        script_hash=_hash(script),
    )


def _hash(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()
