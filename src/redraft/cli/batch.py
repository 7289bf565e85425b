"""In: JSON lines, one edit each. Out: JSON lines in the same order, a result each, also for malformed lines."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from redraft.apply import Readers, Redraft, Result, load
from redraft.cli import options
from redraft.cli.lines import write_lines
from redraft.edit import jsonl
from redraft.engines import Sampling
from redraft.errors import RedraftError


def batch(
    source: Annotated[Path, typer.Argument(metavar="IN.jsonl", help="Edits: id, path, original, update, instruction.")],
    target: Annotated[Path, typer.Argument(metavar="OUT.jsonl", help="Results, a line each.")],
    engine: options.Engine = "embedded",
    output_format: options.FormatOption = "whole",
    readers: options.ReadersOption = options.READERS,
    no_speculation: options.NoSpeculation = False,
    dtype: options.Dtype = None,
    template: options.Template = None,
    max_tokens: options.MaxTokens = None,
    window: options.WindowOption = None,
) -> int:
    """Apply many edits with one model load."""
    lines = jsonl.read_lines(source)
    editor = load(
        engine,
        dtype=dtype,
        readers=readers,
        template=template,
        speculate=not no_speculation,
        output_format=output_format,
        window=window,
    )
    write_lines(target, _records(lines, editor, Sampling(max_tokens=max_tokens), readers), "edits", len(lines))
    return 0


def _records(
    lines: Iterable[tuple[int, str]], editor: Redraft, sampling: Sampling, readers: Readers
) -> Iterator[dict[str, Any]]:
    for number, line in lines:
        edit_id = None
        try:
            fields = jsonl.parse(line)
            edit_id = fields.get("id")
            result = editor.answer(jsonl.request(fields), sampling)
        except RedraftError as error:
            result = Result("error", None, None, "model" if readers == "model" else "merge", f"line {number}: {error}")
        yield {"id": edit_id} | result.record()
