"""In: samples of several files. Out: which of them make a training mix, and how often: balanced, by a seed alone."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from math import floor, inf
from pathlib import PurePosixPath
from statistics import median

from redraft.data.drift_samples import DRIFT
from redraft.data.samples import RULES, Sample
from redraft.data.sizes import bucket, line_count
from redraft.errors import RedraftError

SHORT_LINES = 100
SYNTHETIC = frozenset((RULES, DRIFT))
MOST_COPIES = 8


@dataclass(frozen=True)
class Mixture:
    """What is kept of the samples, in this order.

    `short`: this share of files under 100 lines. `no_ops`: this share of edits that change nothing. `per_name`: at most
    so many of files of one name, folders aside. `balance`: each language and size class that is larger than the median
    one shrinks towards it: 0 keeps all, 1 cuts to the median, 0.5 to the geometric mean of both. `weights`: copies of
    each sample of a source, 0.3 keeps that share, 2 doubles; 1 where nothing is said. `answers`: this share of the mix
    are answers that writers or models gave: they are repeated, MOST_COPIES times at most, and the others cut, until it
    is. They are few, and no size or name of theirs is cut. `count`: at most so many in all.
    """

    short: float = 0.5
    no_ops: float = 0.1
    per_name: int = 50
    balance: float = 0.5
    weights: Mapping[str, float] = field(default_factory=dict)
    answers: float | None = None
    count: int | None = None
    seed: int = 0


MIXTURE = Mixture()


@dataclass(frozen=True)
class Traits:
    """What a mix needs to know of a sample; `key` tells it from all others, and equal samples have an equal one."""

    key: str
    name: str
    language: str
    size: str
    style: str
    source: str
    expect: str
    short: bool
    no_op: bool


def traits(sample: Sample) -> Traits:
    parts = (sample.repository, sample.commit, sample.path, sample.before, sample.after, sample.update, sample.expect)
    return Traits(
        key=sha256("\0".join(parts).encode()).hexdigest(),
        name=PurePosixPath(sample.path).name.lower(),
        language=sample.language or "none",
        size=bucket(sample.before),
        style=sample.style,
        source=sample.source,
        expect=sample.expect,
        short=line_count(sample.before) < SHORT_LINES,
        no_op=sample.before == sample.after,
    )


def copies(found: Iterable[Traits], mixture: Mixture) -> Counter[str]:
    """How often each sample, by its key, is in the mix; the order of `found` and repeated samples make no difference.

    Raises RedraftError for a share outside 0 to 1, a negative weight, and a weight of a source that there is not.
    """
    every = list({one.key: one for one in found}.values())
    _check(every, mixture)
    written = [one for one in every if mixture.answers is not None and one.source not in SYNTHETIC]
    kept = [one for one in every if mixture.answers is None or one.source in SYNTHETIC]
    kept = [one for one in kept if _chance(mixture, "short", one) < (mixture.short if one.short else 1)]
    kept = [one for one in kept if _chance(mixture, "no-op", one) < (mixture.no_ops if one.no_op else 1)]
    kept = list(_capped(kept, mixture, "name", lambda one: one.name, lambda _: mixture.per_name))
    sizes = Counter((one.language, one.size) for one in kept)
    middle = median(sizes.values()) if sizes else 0
    kept = list(
        _capped(kept, mixture, "cell", lambda one: (one.language, one.size), lambda n: _quota(n, middle, mixture))
    )
    made = Counter({one.key: _weighed(one, mixture) for one in kept})
    if mixture.answers is not None:
        made = _shared(made, Counter({one.key: _weighed(one, mixture) for one in written}), mixture)
    return made if mixture.count is None else _cut(made, mixture)


def _check(every: Iterable[Traits], mixture: Mixture) -> None:
    shares = {"short": mixture.short, "no-ops": mixture.no_ops, "balance": mixture.balance}
    for name, share in (shares | {"answers": mixture.answers or 0}).items():
        if not 0 <= share <= 1:
            raise RedraftError(f"--{name} is from 0 to 1, not {share}")
    known = sorted({one.source for one in every})
    for source, weight in mixture.weights.items():
        if not 0 <= weight < 1000:
            raise RedraftError(f"the weight of {source} is from 0 to 1000, not {weight}")
        if source not in known:
            raise RedraftError(f"no sample has the source {source!r}; there are {', '.join(known) or 'none'}")


def _capped(
    found: Iterable[Traits],
    mixture: Mixture,
    stage: str,
    group: Callable[[Traits], Hashable],
    most: Callable[[int], int],
) -> Iterator[Traits]:
    """Of each group at most `most` of its size, those with the smallest digests."""
    groups = defaultdict[Hashable, list[Traits]](list)
    for one in found:
        groups[group(one)].append(one)
    for members in groups.values():
        members.sort(key=lambda one: _chance(mixture, stage, one))
        yield from members[: most(len(members))]


def _quota(size: int, middle: float, mixture: Mixture) -> int:
    return size if size <= middle else round(size * (middle / size) ** mixture.balance)


def _weighed(one: Traits, mixture: Mixture) -> int:
    whole, part = divmod(mixture.weights.get(one.source, 1.0), 1)
    return int(whole) + (_chance(mixture, "weight", one) < part)


def _shared(synthetic: Counter[str], written: Counter[str], mixture: Mixture) -> Counter[str]:
    """Both, such that the written ones have their share: first they are repeated, then the others are cut."""
    share = mixture.answers or 0
    if not share or not written.total():
        return synthetic
    wanted = synthetic.total() * share / (1 - share) if share < 1 else inf
    times = min(MOST_COPIES, max(1, round(wanted / written.total()))) if share < 1 else 1
    repeated = Counter({key: count * times for key, count in written.items()})
    room = floor(repeated.total() * (1 - share) / share)
    return _cut(synthetic, replace(mixture, count=room)) + repeated


def _cut(made: Counter[str], mixture: Mixture) -> Counter[str]:
    drawn = [(_digest(mixture.seed, f"count {number}", key), key) for key in made for number in range(made[key])]
    return Counter(key for _, key in sorted(drawn)[: mixture.count])


def _chance(mixture: Mixture, stage: str, one: Traits) -> float:
    """A number from 0 to 1 that depends on seed, stage and sample alone."""
    return int.from_bytes(_digest(mixture.seed, stage, one.key)[:6]) / (1 << 48)


def _digest(seed: int, stage: str, key: str) -> bytes:
    return sha256(f"{seed} {stage} {key}".encode()).digest()
