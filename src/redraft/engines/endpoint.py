"""In: the body of a chat request. Out: what an OpenAI-compatible endpoint answers, asked again where that may help."""

import time
from dataclasses import dataclass, field
from typing import Any

from redraft.errors import RedraftError

# Too many requests, and what a server says while it is starting, overloaded or restarted.
_PASSING = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 529))
# No request of this kind will be answered.
_FINAL = frozenset((301, 302, 307, 308, 401, 402, 403, 404, 405))
_LONGEST_WAIT = 60.0
MALFORMED = "malformed answer"


class NoAnswerError(RedraftError):
    """A request that got no answer after all retries, or a bad one; another request may get one."""

    def __init__(self, reason: str, said: str = "") -> None:
        super().__init__(f"{reason}: {said}" if said else reason)
        self.reason = reason


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


class Client:
    """Sends requests to an endpoint, from several threads if need be; raises RedraftError where it is no URL."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._http = _httpx()
        if not endpoint.url.startswith(("http://", "https://")):
            raise RedraftError(f"{endpoint.url} is no URL; an endpoint is like http://localhost:8000/v1")
        self._endpoint = endpoint
        self._url = endpoint.url.rstrip("/") + "/chat/completions"
        headers = {"Authorization": f"Bearer {endpoint.key}"} if endpoint.key else {}
        try:
            self._client = self._http.Client(timeout=endpoint.timeout, headers=headers)
        except (ValueError, self._http.InvalidURL) as error:
            raise RedraftError(f"cannot ask {endpoint.url}: {error}") from error

    def post(self, body: dict[str, Any]) -> dict[str, Any]:
        """The answer's JSON; raises NoAnswerError.

        Raises another RedraftError where no request can be answered: wrong key, model or address, nothing listening.
        """
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
                    raise RedraftError(f"{self._url} answers with status {response.status_code}: {_text(response)}")
                if response.status_code not in _PASSING:
                    return _json(response)
                failure, pause = f"status {response.status_code}", _pause(response, wait)
            if left:
                time.sleep(pause)
                wait *= 2
        if not reached:
            raise RedraftError(f"cannot reach {self._url}: {failure}")
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
        raise NoAnswerError(f"status {response.status_code}", _text(response))
    try:
        answer = response.json()
    except ValueError as error:
        raise NoAnswerError(MALFORMED) from error
    if not isinstance(answer, dict):
        raise NoAnswerError(MALFORMED)
    return answer


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
