"""In: a new file, and the checks of its case. Out: whether it passes them."""

import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

from redraft.edit.text.selection import Selection
from redraft.measure.cases import Checks

_SECONDS = 20.0  # a test takes a tenth of one; what a model wrote may never end
# What is printed at the end no new file knows: one that ends the process has not passed.
_TEST = """import edited
from edited import *

with open("edited.py", encoding="utf-8") as file:
    source = file.read()
{}
print("\\n{}")
"""


def passes(checks: Checks, original: str, output: str) -> bool:
    """Whether the new file passes them all. A test runs it in a process and folder of its own, which are no cage."""
    new = _new_lines(checks, original, output)
    if new is None:
        return False
    held = [re.search(pattern, new, re.MULTILINE) is not None for pattern in (*checks.holds, *checks.lacks)]
    is_right = all(held[: len(checks.holds)]) and not any(held[len(checks.holds) :])
    return is_right and (not checks.test or _runs(checks.test, output))


def _new_lines(checks: Checks, original: str, output: str) -> str | None:
    """What stands in place of the lines within; None where another line is not as it was."""
    if checks.within is None:
        return output
    place = Selection.of(original, *checks.within)
    end = len(output) - len(place.after)
    is_kept = len(place.before) <= end and output.startswith(place.before) and output.endswith(place.after)
    return output[len(place.before) : end] if is_kept else None


def _runs(test: str, output: str) -> bool:
    passed = uuid4().hex
    with TemporaryDirectory() as folder:
        Path(folder, "edited.py").write_text(output, encoding="utf-8", errors="replace")
        Path(folder, "check.py").write_text(_TEST.format(test, passed), encoding="utf-8")
        command = [sys.executable, "-B", "check.py"]
        try:
            done = subprocess.run(
                command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=_SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            return False
    return done.returncode == 0 and done.stdout.split()[-1:] == [passed.encode()]
