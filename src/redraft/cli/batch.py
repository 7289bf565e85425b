"""In: JSON lines, one edit each. Out: JSON lines in the same order, a result each, also for malformed lines."""

import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from redraft.apply import Readers, Redraft, load
from redraft.cli import options, streams
from redraft.cli.lines import write_lines
from redraft.edit import jsonl
from redraft.engines import Sampling
from redraft.errors import RedraftError
from redraft.files.read import decode
from redraft.result import Result

_STREAM = Path("-")
_Line = tuple[int, str]
_Apply = Callable[[_Line], dict[str, Any]]


def batch(
    source: Annotated[Path, typer.Argument(metavar="IN.jsonl|-", help="Edits: id, path, original, update.")],
    target: Annotated[Path, typer.Argument(metavar="OUT.jsonl|-", help="Results, a line each.")],
    resume: Annotated[bool, typer.Option("--resume", help="Keep the results that OUT.jsonl holds, and go on.")] = False,
    jobs: Annotated[int, typer.Option(min=1, help="Processes, with --readers merge.")] = 1,
    engine: options.Engine = "embedded",
    output_format: options.FormatOption = "whole",
    readers: options.ReadersOption = options.READERS,
    no_speculation: options.NoSpeculation = False,
    dtype: options.Dtype = None,
    template: options.Template = None,
    max_tokens: options.MaxTokens = None,
    window: options.WindowOption = None,
    seconds: options.Time = options.SECONDS,
) -> int:
    """Apply many edits with one model load; - is standard input or output."""
    if jobs > 1 and readers != "merge":
        raise typer.BadParameter("--jobs runs the deterministic reader in several processes: add --readers merge")
    if resume and target == _STREAM:
        raise typer.BadParameter("--resume needs the file that holds the results so far")
    if target != _STREAM and source.resolve() == target.resolve():
        raise RedraftError(f"the results would be written over the edits in {source}: name another file")
    lines = _read(source)
    done = _done(target, lines) if resume else 0
    editor = load(
        engine,
        dtype=dtype,
        readers=readers,
        template=template,
        output_format=output_format,
        window=window,
        seconds=seconds,
    )
    sampling = Sampling(max_tokens=max_tokens, speculate=not no_speculation)
    apply = partial(_record, editor=editor, sampling=sampling, readers=readers)
    statuses: Counter[str] = Counter()
    records = _counted(_in_order(apply, lines[done:], jobs), statuses)
    try:
        write_lines(None if target == _STREAM else target, records, "edits", len(lines) - done, append=resume)
    finally:
        _summarise(statuses, done, len(lines))
    return 0


def _read(source: Path) -> list[_Line]:
    """The lines that are not blank, with their numbers; bytes that are no text spoil their own line alone."""
    try:
        data = sys.stdin.buffer.read() if source == _STREAM else source.read_bytes()
    except OSError as error:
        raise RedraftError(f"cannot read {source}: {error.strerror}") from error
    try:
        text = decode(data, source).text
    except RedraftError:
        text = data.decode(errors="surrogateescape")
    return [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]


def _done(target: Path, lines: Sequence[_Line]) -> int:
    """How many results there are; raises RedraftError where they are not those of the first edits."""
    if not target.exists():
        return 0
    jsonl.drop_torn(target)
    kept = jsonl.read_lines(target)
    for (number, result), (_, line) in zip(kept, lines, strict=False):
        if _id(result) != _id(line):
            raise RedraftError(f"line {number} of {target} is not the result of that edit: --resume cannot go on")
    if len(kept) > len(lines):
        raise RedraftError(f"{target} holds more results than there are edits: --resume cannot go on")
    return len(kept)


def _id(line: str) -> Any:
    try:
        return _parsed(line).get("id")
    except RedraftError:
        return None


def _parsed(line: str) -> dict[str, Any]:
    """Raises RedraftError for a line that is not text, or no JSON object that can be read."""
    try:
        line.encode()
        return jsonl.parse(line)
    except UnicodeEncodeError as error:
        raise RedraftError(f"not UTF-8 text: byte 0x{ord(line[error.start]) - 0xDC00:02x}") from error
    except RecursionError:
        raise RedraftError("nested too deep to be read") from None


def _record(line: _Line, editor: Redraft, sampling: Sampling, readers: Readers) -> dict[str, Any]:
    edit_id = None
    try:
        fields = _parsed(line[1])
        edit_id = fields.get("id")
        result = editor.answer(jsonl.request(fields), sampling)
    except RedraftError as error:
        result = Result("error", None, None, "model" if readers == "model" else "merge", f"line {line[0]}: {error}")
    return {"id": edit_id} | result.record()


def _in_order(apply: _Apply, lines: Sequence[_Line], jobs: int) -> Iterator[dict[str, Any]]:
    if jobs == 1:
        yield from map(apply, lines)
        return
    pool = ProcessPoolExecutor(jobs, initializer=_leave_interrupts)
    try:
        yield from pool.map(apply, lines, chunksize=max(1, min(16, len(lines) // (4 * jobs))))
    finally:
        pool.shutdown(cancel_futures=True)


def _leave_interrupts() -> None:
    """An interrupt of the terminal reaches all processes; the first one ends the others."""
    for number in streams.STOPS:
        signal.signal(number, signal.SIG_IGN if number == signal.SIGINT else signal.SIG_DFL)


def _counted(records: Iterator[dict[str, Any]], statuses: Counter[str]) -> Iterator[dict[str, Any]]:
    for record in records:
        statuses[record["status"]] += 1
        yield record


def _summarise(statuses: Counter[str], before: int, total: int) -> None:
    count = statuses.total()
    counted = ", ".join(f"{number} {status}" for status, number in statuses.most_common())
    streams.tell(f"{count} edit{'' if count == 1 else 's'}{f': {counted}' if counted else ''}")
    if before + count < total:
        streams.tell(f"stopped after {before + count} of {total} edits; --resume goes on")
