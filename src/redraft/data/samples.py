"""In: edits. Out: apply samples, an edit and its update each, written by rules; and their Parquet file."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from itertools import islice
from pathlib import Path

from redraft.data.edits import Edit
from redraft.data.manners import ALL_STYLES, ambiguous, sketch_in
from redraft.data.rows import read_rows, write_rows
from redraft.errors import RedraftError

RULES = "rules"
NEGATIVE_STYLE = "ambiguous"


@dataclass(frozen=True)
class Sample(Edit):
    """An edit, its update, and what is to come of it.

    `source` is `rules` or the name of the model that wrote the update; `expect` is `applied`, or `needs_context` for
    an update that has several places in the file. Of a model's update `after` and `after_blob` are the file that the
    update makes, not the commit's; `instruction` is what the model was asked for, else "".
    """

    instruction: str
    update: str
    style: str
    source: str
    expect: str


@dataclass
class RuleWriter:
    """Writes samples by rules, styles evenly; and counts what it wrote, by style, and what it had to drop.

    `negatives`: where a sketch of the edit with less context certainly has several places, that is one more sample,
    which expects `needs_context`.
    """

    styles: Sequence[str] = ALL_STYLES
    per_edit: int = 1
    negatives: bool = False
    seed: int = 0
    written: Counter[str] = field(default_factory=Counter)
    dropped: int = 0

    def samples(self, edit: Edit) -> Iterator[Sample]:
        """At most `per_edit` samples of one edit, each in another style, those least used so far first; a negative."""
        made = [*islice(self._positives(edit), self.per_edit), *self._negative(edit)]
        self.dropped += not made
        yield from made

    def _positives(self, edit: Edit) -> Iterator[Sample]:
        for style in sorted(self.styles, key=lambda style: (self.written[style], _digest(self.seed, edit, style))):
            update = sketch_in(edit.before, edit.after, style, self.seed, edit.path)
            if update is not None:
                yield self._sample(edit, update, style, "applied")

    def _negative(self, edit: Edit) -> Iterator[Sample]:
        update = ambiguous(edit.before, edit.after, self.seed, edit.path) if self.negatives else None
        if update is not None:
            yield self._sample(edit, update, NEGATIVE_STYLE, "needs_context")

    def _sample(self, edit: Edit, update: str, style: str, expect: str) -> Sample:
        self.written[style] += 1
        provenance = {name: value for name, value in asdict(edit).items() if name in Edit.__dataclass_fields__}
        return Sample(**provenance, instruction="", update=update, style=style, source=RULES, expect=expect)


def chosen(edits: Iterable[Edit], count: int | None, seed: int) -> list[Edit]:
    """The edits in an order that the seed decides, at most `count` of them."""
    return sorted(edits, key=lambda edit: _digest(seed, edit))[:count]


def check_styles(styles: Sequence[str]) -> tuple[str, ...]:
    """The styles, once each; raises RedraftError that names one that there is not."""
    if unknown := [style for style in styles if style not in ALL_STYLES]:
        raise RedraftError(f"no style {unknown[0]!r}; there are {', '.join(ALL_STYLES)}")
    return tuple(dict.fromkeys(styles))


def write_samples(path: Path, samples: Iterable[Sample]) -> int:
    """Write all samples, if any, and return how many; raises RedraftError where the file cannot be written."""
    return write_rows(path, Sample, samples)


def read_samples(path: Path) -> Iterator[Sample]:
    """The samples of a Parquet file, in order; raises RedraftError when it is none, or has no row, column or value."""
    return read_rows(path, Sample, "samples")


def _digest(seed: int, edit: Edit, more: str = "") -> bytes:
    name = f"{seed} {edit.repository} {edit.commit} {edit.path} {edit.before_blob} {edit.after_blob} {more}"
    return sha256(name.encode()).digest()
