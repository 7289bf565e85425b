"""In: the body of a request. Out: what an OpenAI-compatible endpoint answers, asked again where that may help."""

import json
import time
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any
from weakref import finalize

from redraft.errors import RedraftError

# Too many requests, and what a server says while it is starting, overloaded or restarted.
_PASSING = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 529))
# No request of this kind will be answered.
_FINAL = frozenset((301, 302, 307, 308, 401, 402, 403, 404, 405))
# This request, as it is, will not be answered; with other parameters it may.
_REFUSED = frozenset((400, 413, 422, 501))
_LONGEST_WAIT = 60.0
MALFORMED, BROKEN = "malformed answer", "the answer broke off"
CHAT, COMPLETIONS, MODELS = "/chat/completions", "/completions", "/models"


class NoAnswerError(RedraftError):
    """A request that got no answer after all retries, or a bad one; another request may get one."""

    def __init__(self, reason: str, said: str = "") -> None:
        super().__init__(f"{reason}: {said}" if said else reason)
        self.reason = reason


class NotTakenError(NoAnswerError):
    """A request that the endpoint understood and does not answer, such as one with a parameter that it lacks."""


@dataclass(frozen=True)
class Endpoint:
    """Where to ask: the base URL that ends before `/chat/completions`, the model, and the key, "" for none.

    A request that fails for a passing reason is sent again up to `retries` times, after `wait` seconds, twice as many
    each time, or what the server's Retry-After says; where nothing has answered yet, one to which nobody listens is
    not. `timeout` is in seconds without a byte of the answer.
    """

    url: str
    model: str
    key: str = field(default="", repr=False)
    timeout: float = 120.0
    retries: int = 4
    wait: float = 1.0


class Client:
    """Sends requests to an endpoint, from several threads if need be; raises RedraftError where it is no URL."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._http = _httpx()
        if not endpoint.url.startswith(("http://", "https://")):
            raise RedraftError(f"{endpoint.url} is no URL; an endpoint is like http://localhost:8000/v1")
        self._endpoint = endpoint
        self._url = endpoint.url.rstrip("/")
        headers = {"Authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}
        try:
            self._client = self._http.Client(timeout=endpoint.timeout, headers=headers)
        except (ValueError, self._http.InvalidURL) as error:
            raise RedraftError(f"cannot ask {endpoint.url}: {error}") from error
        finalize(self, self._client.close)
        self._was_there = False

    def post(self, body: dict[str, Any], path: str = CHAT) -> dict[str, Any]:
        """The answer's JSON; raises NoAnswerError, of which NotTakenError for a request that was refused as such.

        Raises another RedraftError where no request can be answered: wrong key, model or address, nothing listening.
        """
        return _json(self._sent("POST", path, body))

    def get(self, path: str) -> dict[str, Any]:
        """What stands at a path; raises as `post`."""
        return _json(self._sent("GET", path))

    def events(self, body: dict[str, Any], path: str = CHAT) -> Generator[dict[str, Any], None, None]:
        """The server-sent events of an answer as they come; raises as `post`, also when the answer breaks off.

        Closing the iterator closes the connection: the server has no one left to write for.
        """
        with closing(self._sent("POST", path, {**body, "stream": True}, stream=True)) as response:
            try:
                if response.status_code != 200:
                    response.read()
                    raise _failure(response)
                for line in response.iter_lines():
                    kind, _, data = line.partition(":")
                    if kind == "data" and data.strip() == "[DONE]":
                        return
                    if kind == "data":
                        yield _event(data)
            except self._http.TimeoutException as error:
                raise NoAnswerError("timeout") from error
            except self._http.HTTPError as error:
                raise NoAnswerError(BROKEN) from error
        raise NoAnswerError(BROKEN)

    def _sent(self, method: str, path: str, body: dict[str, Any] | None = None, stream: bool = False) -> Any:
        """The response, of which nothing but the headers was read where it is a stream."""
        url, wait, failure = self._url + path, self._endpoint.wait, ""
        for left in range(self._endpoint.retries, -1, -1):
            pause = wait
            try:
                response = self._client.send(self._client.build_request(method, url, json=body), stream=stream)
            except self._http.TimeoutException:
                failure = "timeout"
            except self._http.ConnectError as error:
                failure = f"cannot reach {url}: {error}"
                if not (left and self._was_there):
                    raise RedraftError(failure) from error
            except (self._http.HTTPError, self._http.InvalidURL) as error:
                failure = str(error) or type(error).__name__
            else:
                self._was_there = True
                if response.status_code not in _PASSING | _FINAL:
                    return response
                with closing(response):
                    response.read()
                if response.status_code in _FINAL:
                    raise RedraftError(f"{url} answers with status {response.status_code}: {_text(response)}")
                failure, pause = f"status {response.status_code}", _pause(response, wait)
            if left:
                time.sleep(pause)
                wait *= 2
        raise NoAnswerError(failure)


def content(answer: dict[str, Any]) -> str:
    """The text of an answer, "" for a refusal; raises NoAnswerError where there is none."""
    try:
        found = answer["choices"][0]["message"].get("content")
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise NoAnswerError(MALFORMED) from error
    return found.encode("utf-8", "replace").decode() if isinstance(found, str) else ""


def _json(response: Any) -> dict[str, Any]:
    if response.status_code != 200:
        raise _failure(response)
    return _event(response.text)


def _event(text: str) -> dict[str, Any]:
    """A JSON object that is no error; some servers say in the middle of a stream that they failed."""
    try:
        found = json.loads(text)
    except ValueError as error:
        raise NoAnswerError(MALFORMED) from error
    if not isinstance(found, dict):
        raise NoAnswerError(MALFORMED)
    if found.get("error"):
        raise NoAnswerError("the server failed", " ".join(str(found["error"]).split())[:200])
    return found


def _failure(response: Any) -> NoAnswerError:
    kind = NotTakenError if response.status_code in _REFUSED else NoAnswerError
    return kind(f"status {response.status_code}", _text(response))


def _pause(response: Any, wait: float) -> float:
    try:
        return min(max(float(response.headers.get("retry-after", wait)), 0.0), _LONGEST_WAIT)
    except ValueError:
        return wait


def _text(response: Any) -> str:
    return " ".join(response.text.split())[:200]


def _httpx() -> Any:
    try:
        import httpx2
    except ImportError as error:
        raise RedraftError("asking an endpoint needs httpx2: pip install 'redraft[endpoint]'") from error
    return httpx2
