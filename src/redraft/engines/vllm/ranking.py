"""In: ids of a prompt and of texts that might follow it, over HTTP. Out: how likely vLLM's model finds each, in nats.

`--middleware redraft.engines.vllm.ranking.RankingMiddleware` adds `POST /v1/rank` to vLLM's own server. What all texts
begin with is read once and then found in the prefix cache; the rest comes from log-probabilities of prompts.
"""

import asyncio
from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from redraft.engines.stretches import Ids, stretches
from redraft.engines.vllm import RANK
from redraft.engines.vllm.body import FieldError
from redraft.engines.vllm.middleware import App, Message, Receive, Send, json_of, refuse, respond, whole

_MOST_TEXTS = 64


class RankingMiddleware:
    """Takes `{"prompt": [ids], "texts": [[ids], ...]}`, answers `{"logprobs": [nats, ...]}`."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST" or not scope["path"].endswith(f"/v1{RANK}"):
            return await self._app(scope, receive, send)
        messages = await whole(receive)
        engine = scope["app"].state.engine_client
        try:
            prompt, texts = _asked(json_of(b"".join(message.get("body", b"") for message in messages)), engine)
        except FieldError as error:
            return await refuse(error, send)
        await respond(200, {"logprobs": await log_probabilities(engine, prompt, texts)}, send)


async def log_probabilities(engine: Any, prompt: Sequence[int], texts: Sequence[Ids]) -> list[float]:
    """The log-probability of each text after the prompt, less that of the beginning which all of them share."""
    known = list(dict.fromkeys(texts))
    if len(known) < 2:
        return [0.0] * len(texts)
    count, cut = stretches(known)
    before = [*prompt, *known[0][:count]]
    # A salt of its own: another call's blocks would hide the log-probabilities that were not computed anew.
    asking = _Asking(engine, str(uuid4()))
    if len(before) > 1:
        await asking.read(before[:-1])
    rest = list(dict.fromkeys(cut.values()))
    found = dict(zip(rest, await asyncio.gather(*(asking.value(before, ids) for ids in rest)), strict=True))
    return [found[cut[ids]] for ids in texts]


class _Asking:
    """Requests that share a salt, and so a cached beginning."""

    def __init__(self, engine: Any, salt: str) -> None:
        self._engine, self._salt = engine, salt

    async def read(self, ids: Sequence[int], **params: Any) -> Any:
        from vllm import SamplingParams

        prompt = {"prompt_token_ids": list(ids), "cache_salt": self._salt}
        sampling = SamplingParams(max_tokens=1, detokenize=False, **params)
        return [answer async for answer in self._engine.generate(prompt, sampling, f"rank-{uuid4()}")][-1]

    async def value(self, before: Sequence[int], ids: Ids) -> float:
        """The log-probability of `ids` after `before`."""
        if not ids:
            return 0.0
        ids_read = [*before, *ids]
        answer = await self.read(ids_read, prompt_logprobs=0, skip_reading_prefix_cache=False)
        if answer.num_cached_tokens >= len(before):
            # Another text's blocks were found, and with them no log-probabilities.
            answer = await self.read(ids_read, prompt_logprobs=0)
        # From the end: the second model runner has none, not even an empty one, for what it found in the cache.
        found = answer.prompt_logprobs[-len(ids) :]
        return float(sum(each[id_].logprob for each, id_ in zip(found, ids, strict=True)))


def _asked(body: dict[str, Any] | None, engine: Any) -> tuple[list[int], list[Ids]]:
    config = engine.model_config
    vocabulary, context = config.get_vocab_size(), config.max_model_len
    prompt, texts = (body or {}).get("prompt"), (body or {}).get("texts")
    if not _are_ids(prompt, vocabulary) or not prompt:
        raise FieldError("prompt", f"'prompt' is a list of token ids, one at least, each below {vocabulary}")
    if not isinstance(texts, list) or len(texts) > _MOST_TEXTS or not all(_are_ids(ids, vocabulary) for ids in texts):
        message = f"'texts' is a list of at most {_MOST_TEXTS} lists of token ids, each id below {vocabulary}"
        raise FieldError("texts", message)
    longest = len(prompt) + max(map(len, texts), default=0)
    if longest >= context:
        raise FieldError("texts", f"prompt and text need {longest} tokens, the model's context holds {context - 1}")
    return prompt, [tuple(ids) for ids in texts]


def _are_ids(value: Any, vocabulary: int) -> bool:
    return isinstance(value, list) and all(type(id_) is int and 0 <= id_ < vocabulary for id_ in value)
