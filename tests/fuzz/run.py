"""In: the name of a target and minutes. Out: how many inputs broke what, and the smallest ones, one a kind.

python tests/fuzz/run.py TARGET [--minutes 10] [--seed 1]; `make fuzz` runs all. libFuzzer keeps what reaches new code,
the mutations are those of `mutations.py`. What fell is in `.fuzz/TARGET.jsonl`, beside the slowest input; once it is
mended, its line goes into `tests/fuzz/corpus/TARGET.jsonl`.
"""

import argparse
import os
import sys
import tempfile
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

import atheris

ROOMS = ("answer", "exact", "formats", "outline", "sketch")  # whose code is told apart, with the laws

sys.path.insert(0, str(Path(__file__).parent.parent))
with atheris.instrument_imports(include=["redraft.laws", *(f"redraft.edit.{room}" for room in ROOMS)]):
    from fuzz.cases import Case, seeds
    from fuzz.mutations import mutated
    from fuzz.properties import TARGETS, Fallen, check

FOUND = Path(".fuzz")
LONGEST = 20_000  # bytes of an input
SECONDS = 5.0  # that a reader has for one
EVERY = 5.0  # seconds between two lines of progress
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

    def one_input(self, data: bytes) -> None:
        if not data:
            return
        case = Case.of(data)
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
        self._tell()

    def mutate(self, data: bytes, longest: int, seed: int) -> bytes:
        chance = Random(seed)
        case = Case.of(data) if data else chance.choice(self.pool)
        line = mutated(case, chance.choice(self.pool), chance).line.encode()
        return line if len(line) <= longest else data

    def _note(self, kind: str, case: Case) -> None:
        self.fallen[kind] += 1
        if self.fallen[kind] > OF_A_KIND:
            return
        smaller = replace(_smallest(self.target, case, kind), broke=kind)
        with (FOUND / f"{self.target}.jsonl").open("a", encoding="utf-8") as file:
            file.write(smaller.line + "\n")
        print(f"\n{self.target}: {kind}\n  {smaller.line}", file=sys.stderr, flush=True)

    def _tell(self) -> None:
        gone = time.monotonic() - self.started
        is_over = gone > 60 * self.minutes
        if gone - self.told < EVERY and not is_over:
            return
        self.told = gone
        computed = time.process_time() / 60
        print(
            f"{self.target}: {gone / 60:.1f} of {self.minutes:g} minutes, {computed:.1f} of the processor;"
            f" {self.inputs:,} inputs, {len(self.outcomes):,} outcomes, slowest {self.slowest:.1f} s,"
            f" {len(self.fallen)} kinds fell",
            end="\n" if is_over or not sys.stderr.isatty() else "\r",
            file=sys.stderr,
            flush=True,
        )
        if is_over:
            os._exit(bool(self.fallen))  # libFuzzer takes an ordinary exit for a crash


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
    with tempfile.TemporaryDirectory() as folder:
        for number, case in enumerate(run.pool):
            (Path(folder) / f"{number:05}").write_text(case.line, encoding="utf-8")
        options = [f"-seed={given.seed}", f"-max_len={LONGEST}", "-len_control=0", "-verbosity=0", "-rss_limit_mb=4096"]
        atheris.Setup([sys.argv[0], folder, *options], run.one_input, custom_mutator=run.mutate)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
