"""In: the arguments of a command. Out: what it printed, once it ended as it should."""

import pytest

from redraft.cli import run


def done(capfd: pytest.CaptureFixture[str], *arguments: object) -> tuple[str, str]:
    """Standard output and standard error of a command that succeeds."""
    capfd.readouterr()
    code = run([str(argument) for argument in arguments])
    printed = capfd.readouterr()
    assert code == 0, printed.err
    return printed.out, printed.err


def refusal(capfd: pytest.CaptureFixture[str], *arguments: object) -> str:
    """The one line with which a command refuses its input: exit code 1; on standard output a record if it is asked."""
    capfd.readouterr()
    code = run([str(argument) for argument in arguments])
    printed = capfd.readouterr()
    assert (code, printed.out.count("\n"), printed.err.count("\n")) == (1, "--json" in arguments, 1), printed
    assert printed.err.startswith("redraft: ")
    return printed.err
