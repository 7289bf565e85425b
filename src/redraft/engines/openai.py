"""In: a `Prompt` for a chat model. Out: the answer of an OpenAI-compatible endpoint, as one `Chunk`.

Source: OpenAI, "Predicted Outputs": the prediction travels in the request, the usage says how much of it was accepted.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from redraft.edit.prompts.prompt import Prompt
from redraft.edit.text.newlines import with_newlines
from redraft.edit.text.thoughts import without_thoughts
from redraft.engines import GREEDY, Chunk, Sampling
from redraft.engines.abandon import before_forward
from redraft.engines.endpoint import MALFORMED, Client, Endpoint, NoAnswerError, NotTakenError, content
from redraft.errors import RedraftError

KEY = "OPENAI_API_KEY"
_FENCE, _HUNKS = "```", "diff"


class OpenAIEngine:
    """A chat model behind an endpoint, asked at temperature 0 with the expected output as its prediction.

    Without speculation no prediction is sent, and none any more to an endpoint that took a request only without it.
    Raises RedraftError where an endpoint cannot be asked or does not answer.
    """

    template = "chat"

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint, self._client = endpoint, Client(endpoint)
        self._takes_predictions = True

    @classmethod
    def of(cls, place: str) -> "OpenAIEngine":
        """The engine of `URL#MODEL`; the key comes from the environment."""
        url, _, model = place.partition("#")
        if not url or not model:
            raise RedraftError(
                f"openai:{place} has no model: an endpoint is like openai:http://localhost:8000/v1#MODEL"
            )
        return cls(Endpoint(url, model, os.environ.get(KEY, "")))

    def generate(self, prompt: Prompt, sampling: Sampling = GREEDY) -> Iterator[Chunk]:
        if not prompt.messages:
            raise RedraftError("an endpoint is asked through its chat: it completes no plain text")
        if sampling.logprobs is not None:
            raise RedraftError("an endpoint is not asked for log-probabilities")
        before_forward()
        answer = self._answer(self._body(prompt, sampling))
        usage = _usage(answer)
        taken, lost = (usage.get(f"{kind}_prediction_tokens", 0) for kind in ("accepted", "rejected"))
        yield Chunk(
            runs=(("model", written(content(answer), prompt)),),
            ids=(),
            origins=(),
            margins=(),
            drafted=taken + lost,
            accepted=taken,
            forwards=0,
            finish="length" if answer["choices"][0].get("finish_reason") == "length" else "stop",
            prompt_tokens=usage.get("prompt_tokens", 0),
            completion_tokens=usage.get("completion_tokens", 0),
        )

    def _answer(self, body: dict[str, Any]) -> dict[str, Any]:
        try:
            return self._client.post(body)
        except NotTakenError:
            if "prediction" not in body:
                raise
        answer = self._client.post({name: value for name, value in body.items() if name != "prediction"})
        self._takes_predictions = False
        return answer

    def _body(self, prompt: Prompt, sampling: Sampling) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self._endpoint.model,
            "messages": [asdict(message) for message in prompt.messages],
            "temperature": sampling.temperature,
        }
        if not prompt.parts and prompt.stop:
            body["stop"] = list(prompt.stop)
        if sampling.seed is not None:
            body["seed"] = sampling.seed
        if sampling.max_tokens is not None:
            body["max_tokens"] = sampling.max_tokens
        expected = next((source for source in prompt.sources if source.origin == "prediction"), None)
        if sampling.speculate and expected is not None and self._takes_predictions:
            parts = (*prompt.parts, *expected.parts)
            body["prediction"] = {"type": "content", "content": "".join(part.text for part in parts)}
        return body


def written(answer: str, prompt: Prompt) -> str:
    """What an answer holds between what opens the output and what ends it; all of it where nothing opens it.

    What a model thinks aloud before is left out. A fence may be longer than the one asked for, or shorter with the same
    language or where the answer ends with it, and name another language; of several blocks the longest is the output.
    Where the prompt opens nothing, all of the answer is.
    """
    if not prompt.parts:
        return answer
    opening, ending = "".join(part.text for part in prompt.parts), prompt.stop[0]
    if not opening.startswith(ending):
        _, found, rest = answer.partition(opening)
        return rest.rpartition(ending)[0] if found and ending in rest else rest.lstrip("\n") if found else answer
    return _fenced(answer, opening.removeprefix(ending), ending)


def _fenced(answer: str, language: str, fence: str) -> str:
    """What stands in the fences of an answer that was asked for in one of `language`."""
    lines = without_thoughts(with_newlines(answer).split("\n"))
    if blocks := list(_blocks(lines, fence)):
        return "".join(blocks) if language.startswith(_HUNKS) else max(blocks, key=len)
    start = _shorter(lines, f"{_FENCE}{language.rstrip()}")
    if start is None:
        return "\n".join(lines)
    ends = [at for at, line in enumerate(lines) if at > start and line.rstrip() == _FENCE]
    return "\n".join([*lines[start + 1 : ends[-1]], ""] if ends else lines[start + 1 :])


def _shorter(lines: Sequence[str], opening: str) -> int | None:
    """The line that opens a fence shorter than the one asked for; of any language where a fence ends the answer."""
    if opening in (bare := [line.rstrip() for line in lines]):
        return bare.index(opening)
    if "\n".join(bare).rstrip().endswith(f"\n{_FENCE}"):
        return next((at for at, line in enumerate(lines) if line.startswith(_FENCE)), None)
    return None


def _blocks(lines: Sequence[str], fence: str) -> Iterator[str]:
    """What stands in each block of a fence of at least that length; one that nothing closes goes on to the end."""
    at = 0
    while at < len(lines):
        if lines[at].startswith(fence):
            ticks = lines[at][: len(lines[at]) - len(lines[at].lstrip("`"))]
            end = next((n for n in range(at + 1, len(lines)) if lines[n].rstrip() == ticks), None)
            yield "\n".join(lines[at + 1 :] if end is None else [*lines[at + 1 : end], ""])
            at = len(lines) if end is None else end
        at += 1


def _usage(answer: dict[str, Any]) -> dict[str, int]:
    """The counts of an answer, those of the prediction among them; none where the endpoint gives none."""
    usage = answer.get("usage") or {}
    if not isinstance(usage, dict):
        raise NoAnswerError(MALFORMED)
    details = usage.get("completion_tokens_details")
    counts = {**usage, **(details if isinstance(details, dict) else {})}
    return {name: count for name, count in counts.items() if isinstance(count, int)}
