"""In: chat messages. Out: the answers of an OpenAI-compatible endpoint, each asked for once and kept in a file."""

import json
import os
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any

from redraft.edit import jsonl
from redraft.edit.request import Message
from redraft.errors import RedraftError

# Too many requests, and what a server says while it is starting, overloaded or restarted.
_PASSING = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 529))
# No request of this kind will be answered.
_FINAL = frozenset((301, 302, 307, 308, 401, 402, 403, 404, 405))
_LONGEST_WAIT = 60.0


@dataclass(frozen=True)
class Endpoint:
    """Where to ask: the base URL that ends before `/chat/completions`, the model, and the key, "" for none.

    A request that fails for a passing reason is sent again up to `retries` times, after `wait` seconds, twice as many
    each time, or what the server's Retry-After says. `timeout` is in seconds without a byte of the answer.
    """

    url: str
    model: str
    key: str = field(default="", repr=False)
    timeout: float = 120.0
    retries: int = 4
    wait: float = 1.0


class Answers:
    """Answers by request in a file of JSON lines, `key`, `model` and `content`; each is there as soon as it came.

    Raises RedraftError where the file cannot be read or written. A last line that was cut off is asked for again.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._lock = path, Lock()
        self._known: dict[str, str] = {}
        _drop_torn(path)
        for number, line in jsonl.read_lines(path) if path.exists() else ():
            try:
                row = jsonl.parse(line)
                self._known[row["key"]] = jsonl.text(row, "content")
            except (RedraftError, KeyError) as error:
                raise RedraftError(f"{path}:{number} is no answer that was kept: {error}") from error

    def __len__(self) -> int:
        return len(self._known)

    def get(self, key: str) -> str | None:
        return self._known.get(key)

    def add(self, key: str, model: str, content: str) -> None:
        with self._lock:
            self._known[key] = content
            self._write(json.dumps({"key": key, "model": model, "content": content}) + "\n")

    def _write(self, text: str) -> None:
        try:
            with self._path.open("a", encoding="utf-8") as out:
                out.write(text)
        except OSError as error:
            raise RedraftError(f"cannot write {self._path}: {error.strerror}") from error


class Chat:
    """Asks an endpoint, from several threads if need be; `failures` counts by reason what was not answered."""

    def __init__(self, endpoint: Endpoint, answers: Answers) -> None:
        self._http = _httpx()
        if not endpoint.url.startswith(("http://", "https://")):
            raise RedraftError(f"{endpoint.url} is no URL; an endpoint is like http://localhost:8000/v1")
        self._endpoint, self._answers, self._lock = endpoint, answers, Lock()
        headers = {"Authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}
        self._url = endpoint.url.rstrip("/") + "/chat/completions"
        try:
            self._client = self._http.Client(timeout=endpoint.timeout, headers=headers)
        except (ValueError, self._http.InvalidURL) as error:
            raise RedraftError(f"cannot ask {endpoint.url}: {error}") from error
        self.failures = Counter[str]()
        self.asked = 0

    def ask(self, messages: Sequence[Message]) -> str | None:
        """The content of the answer, "" for none; None where there was no answer after all retries.

        Raises RedraftError where no request can be answered: wrong key, model or address, nothing listening.
        """
        body = {"model": self._endpoint.model, "messages": [asdict(message) for message in messages]}
        key = sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
        if (known := self._answers.get(key)) is not None:
            return known
        content, failure = self._retried(body)
        with self._lock:
            self.asked += 1
            if content is None:
                self.failures[failure] += 1
        if content is not None:
            self._answers.add(key, self._endpoint.model, content)
        return content

    def _retried(self, body: dict[str, Any]) -> tuple[str | None, str]:
        wait, failure, reached = self._endpoint.wait, "", True
        for left in range(self._endpoint.retries, -1, -1):
            pause, reached = wait, True
            try:
                response = self._client.post(self._url, json=body)
            except self._http.TimeoutException:
                failure = "timeout"
            except (self._http.HTTPError, self._http.InvalidURL) as error:
                failure, reached = str(error) or type(error).__name__, not isinstance(error, self._http.ConnectError)
            else:
                if response.status_code in _FINAL:
                    raise RedraftError(f"{self._url} answers {_said(response)}")
                if response.status_code not in _PASSING:
                    return _content(response)
                failure, pause = f"status {response.status_code}", _pause(response, wait)
            if left:
                time.sleep(pause)
                wait *= 2
        if not reached:
            raise RedraftError(f"cannot reach {self._url}: {failure}")
        return None, failure


def _drop_torn(path: Path) -> None:
    """Takes off a last line that was not written to its end."""
    try:
        content = path.read_bytes() if path.is_file() else b""
        if content and not content.endswith(b"\n"):
            os.truncate(path, content.rfind(b"\n") + 1)
    except OSError as error:
        raise RedraftError(f"cannot write {path}: {error.strerror}") from error


def _content(response: Any) -> tuple[str | None, str]:
    """The text of an answer, or the reason why it is none; a refusal is an answer."""
    if response.status_code != 200:
        return None, f"status {response.status_code}"
    try:
        message = response.json()["choices"][0]["message"]
        found = message.get("content")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError):
        return None, "malformed answer"
    text = found if isinstance(found, str) else ""
    return text.encode("utf-8", "replace").decode(), ""


def _pause(response: Any, wait: float) -> float:
    try:
        return min(max(float(response.headers.get("retry-after", wait)), 0.0), _LONGEST_WAIT)
    except ValueError:
        return wait


def _said(response: Any) -> str:
    text = " ".join(response.text.split())[:200]
    return f"with status {response.status_code}: {text}"


def _httpx() -> Any:
    try:
        import httpx2
    except ImportError as error:
        raise RedraftError("asking an endpoint needs httpx2: pip install 'redraft[data]'") from error
    return httpx2
