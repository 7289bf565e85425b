"""In: the arguments of the command line. Out: the exit code: 0 done, 1 bad usage or input, 3 refused, 130 stopped."""

import sys
from typing import cast

import typer

from redraft.cli.apply import apply
from redraft.cli.batch import batch
from redraft.cli.bench import bench
from redraft.cli.compare import compare
from redraft.cli.data import data
from redraft.cli.evaluate import evaluate
from redraft.cli.train import train
from redraft.errors import RedraftError

# Its name and home changed between versions of typer: the base of every usage error.
_UsageError = cast(type[typer.BadParameter], typer.BadParameter.__mro__[1])

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
app.command()(apply)
app.command()(batch)
app.command()(compare)
app.add_typer(bench, name="bench")
app.add_typer(evaluate, name="eval")
app.add_typer(data, name="data")
app.add_typer(train, name="train")


@app.callback()
def redraft() -> None:
    """Apply code edits instantly: a language model rewrites the file, speculative edits make it fast."""


def run(arguments: list[str]) -> int:
    """Runs one command; what is wrong is said in one line on stderr."""
    try:
        return app(arguments or ["--help"], prog_name="redraft", standalone_mode=False) or 0
    except _UsageError as error:
        return _refuse(error.format_message())
    except RedraftError as error:
        return _refuse(str(error))
    except (KeyboardInterrupt, typer.Abort):
        return 130


def _refuse(message: str) -> int:
    # Empty where a group of commands was named alone, which prints its help.
    if message:
        print(f"redraft: {' '.join(message.split())}", file=sys.stderr)
    return 1


def main() -> None:
    sys.exit(run(sys.argv[1:]))
