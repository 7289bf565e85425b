"""In: a file, the place of the cursor, and a diff of what was changed last. Out: the next edit, as a diff or record."""

import json
import re
import sys
from pathlib import Path
from typing import Annotated

import typer

from redraft.changes.change import unified
from redraft.cli import options, streams
from redraft.engines import Sampling
from redraft.engines.spec import load_engine
from redraft.errors import RedraftError
from redraft.files import read as files
from redraft.next.history import changes_of
from redraft.next.predict import Situation, predict

_CURSOR = re.compile(r"(\d+)(?::(\d+))?")


def next_edit(
    cursor: Annotated[str, typer.Option("--cursor", metavar="LINE[:COLUMN]", help="Where it is, counted from 1.")],
    file: Annotated[Path | None, typer.Argument(help="The file as it is now.")] = None,
    named: Annotated[Path | None, typer.Option("--file", metavar="FILE", help="The same.")] = None,
    history: Annotated[
        str | None,
        typer.Option(
            "--history",
            metavar="DIFF|-",
            help="A unified diff of what was changed last, - for standard input. Without it the lines around the "
            "cursor are mended.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print place and text of the edit as a record.")] = False,
    engine: options.Engine = "embedded",
    no_speculation: options.NoSpeculation = False,
    dtype: options.Dtype = None,
    max_tokens: options.MaxTokens = None,
    encoding: options.Encoding = None,
) -> int:
    """Predict the next edit and the cursor's next place; nothing is written."""
    if (file is None) == (named is None):
        raise typer.BadParameter("name the FILE once")
    file = file or named or Path()
    read, (line, column) = files.read(file, encoding), _place(cursor)
    now = Situation(read.text, line, column, str(file), changes_of(_history(history)))
    found = predict(load_engine(engine, dtype), now, Sampling(max_tokens, speculate=not no_speculation))
    if as_json:
        streams.write(json.dumps(found.record()) + "\n")
    else:
        streams.write(unified(read.text, found.output, str(file)))
        said = f"{file}:{found.line}:{found.column}" if found.status == "edit" else found.status.replace("_", " ")
        streams.tell(f"next: {said}")
    return 0


def _place(cursor: str) -> tuple[int, int]:
    found = _CURSOR.fullmatch(cursor.strip())
    if found is None:
        raise typer.BadParameter(f"--cursor takes a line, or line and column, such as 12:5, not {cursor!r}")
    return int(found[1]), int(found[2] or 1)


def _history(name: str | None) -> str:
    if name is None:
        return ""
    if name == "-":
        return sys.stdin.read()
    try:
        return Path(name).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise RedraftError(f"cannot read {name}: {error.strerror}") from error
