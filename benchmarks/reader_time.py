"""In: nothing. Out: seconds that the reader and the guards take on files of growing length, and how they grow with it.

Three edits in a generated program; the best of five runs each, on another file every time: what was found out about a
text is kept. Linear time is a ratio of 1.
"""

from time import perf_counter

from redraft.edit.guard.check import check_merged
from redraft.edit.merge.read import read

SIZES = (1_250, 2_500, 5_000, 10_000, 20_000)
RUNS = 5


def program(lines: int, run: int) -> str:
    functions = (
        f"def step_{n}(value):\n    total = load(value, {n % 97})\n    return total\n\n\n" for n in range(lines // 5)
    )
    return f"# {run}\n" + "".join(functions)


def sketch(lines: int) -> str:
    changed = (
        f"def step_{n}(value):\n    total = load(value, {n % 97})\n    return total + 1\n# ... existing code ...\n"
        for n in (lines // 50, lines // 10, lines // 6)
    )
    return "# ... existing code ...\n" + "".join(changed)


def timed(lines: int, run: int) -> tuple[float, float]:
    """Seconds of the reader and of the guards."""
    original = program(lines, run)
    started = perf_counter()
    reading = read(original, sketch(lines), "a.py")
    between = perf_counter()
    assert check_merged(original, reading.answer, reading.candidates[0].text, "a.py").status == "applied"
    return between - started, perf_counter() - between


def main() -> None:
    print("| lines | reader, s | guards, s | time a line, compared with the shortest file |")
    print("|---|---|---|---|")
    first = None
    for lines in SIZES:
        seconds, guarded = map(min, zip(*(timed(lines, run) for run in range(RUNS)), strict=True))
        first = first or (seconds + guarded) / lines
        print(f"| {lines:,} | {seconds:.3f} | {guarded:.3f} | {(seconds + guarded) / lines / first:.2f} |")


if __name__ == "__main__":
    main()
