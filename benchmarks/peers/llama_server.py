"""In: jobs of `worker`; MODEL is a GGUF file. Out: what llama.cpp's own server writes, greedily, with its own drafts.

A way is `plain` or a kind of drafts from n-grams as `llama-server --spec-type` names it, such as `ngram-simple`. The
server is the one in PATH, or LLAMA_SERVER.
"""

import json
import os
import subprocess
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from socket import socket
from typing import Any

from worker import Generate, serve

_CONTEXT = 32_768
_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


@contextmanager
def served(model: str, threads: int, way: str) -> Iterator[str]:
    """The address of a server, which lasts as long as the block."""
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    options = {"-m": model, "-t": threads, "-tb": threads, "-c": _CONTEXT, "-np": 1, "--port": url.rpartition(":")[2]}
    options["--spec-type"] = "none" if way == "plain" else way
    command = [
        os.environ.get("LLAMA_SERVER", "llama-server"),
        *(str(each) for pair in options.items() for each in pair),
    ]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            _wait(process, url)
            yield url
        finally:
            process.terminate()


def completed(url: str, body: dict[str, Any]) -> dict[str, Any]:
    """What the server says to a prompt of ids, greedily, and its own timings."""
    body = {"temperature": 0, "samplers": ["top_k"], "top_k": 1, "return_tokens": True, **body}
    request = urllib.request.Request(
        f"{url}/completion", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with _OPENER.open(request) as answer:
        return dict(json.load(answer))


def _wait(process: "subprocess.Popen[bytes]", url: str) -> None:
    """Raises OSError for a server that does not start."""
    while process.poll() is None:
        try:
            with _OPENER.open(f"{url}/health"):
                return
        except OSError:
            time.sleep(0.2)
    raise OSError("llama.cpp's server did not start")


def load(model: str, threads: int, way: str) -> Generate:
    url = _servers.enter_context(served(model, threads, way))

    def generate(ids: Sequence[int], end: int, most: int) -> Sequence[int]:
        return list(completed(url, {"prompt": list(ids), "n_predict": most, "cache_prompt": False})["tokens"])

    return generate


if __name__ == "__main__":
    with ExitStack() as _servers:
        serve(load, ())
