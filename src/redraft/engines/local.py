"""In: the ports on which programs usually serve models on this machine. Out: the engines that answer there.

Nothing is asked but on request, and nobody but this machine.
"""

import json
import urllib.request
from concurrent.futures import ThreadPoolExecutor

USUAL = {"Ollama": 11434, "LM Studio": 1234, "llama.cpp": 8080, "vLLM": 8000}
_SECONDS = 2.0


def find(ports: dict[str, int] = USUAL) -> list[tuple[str, str]]:
    """The name of each program that answers, and the spec of each engine that it has."""
    with ThreadPoolExecutor(len(ports) or 1) as pool:
        found = pool.map(_models, ports.values())
    return [(name, spec) for name, specs in zip(ports, found, strict=True) for spec in specs]


def _models(port: int) -> list[str]:
    url = f"http://127.0.0.1:{port}/v1"
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with direct.open(f"{url}/models", timeout=_SECONDS) as answer:
            models = json.load(answer)["data"]
            return [f"openai:{url}#{model['id']}" for model in models if isinstance(model["id"], str)]
    except (OSError, ValueError, KeyError, TypeError):
        return []
