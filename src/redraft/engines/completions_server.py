"""In: a text, as ids or as characters. Out: what a completions server says of its tokens, and what it writes after it.

Source: OpenAI's legacy completions: `echo` with `logprobs` gives each token of the prompt its log-probability beside
those of the likeliest; `prompt` may be a list of ids. vLLM names tokens by id for `return_tokens_as_token_ids`.
"""

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from redraft.engines import Finish, Sampling
from redraft.engines.endpoint import COMPLETIONS, MALFORMED, MODELS, Client, Endpoint, NoAnswerError, NotTakenError

_ID = "token_id:"
_UNREADABLE = "\ufffd"  # the name of any part of a character
_LIKELIEST = 2  # log-probabilities asked for at each token: the best and, for the margin, the second
# Said because a server may have a default of its own, of which the log-probabilities of a prompt know nothing.
_NONE = 1.0

Spelled = Sequence[int] | str


@dataclass(frozen=True)
class Token:
    """One token as the server names it, with its log-probability and those of the likeliest at its place.

    `log_probability` is None where there is none: at the first token, and where the server gives none at all.
    """

    name: str
    log_probability: float | None = None
    likeliest: dict[str, float] = field(default_factory=dict)

    @property
    def id(self) -> int | None:
        """None where the server names tokens by their text."""
        number = self.name.removeprefix(_ID)
        return int(number) if self.name.startswith(_ID) and number.isdecimal() else None

    @property
    def best(self) -> "Token | None":
        """What the server would have written here; None where two are equally likely."""
        ranked = sorted(self.likeliest.items(), key=lambda item: -item[1])
        is_tie = len(ranked) > 1 and ranked[0][1] == ranked[1][1]
        return Token(*ranked[0]) if ranked and not is_tie else None

    @property
    def is_best(self) -> bool:
        """Whether the server would have written this token; not where another is as likely, or has the same name."""
        return self.best == Token(self.name, self.log_probability) and self.is_readable

    @property
    def is_readable(self) -> bool:
        """Whether the name tells which token it is: parts of a character may all have the same."""
        return _UNREADABLE not in self.name and not self.name.startswith("bytes:")

    @property
    def margin(self) -> float:
        """How far the likeliest is above the second, in nats; 0 where that is not known."""
        values = sorted(self.likeliest.values(), reverse=True)
        return values[0] - values[1] if len(values) > 1 else 0.0


@dataclass(frozen=True)
class Said:
    """Tokens with their text; `finish` says whether the server ended there; what it read and wrote, in tokens."""

    text: str
    tokens: tuple[Token, ...]
    finish: Finish
    prompt_tokens: int
    completion_tokens: int


class NoEchoError(NotTakenError):
    """The server answers without the log-probabilities of what it was sent."""

    def __init__(self) -> None:
        super().__init__("the server gives no log-probabilities of its prompt")


class CompletionsServer:
    """One model on a completions server; raises NoAnswerError, and RedraftError as `Client` does."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._client, self._model = Client(endpoint), endpoint.model

    def about(self) -> dict[str, Any]:
        """What the server says of the model, as vLLM does: `root`, its folder, and `max_model_len`; {} for nothing."""
        try:
            listed = self._client.get(MODELS).get("data")
        except NoAnswerError:
            return {}
        models = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
        return next((each for each in models if each.get("id") == self._model), {})

    def echo(self, prompt: Spelled) -> Said:
        """All tokens of the prompt and the one that the server writes next; raises NoEchoError."""
        body = self._body(prompt) | {"max_tokens": 1, "temperature": 0, "echo": True, "logprobs": _LIKELIEST}
        answer = self._client.post(body, COMPLETIONS)
        said = _said(answer)
        if not said.tokens or any(token.log_probability is None for token in said.tokens[1:]):
            raise NoEchoError
        return said

    def stream(
        self, prompt: Spelled, most: int, sampling: Sampling, stop: Sequence[str]
    ) -> Generator[Said, None, None]:
        """What the server writes, as it comes; a prompt of text is sent with nothing that a server might not know."""
        body = {"model": self._model, "prompt": prompt} if isinstance(prompt, str) else self._body(prompt)
        body |= {"max_tokens": most, "temperature": sampling.temperature}
        body |= {} if isinstance(prompt, str) else {"logprobs": _LIKELIEST}
        body |= {"stop": list(stop)} if stop else {}
        body |= {} if sampling.seed is None else {"seed": sampling.seed}
        with closing(self._client.events(body, COMPLETIONS)) as events:
            yield from map(_said, events)

    def _body(self, prompt: Spelled) -> dict[str, Any]:
        body = {"model": self._model, "repetition_penalty": _NONE}
        if isinstance(prompt, str):
            return body | {"prompt": prompt}
        return body | {"prompt": list(prompt), "return_tokens_as_token_ids": True}


def _said(answer: dict[str, Any]) -> Said:
    """The first choice of an answer; raises NoAnswerError where there is none."""
    try:
        choice, usage = answer["choices"][0] if answer["choices"] else {}, answer.get("usage") or {}
        reason = choice.get("finish_reason")
        finish: Finish = "length" if reason == "length" else "stop" if reason else ""
        tokens = tuple(_tokens(choice.get("logprobs") or {}))
        counts = (int(usage.get(f"{kind}_tokens") or 0) for kind in ("prompt", "completion"))
        return Said(str(choice.get("text") or ""), tokens, finish, *counts)
    except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
        raise NoAnswerError(MALFORMED) from error


def _tokens(said: dict[str, Any]) -> Iterator[Token]:
    names, values, likeliest = (said.get(key) or [] for key in ("tokens", "token_logprobs", "top_logprobs"))
    for name, value, best in zip_longest(names, values[: len(names)], likeliest[: len(names)]):
        yield Token(
            str(name), None if value is None else float(value), {str(k): float(v) for k, v in (best or {}).items()}
        )
