"""In: the name of a target and minutes. Out: how many inputs broke what, and the smallest ones, a few of a kind.

python tests/fuzz/run.py TARGET [--minutes 10] [--seed 1]; `make fuzz` runs all. An input is a mutated case of the pool;
one whose outcome is new comes into the pool. What fell is in `.fuzz/TARGET.jsonl`, beside the slowest input; once it is
mended, its line goes into `tests/fuzz/corpus/TARGET.jsonl`.
"""

import argparse
import sys
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent))

from fuzz.cases import Case, seeds
from fuzz.mutations import mutated
from fuzz.properties import TARGETS, Fallen, check

FOUND = Path(".fuzz")
LONGEST = 20_000  # characters of an input
SECONDS = 5.0  # that a reader has for one
EVERY = 10.0  # seconds between two lines of progress
OF_A_KIND = 3  # inputs that are written down
TRIES = 600  # to make one smaller


@dataclass
class Run:
    """One target, for a time."""

    target: str
    minutes: float
    pool: list[Case]
    started: float = field(default_factory=time.monotonic)
    inputs: int = 0
    slowest: float = 0.0
    told: float = 0.0
    outcomes: set[str] = field(default_factory=set)
    fallen: Counter[str] = field(default_factory=Counter)

    def go(self, chance: Random) -> None:
        """All of the pool first, then what comes of it, until the time is over."""
        for case in [*self.pool]:
            self._try(case)
        while time.monotonic() - self.started < 60 * self.minutes:
            case = mutated(chance.choice(self.pool), chance.choice(self.pool), chance)
            if len(case.line) <= LONGEST:
                self._try(case)
        self._tell()

    def _try(self, case: Case) -> None:
        start = time.thread_time()
        try:
            outcome = check(self.target, case, SECONDS)
            if outcome not in self.outcomes:
                self.outcomes.add(outcome)
                self.pool.append(case)
        except Exception as error:
            self._note(_kind(error), case)
        self.inputs += 1
        if time.thread_time() - start > self.slowest:
            self.slowest = time.thread_time() - start
            (FOUND / f"{self.target}-slowest.jsonl").write_text(case.line + "\n", encoding="utf-8")
        if time.monotonic() - self.started - self.told > EVERY:
            self._tell()

    def _note(self, kind: str, case: Case) -> None:
        self.fallen[kind] += 1
        if self.fallen[kind] > OF_A_KIND:
            return
        smaller = replace(_smallest(self.target, case, kind), broke=kind)
        with (FOUND / f"{self.target}.jsonl").open("a", encoding="utf-8") as file:
            file.write(smaller.line + "\n")
        print(f"\n{self.target}: {kind}\n  {smaller.line}", file=sys.stderr, flush=True)

    def _tell(self) -> None:
        self.told = time.monotonic() - self.started
        computed = time.process_time() / 60
        print(
            f"{self.target}: {self.told / 60:.1f} of {self.minutes:g} minutes, {computed:.1f} of the processor;"
            f" {self.inputs:,} inputs, {len(self.outcomes):,} outcomes, slowest {self.slowest:.1f} s,"
            f" {len(self.fallen)} kinds fell",
            file=sys.stderr,
            flush=True,
        )


def _kind(error: Exception) -> str:
    """What fell: a property, or an error and the line of the product that raised it."""
    if isinstance(error, Fallen):
        return error.property
    frames = [each for each in traceback.extract_tb(error.__traceback__) if "redraft" in each.filename]
    return f"{type(error).__name__} in {Path(frames[-1].filename).name}, {frames[-1].name}" if frames else repr(error)


def _smallest(target: str, case: Case, kind: str) -> Case:
    """The case without all lines, and then words, that it falls without as well."""
    tries = TRIES
    for separator in ("\n", " "):
        for name in ("text", "update", "original"):
            size = len(getattr(case, name).split(separator))
            while size and tries > 0:
                parts = getattr(case, name).split(separator)
                for start in range(0, len(parts), size):
                    less = replace(case, **{name: separator.join(parts[:start] + parts[start + size :])})
                    tries -= 1
                    if less != case and _falls(target, less, kind):
                        case = less
                        break
                else:
                    size //= 2
    return case


def _falls(target: str, case: Case, kind: str) -> bool:
    try:
        check(target, case, SECONDS)
    except Exception as error:
        return _kind(error) == kind
    return False


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    FOUND.mkdir(exist_ok=True)
    run = Run(given.target, given.minutes, seeds(given.target))
    run.go(Random(given.seed))
    sys.exit(bool(run.fallen))


if __name__ == "__main__":
    main()
