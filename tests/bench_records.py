"""A record and edits to make others of, for the tests of the benchmark."""

from git_repository import program
from redraft.measure.speed.record import Environment, Record

SUMMARY = [
    "n", "dtype", "limit_ratio_median", "limit_ratio_p90", "speed_up_median", "forwards_median",
    "accepted_per_forward_median", "chars_per_second_median", "equal_to_vanilla",
]  # fmt: skip
MARKER = "# ... existing code ...\n"
ENVIRONMENT = Environment("scripted:x", None, None, None, "a processor", "", "redraft bench run", {"redraft": "1"})
RECORD = Record(
    "a",
    "python",
    "hunks",
    30,
    "up to 100",
    "applied",
    "",
    True,
    True,
    True,
    100,
    50,
    49,
    49,
    1,
    2.0,
    300.0,
    ENVIRONMENT,
)


def edit(lines: int, changed: int) -> dict[str, str]:
    """A line of a program changes; the sketch shows it between its neighbours."""
    around = program(lines, changed).splitlines(keepends=True)[changed - 1 : changed + 2]
    update = MARKER + "".join(around) + MARKER
    return {"path": "a.py", "original": program(lines), "update": update, "expected": program(lines, changed)}


SHORT, LONG = {"id": "short", "style": "hunks"} | edit(30, 4), {"id": "long"} | edit(150, 70)
