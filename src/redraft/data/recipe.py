"""In: edits and a chat model. Out: samples that the model wrote and samples written by rules, in a given ratio."""

from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from math import ceil

from redraft.data.chat import Chat
from redraft.data.edits import Edit
from redraft.data.samples import RuleWriter, Sample
from redraft.data.written import write_sample
from redraft.errors import RedraftError

SYNTHETIC = 0.8


@dataclass
class Recipe:
    """`synthetic` is the share of samples written by the model, of all; `faults` counts why its others were dropped.

    The model is asked about that share of the edits, `parallel` at a time. How many of its answers are kept decides how
    many samples the rules add: first of the other edits, then, where these are too few, of those it was asked about.
    """

    chat: Chat
    model: str
    writer: RuleWriter
    synthetic: float = SYNTHETIC
    parallel: int = 4
    faults: Counter[str] = field(default_factory=Counter)
    kept: int = 0
    ruled: int = 0

    def samples(self, edits: Sequence[Edit]) -> Iterator[Sample]:
        """The samples in the order of the edits, the model's first; raises RedraftError where it cannot be asked."""
        if not 0 < self.synthetic <= 1:
            raise RedraftError(f"the share of synthetic samples is above 0 and at most 1, not {self.synthetic}")
        asked = ceil(self.synthetic * len(edits))
        yield from self._written(edits[:asked])
        wanted = round(self.kept * (1 - self.synthetic) / self.synthetic)
        others = (*edits[asked:], *edits[:asked])
        for sample in islice((sample for edit in others for sample in self.writer.samples(edit)), wanted):
            self.ruled += 1
            yield sample

    def _written(self, edits: Sequence[Edit]) -> Iterator[Sample]:
        with ThreadPoolExecutor(self.parallel) as threads:
            for made in threads.map(self._write, edits):
                if isinstance(made, Sample):
                    self.kept += 1
                    yield made
                else:
                    self.faults[made] += 1

    def _write(self, edit: Edit) -> Sample | str:
        return write_sample(edit, self.chat, self.model, self.writer.seed)
