"""In: specs of engines with a folder, such as `numpy:FOLDER hf:FOLDER`. Out: a line of JSON for each step of each.

Seconds are the processor's. Run each with one thread (OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1): others may spin.
"""

import json
import resource
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from redraft.engines.choice import Likeliest
from redraft.engines.own import OwnEngine
from redraft.engines.spec import load_engine
from redraft.engines.verifier import ModelVerifier

_PROMPT, _DRAFT = 900, 300
_TEXT = Path(__file__).parent.parent / "src" / "redraft" / "choosing.py"


def main() -> None:
    for spec in sys.argv[1:]:
        started = time.process_time()
        engine = load_engine(spec)
        assert isinstance(engine, OwnEngine)
        _say(spec, "load", 0, started)
        ids = engine.encode(_TEXT.read_text())
        verifier = ModelVerifier(engine.model.session(), Likeliest(), _PROMPT)
        fed = ids[:_PROMPT], ids[_PROMPT : _PROMPT + _DRAFT], ids[:1]
        for name, each in zip(("prompt", "draft", "one"), fed, strict=True):
            _step(spec, name, verifier, each)


def _step(spec: str, name: str, verifier: ModelVerifier, ids: Sequence[int]) -> None:
    started = time.process_time()
    verifier.step(ids)
    _say(spec, name, len(ids), started)


def _say(spec: str, name: str, ids: int, started: float) -> None:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    seconds = round(time.process_time() - started, 3)
    print(json.dumps({"engine": spec, "step": name, "ids": ids, "seconds": seconds, "peak": peak}), flush=True)


if __name__ == "__main__":
    main()
