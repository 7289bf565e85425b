"""What was read of a prompt is kept for the next one that begins alike, and changes nothing of what a model says."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from redraft.apply import Redraft
from redraft.draft import Origin
from redraft.edit.prompts.prompt import Part, Prompt, Source
from redraft.edit.prompts.template import find_template
from redraft.engines import Chunk, Sampling
from redraft.engines.abandon import AbandonedError, checked
from redraft.engines.prefix import BLOCK, LEAST, Prefixes
from redraft.engines.scripted import Scripted
from redraft.engines.torch import TorchEngine
from tiny_models import save

FILE = "".join(f"def step_{number}(self):\n    return self._ids[{number}]\n" for number in range(36))
ASKED = Sampling(max_tokens=12, logprobs=2)


@pytest.fixture(scope="module", params=["llama", "gpt2"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One model that runs in our own forward pass, one in that of transformers."""
    return save(request.param, tmp_path_factory.mktemp(request.param), chat=False)


@pytest.fixture
def engine(folder: Path) -> TorchEngine:
    made = TorchEngine(str(folder), "float32")
    made.keep_prefixes()
    return made


def prompt(end: str, origin: Origin = "prediction") -> Prompt:
    return Prompt((Part(FILE), Part(end)), (Source(origin, (Part(FILE[:40]),)),))


def said(engine: TorchEngine, asked: Prompt, sampling: Sampling = ASKED) -> list[Chunk]:
    return list(engine.generate(asked, sampling))


def test_what_is_kept_changes_no_bit(engine: TorchEngine, folder: Path) -> None:
    cold = TorchEngine(str(folder), "float32")
    cold.keep_prefixes()
    first = said(cold, prompt("# two\n"))
    said(engine, prompt("# one\n"))
    assert engine.warm(prompt("# two\n"))[1] >= BLOCK
    assert said(engine, prompt("# two\n")) == first
    assert said(engine, prompt("# two\n")) == first


def test_what_is_kept_is_not_read_again(engine: TorchEngine) -> None:
    whole, length = len(engine.encode(FILE)) // BLOCK * BLOCK, len(engine.encode(FILE + "# other\n"))
    assert engine.warm(prompt(""))[1] == 0
    read, known = engine.warm(prompt("# other\n"))
    assert whole <= known <= read < length
    assert engine.warm(prompt("# other\n")) == (read, read)
    assert length - read <= LEAST
    assert engine.warm(Prompt((Part("x y " * 150),)))[1] == 0
    said(engine, prompt("# three\n"))
    assert engine.warm(prompt("# other\n"))[1] >= whole


@pytest.mark.parametrize("ids", [*range(1, 70), 255, 256, 257, 289, 480, 481, 1000])
def test_so_few_ids_are_in_no_block_and_at_least_one(ids: int) -> None:
    class Counting:
        def __init__(self) -> None:
            self.fed = list[int]()

        def forward(self, ids: Sequence[int], keep: int) -> Any:
            self.fed.append(len(ids))

    begun = Prefixes(SimpleNamespace(session=Counting)).begin(range(ids))  # type: ignore[arg-type]
    assert 1 <= ids - len(begun.ids) <= LEAST
    assert sum(begun.session.fed) == len(begun.ids)  # type: ignore[attr-defined]


def test_a_file_is_read_while_its_edit_is_written_and_again_for_the_next_edit(folder: Path) -> None:
    warmed, cold = (Redraft.of(TorchEngine(str(folder), "float32"), find_template("fenced")) for _ in range(2))
    asked = {"update": "def step_3(self):\n    return 4\n", "sampling": Sampling(max_tokens=12)}
    known = warmed.warm(FILE)
    assert known >= BLOCK
    assert warmed.apply(FILE, **asked).output == cold.apply(FILE, **asked).output
    assert warmed.warm(FILE) == known
    assert Redraft.of(Scripted(FILE), find_template("fenced")).warm(FILE) == 0


def test_a_ranking_reads_on_where_a_prompt_was_read(engine: TorchEngine, folder: Path) -> None:
    cold = TorchEngine(str(folder), "float32")
    cold.keep_prefixes()
    texts = [FILE[:200] + "a = 1\n", FILE[:200] + "b = 2\n", FILE[:90]]
    found = cold.rank(prompt("# rank\n"), texts)
    engine.warm(prompt(""))
    assert engine.rank(prompt("# rank\n"), texts) == found
    assert engine.rank(prompt("# rank\n"), texts) == found


def test_a_reading_that_is_abandoned_leaves_what_it_read(engine: TorchEngine, folder: Path) -> None:
    calls: Iterator[bool] = iter([False, False, True])

    def check() -> None:
        if next(calls, False):
            raise AbandonedError

    with checked(check), pytest.raises(AbandonedError):
        engine.warm(prompt(""))
    assert engine.warm(prompt(""))[1] == 2 * BLOCK
    cold = TorchEngine(str(folder), "float32")
    cold.keep_prefixes()
    assert said(engine, prompt("# two\n")) == said(cold, prompt("# two\n"))


def test_a_generation_that_is_closed_leaves_its_prompt(engine: TorchEngine) -> None:
    begun = engine.generate(prompt("# one\n"), Sampling(max_tokens=9, speculate=False))
    next(begun)
    begun.close()
    assert engine.warm(prompt("# two\n"))[1] > 0
