"""In: nothing. Out: seconds that merge and guards take on files of growing length, and how they grow with it.

Three edits in a generated program; the best of five runs each. Linear time is a ratio of 1.
"""

from time import perf_counter

from redraft.edit.align.merge import merge
from redraft.edit.guard.check import check

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


def best(action: object, *arguments: str) -> float:
    times = []
    for _ in range(RUNS):
        started = perf_counter()
        action(*arguments)  # type: ignore[operator]
        times.append(perf_counter() - started)
    return min(times)


def main() -> None:
    print("| lines | merge, s | guards, s | time a line, compared with the shortest file |")
    print("|---|---|---|---|")
    first = None
    for lines in SIZES:
        original, update = program(lines), sketch(lines)
        output = merge(original, update, "a.py").text
        assert output is not None
        assert check(original, update, output, path="a.py").status == "applied"
        merged, guarded = best(merge, original, update, "a.py"), best(check, original, update, output, "stop", "a.py")
        first = first or (merged + guarded) / lines
        print(f"| {lines:,} | {merged:.3f} | {guarded:.3f} | {(merged + guarded) / lines / first:.2f} |")


if __name__ == "__main__":
    main()
