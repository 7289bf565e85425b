"""In: a `Prompt`. Out: chunks from a vLLM server that `redraft serve` started, which drafts by what it is sent."""

import os
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from redraft.edit.prompts.prompt import Origin, Part, Prompt
from redraft.engines import GREEDY, Chunk, Finish, Sampling
from redraft.engines.abandon import before_forward
from redraft.engines.endpoint import COMPLETIONS, MALFORMED, MODELS, Client, Endpoint, NoAnswerError
from redraft.engines.folder import Folder, open_folder, template_of
from redraft.engines.room import room
from redraft.engines.tokens import folder_tokens
from redraft.engines.vllm import EMBEDDED, RANK
from redraft.errors import RedraftError

KEY = "OPENAI_API_KEY"
_OWN: Origin = "model"  # who drafted which token the server does not say


class VllmEngine:
    """A model on such a server, asked with ids; a folder with its tokenizer has to be on this machine.

    `context` is how many tokens the server's model holds, None where it does not say.
    """

    def __init__(self, endpoint: Endpoint, folder: Folder, context: int | None) -> None:
        self._client, self._model, self._context = Client(endpoint), endpoint.model, context
        self._tokens, self._end_ids = folder_tokens(folder), folder.end_ids()
        self.template = template_of(endpoint.model, self._tokens.has_chat, folder)

    @classmethod
    def of(cls, place: str) -> "VllmEngine":
        """The engine of `URL#MODEL`, MODEL being the server's name for it; the key comes from the environment.

        Raises RedraftError where the server does not answer, or the model's folder is not on this machine.
        """
        url, _, model = place.partition("#")
        if "://" not in url or not model:
            raise RedraftError(f"start a server with `redraft serve --engine vllm:{place}`, then ask it: {_EXAMPLE}")
        endpoint = Endpoint(url, model, os.environ.get(KEY, ""))
        about = _about(endpoint)
        context = about.get("max_model_len")
        folder = _embedded() if model == EMBEDDED else Path(str(about.get("root") or model))
        return cls(endpoint, open_folder(folder), context if isinstance(context, int) else None)

    def generate(self, prompt: Prompt, sampling: Sampling = GREEDY) -> Iterator[Chunk]:
        """A chunk for each piece that the server sends; what was drafted is counted in the last one.

        Raises RedraftError when prompt and output do not fit into the model's context, for log-probabilities, and where
        the server fails.
        """
        if sampling.logprobs is not None:
            raise RedraftError("a vLLM server is not asked for log-probabilities of its output")
        ids = self._tokens.open(prompt.parts, prompt.messages)
        sources = [self._tokens.encode(source.parts) for source in prompt.sources]
        most = room(prompt, len(ids), [len(source) for source in sources], self._context, sampling.max_tokens)
        body = self._body(ids, most, prompt.stop, sampling)
        if sources and sources[0] and sampling.speculate:
            body["speculation"] = sources[0]
        with closing(self._client.events(body, COMPLETIONS)) as events:
            finish: Finish = ""
            is_counted = False
            for event in events:
                before_forward()
                chunk = _chunk(event, len(ids))
                finish, is_counted = chunk.finish or finish, not event["choices"]
                # The end is said once, by the event that comes last: the one with the counts.
                yield replace(chunk, finish=finish if is_counted else "")
            if not finish or not is_counted:
                raise NoAnswerError(MALFORMED, "it has no end or no usage")

    def rank(self, prompt: Prompt, texts: Sequence[str]) -> list[float]:
        """The log-probability of each text as the output, in nats, less that of the beginning that all share."""
        end = [min(self._end_ids)] if self._end_ids and not prompt.stop else []
        closing_text = prompt.stop[0] if prompt.stop else ""
        asked = {
            "prompt": self._tokens.open(prompt.parts, prompt.messages),
            "texts": [[*self._tokens.encode((Part(text + closing_text),)), *end] for text in texts],
        }
        try:
            return [float(value) for value in self._client.post(asked, RANK)["logprobs"]]
        except (KeyError, TypeError, ValueError) as error:
            raise NoAnswerError(MALFORMED) from error

    def _body(self, ids: list[int], most: int, stop: tuple[str, ...], sampling: Sampling) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self._model,
            "prompt": ids,
            "max_tokens": most,
            "temperature": sampling.temperature,
            **_UNCHANGED,
            "return_token_ids": True,
            "stream_options": {"include_usage": True},
        }
        body |= {"stop": list(stop)} if stop else {}
        return body if sampling.seed is None else body | {"seed": sampling.seed}


# Said because a server takes defaults of its own from the model's folder.
_UNCHANGED = {"repetition_penalty": 1.0, "top_p": 1.0, "top_k": 0}
_EXAMPLE = f"vllm:http://localhost:8000/v1#{EMBEDDED}"


def _about(endpoint: Endpoint) -> dict[str, Any]:
    """What the server says of the model; raises RedraftError where it has no model of that name."""
    listed = [each for each in Client(endpoint).get(MODELS).get("data") or [] if isinstance(each, dict)]
    found = next((each for each in listed if each.get("id") == endpoint.model), None)
    if found is None:
        names = ", ".join(str(each.get("id")) for each in listed)
        raise RedraftError(f"{endpoint.url} has no model {endpoint.model}: it has {names or 'none'}")
    return found


def _embedded() -> Path:
    from redraft.models.sized import merged_of

    return merged_of().path


def _chunk(event: dict[str, Any], prompt_tokens: int) -> Chunk:
    """One event of a stream; raises NoAnswerError where it is none. The last one has the usage, and no choice."""
    try:
        choice = event["choices"][0] if event["choices"] else {}
        details = (event.get("usage") or {}).get("completion_tokens_details") or {}
        accepted, rejected = (int(details.get(f"{kind}_prediction_tokens") or 0) for kind in ("accepted", "rejected"))
        ids = tuple(int(id_) for id_ in choice.get("token_ids") or ())
        reason, text = choice.get("finish_reason"), str(choice.get("text") or "")
    except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
        raise NoAnswerError(MALFORMED) from error
    finish: Finish = "length" if reason == "length" else "stop" if reason else ""
    return Chunk(
        runs=(("model", text),) if text else (),
        ids=ids,
        origins=(_OWN,) * len(ids),
        margins=(),
        drafted=accepted + rejected,
        accepted=accepted,
        forwards=1 if ids else 0,
        finish=finish,
        prompt_tokens=prompt_tokens,
    )
