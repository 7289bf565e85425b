"""In: a model folder and options of `vllm serve`. Out: `redraft serve --engine vllm:FOLDER` on loopback, a client."""

import os
import re
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import openai
import requests

CONTEXT, WRITTEN = 512, 48
START_SECONDS = STOP_SECONDS = 600
SOURCE = Path(__file__).parents[1] / "src"
PROMPT = "def total(prices):\n    return sum(prices)\n"


class Server:
    """A server of our own on loopback."""

    def __init__(self, folder: Path, log: Path, *options: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.url = f"http://127.0.0.1:{free.getsockname()[1]}"
        port = self.url.rpartition(":")[2]
        words = ["redraft", "serve", "--engine", f"vllm:{folder}", "--port", port, "--dtype", "float32", "--"]
        words += ["--max-model-len", str(CONTEXT), "--max-num-seqs", "8", "--max-num-batched-tokens", "256"]
        words += ["--enforce-eager", "--seed", "0", "--num-gpu-blocks-override", "64", *options]
        path = os.pathsep.join([str(SOURCE), os.environ.get("PYTHONPATH", "")])
        # Workers may be more than there are cores to bind them to.
        environment = {"VLLM_CPU_OMP_THREADS_BIND": "nobind", **os.environ, "PYTHONPATH": path}
        with log.open("w") as file:
            self.process = subprocess.Popen([sys.executable, "-m", *words], env=environment, stdout=file, stderr=file)
        self.model = str(folder)
        self.client = openai.OpenAI(base_url=f"{self.url}/v1", api_key="none", max_retries=0)

    def wait(self, log: Path) -> None:
        for _ in range(START_SECONDS):
            assert self.process.poll() is None, log.read_text()[-3000:]
            try:
                if requests.get(f"{self.url}/health", timeout=5).status_code == 200:
                    return
            except requests.RequestException:
                time.sleep(1)
        raise AssertionError(log.read_text()[-3000:])

    def write(self, prompt: str = PROMPT, tokens: int = WRITTEN, **more: Any) -> Any:
        return self.client.completions.create(
            model=self.model, prompt=prompt, max_tokens=tokens, temperature=0, extra_body={"ignore_eos": True, **more}
        )

    def post(self, path: str, body: dict[str, Any]) -> requests.Response:
        return requests.post(f"{self.url}{path}", json={"model": self.model, **body}, timeout=300)

    def gauge(self, name: str) -> float:
        return sum(self.gauges(name).values())

    def gauges(self, name: str) -> dict[str, float]:
        """Of each engine, by its number."""
        text, values = requests.get(f"{self.url}/metrics", timeout=60).text, Counter[str]()
        for engine, value in re.findall(rf'^vllm:{name}{{.*?engine="(\d+)".*}} (.*)$', text, re.M):
            values[engine] += float(value)
        return dict(values)


@contextmanager
def serving(folder: Path, logs: Path, *options: str) -> Iterator[Server]:
    log = logs / "log"
    server = Server(folder, log, *options)
    try:
        server.wait(log)
        yield server
    finally:
        server.process.terminate()
        server.process.wait(timeout=STOP_SECONDS)
