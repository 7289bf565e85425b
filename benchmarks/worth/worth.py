"""In: small cases. Out: a table of what each function of the reader is worth: what is lost where it does nothing.

python benchmarks/worth/worth.py [--most CASES] [--rooms NAMES] [SET ...]
A function does nothing where it returns always what it returns most often. Tried are those that return something else,
or raise, in at most --most cases; a case is right, silent (wrong without a word) or refused.
"""

import argparse
import functools
import gc
import multiprocessing
from collections import Counter, defaultdict
from pathlib import Path
from typing import NamedTuple

import watch
from tqdm import tqdm

_ROOMS = "align,answer,guard,merge,named,outline,region,sketch,text,words"
_SETS = (
    "tests/cases/edits.jsonl",
    "tests/cases/short.jsonl",
    "tests/conformance",
    "benchmarks/short/development.jsonl",
)


class Tried(NamedTuple):
    """A function, what it is made to return, and the cases in which it returned something else."""

    name: str
    fixed: str
    cases: list[int]


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("sets", nargs="*", default=_SETS, metavar="SET", help="files of cases, folders of conformance")
    options.add_argument("--most", type=int, default=40, help="cases in which a function does something")
    options.add_argument("--rooms", default=_ROOMS)
    asked = options.parse_args()
    watch.install("redraft.edit", asked.rooms.split(","))

    from redraft.measure.score.small import read_small

    _cases.extend(case for each in asked.sets for case in read_small(Path(each)))
    _grade(0)  # everything is imported, and watched, before the processes part
    with multiprocessing.get_context("fork").Pool() as pool:
        before = list(tqdm(pool.imap(_noted, range(len(_cases)), 8), total=len(_cases), desc="as it is"))
    found = tried([kinds for _, kinds in before], asked.most)
    print(f"{'function':64} {'lines':>5} {'cases':>5} {'lost':>5} {'won':>5} {'silent':>6}  returns")
    with multiprocessing.get_context("fork").Pool() as pool:
        for each, grades in tqdm(pool.imap_unordered(_without, found), total=len(found), desc="without"):
            moved = Counter((before[at][0], grade) for at, grade in zip(each.cases, grades, strict=True))
            tqdm.write(told(each, moved))


def tried(before: list[dict[str, frozenset[str]]], most: int) -> list[Tried]:
    """The functions that do something in some cases and at most in so many, the rarest first."""
    returned: dict[str, dict[frozenset[str], list[int]]] = defaultdict(lambda: defaultdict(list))
    for at, kinds in enumerate(before):
        for name, found in kinds.items():
            returned[name][found].append(at)
    out = []
    for name, by in returned.items():
        kinds = {kind for found in by for kind in found if kind in watch.FIXED}
        others = {kind: [at for found, cases in by.items() if found != {kind} for at in cases] for kind in kinds}
        if others:
            fixed = min(others, key=lambda kind: len(others[kind]))
            out.append(Tried(name, fixed, others[fixed]))
    return sorted((each for each in out if 0 < len(each.cases) <= most), key=lambda each: len(each.cases))


def told(each: Tried, moved: Counter[tuple[str, str]]) -> str:
    lost = sum(count for (old, new), count in moved.items() if old == "right" != new)
    won = sum(count for (old, new), count in moved.items() if old != "right" == new)
    silent = sum(count * ((new == "silent") - (old == "silent")) for (old, new), count in moved.items())
    size = watch.lines.get(each.name, 0)
    return f"{each.name:64} {size:5} {len(each.cases):5} {lost:5} {won:5} {silent:+6}  {each.fixed}"


_cases: list = []


def _noted(at: int) -> tuple[str, dict[str, frozenset[str]]]:
    watch.noted.clear()
    grade = _grade(at)
    return grade, {name: frozenset(kinds) for name, kinds in watch.noted.items()}


def _without(each: Tried) -> tuple[Tried, list[str]]:
    watch.fixed[each.name] = each.fixed
    try:
        return each, [_grade(at) for at in each.cases]
    finally:
        watch.fixed.clear()


def _grade(at: int) -> str:
    from redraft.apply import Redraft
    from redraft.edit.guard.check import WRITTEN

    for cache in _caches():  # what an earlier case left there is not read again
        cache.cache_clear()
    case = _cases[at]
    try:
        result = Redraft().apply(case.original, case.update, path=case.path)
    except Exception:  # what a function needs may be what another one was kept from returning
        return "failed"
    if result.status not in WRITTEN:
        return "refused"
    return "right" if result.output in case.right else "silent"


@functools.cache
def _caches() -> list:
    found = (each for each in gc.get_objects() if isinstance(each, functools._lru_cache_wrapper))
    return [each for each in found if getattr(each, "__module__", "").startswith("redraft.edit")]


if __name__ == "__main__":
    main()
