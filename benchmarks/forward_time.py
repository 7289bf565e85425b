"""In: a model folder, a dtype, a text, and perhaps the engines of another checkout. Out: processor time of forwards.

    python benchmarks/forward_time.py FOLDER DTYPE TEXT [OTHER/src]

One thread; the least of several, in milliseconds. With another checkout they take turns, its forwards first.
"""

import importlib.util
import sys
import time
from itertools import cycle, islice
from pathlib import Path
from types import ModuleType

import torch

from redraft.edit.prompts.prompt import Part
from redraft.engines import decoder
from redraft.engines.folder import Folder, open_folder
from redraft.engines.tokens import read_tokens
from redraft.engines.torch import dtype_of
from redraft.engines.verifier import Session

_SIZES = (
    *((0, 1024, 1), (0, 400, 100), (400, 1, 1), (400, 64, 64)),
    *((1200, 1, 1), (1200, 4, 4), (1200, 16, 16), (1200, 64, 64), (1200, 256, 256)),
)
_REPEATS = 6


def main(name: str, dtype: str, text: str, *other: str) -> None:
    torch.set_num_threads(1)
    folder = open_folder(Path(name))
    assert folder.plain_tokenizer
    tokens = read_tokens(folder.plain_tokenizer).encode((Part(Path(text).read_text()),))
    ids = list(islice(cycle(tokens), 2048))
    sessions = [session(module, folder, dtype) for module in (*map(elsewhere, other), decoder)]
    for cached, size, keep in _SIZES:
        least = times(sessions, ids, cached, size, keep)
        print(f"| {cached} | {size} |", " | ".join(f"{1000 * seconds:.1f}" for seconds in least), "|", flush=True)


def elsewhere(source: str) -> ModuleType:
    """The decoder of another checkout; what it imports is this one's."""
    spec = importlib.util.spec_from_file_location("other_decoder", Path(source) / "redraft/engines/decoder.py")
    assert spec
    assert spec.loader
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def session(module: ModuleType, folder: Folder, dtype: str) -> Session:
    made: Session = module.DecoderModel(folder, dtype_of(dtype), torch.device("cpu")).session()
    return made


@torch.inference_mode()
def times(sessions: list[Session], ids: list[int], cached: int, size: int, keep: int) -> list[float]:
    least = [float("inf")] * len(sessions)
    for each in sessions:
        if cached:
            each.forward(ids[:cached], 1)
    for _ in range(_REPEATS):
        for number, each in enumerate(sessions):
            started = time.process_time()
            each.forward(ids[cached : cached + size], keep)
            least[number] = min(least[number], time.process_time() - started)
            each.crop(size)
    for each in sessions:
        each.crop(cached)
    return least


main(*sys.argv[1:])
