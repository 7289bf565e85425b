"""In: how many large and small edits. Out: the memory of a process that reads them all, no two alike; JSON last.

python benchmarks/memory.py [LARGE SMALL]       2,000 and 20,000 where nothing is said
What is kept between edits is bounded in bytes, so memory after all of them is that after the first 500, or little more.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from tqdm import tqdm

from redraft.apply import Redraft

_WARM = 500
_FUNCTIONS, _FEW = 2_500, 4  # of a large file, of about 100 kB, and of a small one


def main() -> None:
    large, small = map(int, sys.argv[1:] or (2_000, 20_000))
    editor, seen = Redraft(), {}
    for number, functions in enumerate(tqdm(_sizes(large, small), total=large + small), start=1):
        original, update = edit(number, functions)
        assert editor.apply(original, update, path="a.py").status == "applied"
        if number in (_WARM, large + small) or number % ((large + small) // 10) == 0:
            seen[number] = megabytes()
    print(f"{seen[_WARM]} MB after {_WARM} edits, {seen[large + small]} MB after {large + small}")
    print(json.dumps({"large": large, "small": small, "megabytes": seen}))


def edit(number: int, functions: int) -> tuple[str, str]:
    lines = "".join(f"def part_{number}_{at}(a):\n    return a * {at}\n\n\n" for at in range(functions))
    changed = f"def part_{number}_1(a):\n    return a + {number}\n"
    return lines, f"```python\n# ... existing code ...\n\n{changed}\n# ... existing code ...\n```\n"


def _sizes(large: int, small: int) -> Iterator[int]:
    """The functions of each edit, large ones spread evenly among the small."""
    for at in range(large + small):
        yield _FUNCTIONS if (at + 1) * large // (large + small) > at * large // (large + small) else _FEW


def megabytes() -> int:
    status = Path("/proc/self/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS:"))) // 1024


if __name__ == "__main__":
    main()
