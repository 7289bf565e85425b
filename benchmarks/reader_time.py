"""In: nothing. Out: seconds that the reader and the guards take on files of growing length, and how they grow with it.

Three edits in a generated program; the best of five runs each. Linear time is a ratio of 1.
"""

from collections.abc import Callable
from functools import partial
from time import perf_counter

from redraft.edit.guard.check import check_merged
from redraft.edit.merge.read import read

SIZES = (1_250, 2_500, 5_000, 10_000, 20_000)
RUNS = 5


def program(lines: int) -> str:
    functions = (
        f"def step_{n}(value):\n    total = load(value, {n % 97})\n    return total\n\n\n" for n in range(lines // 5)
    )
    return "".join(functions)


def sketch(lines: int) -> str:
    changed = (
        f"def step_{n}(value):\n    total = load(value, {n % 97})\n    return total + 1\n# ... existing code ...\n"
        for n in (lines // 50, lines // 10, lines // 6)
    )
    return "# ... existing code ...\n" + "".join(changed)


def best(action: Callable[[], object]) -> float:
    times = []
    for _ in range(RUNS):
        started = perf_counter()
        action()
        times.append(perf_counter() - started)
    return min(times)


def main() -> None:
    print("| lines | reader, s | guards, s | time a line, compared with the shortest file |")
    print("|---|---|---|---|")
    first = None
    for lines in SIZES:
        original, update = program(lines), sketch(lines)
        reading = read(original, update, "a.py")
        checking = partial(check_merged, original, reading.answer, reading.candidates[0].text, "a.py")
        assert checking().status == "applied"
        seconds, guarded = best(partial(read, original, update, "a.py")), best(checking)
        first = first or (seconds + guarded) / lines
        print(f"| {lines:,} | {seconds:.3f} | {guarded:.3f} | {(seconds + guarded) / lines / first:.2f} |")


if __name__ == "__main__":
    main()
