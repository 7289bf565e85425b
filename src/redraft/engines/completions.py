"""In: a `Prompt`. Out: chunks from a completions server, whose log-probabilities verify the drafts.

The server is sent prompt and draft and says of each token which one it would rather have written: the draft counts up
to the first token that is not the likeliest. From there the server writes by itself, until it repeats what was expected
for a while; then the rest is verified, and so on. A server that does not echo writes everything.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from redraft.edit.prompts.prompt import Prompt
from redraft.engines import GREEDY, Chunk, Sampling
from redraft.engines.completions_ids import ById
from redraft.engines.completions_server import CompletionsServer, NoEchoError
from redraft.engines.completions_text import by_text
from redraft.engines.endpoint import Endpoint, NotTakenError
from redraft.engines.folder import Folder, open_folder, template_of
from redraft.errors import RedraftError

if TYPE_CHECKING:
    from redraft.engines.tokens import Tokens

KEY = "OPENAI_API_KEY"
Way = Literal["ids and echo", "ids", "text and echo", "text"]
_WAYS: tuple[Way, ...] = ("ids and echo", "ids", "text and echo", "text")


class CompletionsEngine:
    """A model on a completions server; `folder` holds its tokenizer, without it the server is sent text.

    Of four ways to ask, the first that the server takes is kept. Whichever that is, the output is what it writes
    without drafts. `context` is how many tokens it holds, None where nothing says.
    """

    def __init__(self, endpoint: Endpoint, folder: Folder | None = None, context: int | None = None) -> None:
        self._server = CompletionsServer(endpoint)
        tokens = None if folder is None else _tokens(folder)
        self._ids = tokens and folder and folder.end_ids() and ById(self._server, tokens, folder, context)
        self.template = template_of(endpoint.model, bool(tokens and tokens.has_chat), folder)
        self._ways = _WAYS if self._ids else _WAYS[2:]

    @classmethod
    def of(cls, place: str) -> "CompletionsEngine":
        """The engine of `URL#MODEL`; the key comes from the environment.

        The tokenizer is that of the folder MODEL, or of the one that the server names, where it is on this machine.
        """
        url, _, model = place.partition("#")
        if not url or not model:
            raise RedraftError(f"completions:{place} has no model: write completions:http://localhost:8000/v1#MODEL")
        endpoint = Endpoint(url, model, os.environ.get(KEY, ""))
        about = CompletionsServer(endpoint).about()
        places = [Path(str(named)) for named in (model, about.get("root") or model)]
        found = next((place for place in places if (place / "config.json").is_file()), None)
        context = about.get("max_model_len")
        return cls(endpoint, open_folder(found) if found else None, context if isinstance(context, int) else None)

    def generate(self, prompt: Prompt, sampling: Sampling = GREEDY) -> Iterator[Chunk]:
        """Chunks as they come, a request and what it gave in each, or a part of what is streamed.

        Raises RedraftError where the server cannot be reached, or takes none of the ways.
        """
        if sampling.logprobs is not None:
            raise RedraftError("a completions server is not asked for log-probabilities of its output")
        refusal: NotTakenError | None = None
        for way in self._ways:
            made = self._made(way, prompt, sampling)
            try:
                first = next(made)
            except NotTakenError as error:
                refusal = error
                continue
            self._ways = (way, *(other for other in self._ways if _WAYS.index(other) > _WAYS.index(way)))
            yield first
            yield from made
            return
        raise refusal or NoEchoError

    def rank(self, prompt: Prompt, texts: Sequence[str]) -> list[float]:
        """The log-probability of each text as the output, in nats; a request each.

        Raises RedraftError where the server does not take ids, or does not echo.
        """
        if not self._ids:
            raise RedraftError("ranking needs the model's tokenizer: name its folder, or use --readers merge")
        return self._ids.rank(prompt, texts)

    def _made(self, way: Way, prompt: Prompt, sampling: Sampling) -> Iterator[Chunk]:
        echo = way.endswith("echo") and sampling.speculate and not sampling.exact and bool(prompt.sources)
        if way.startswith("ids") and self._ids:
            return self._ids.chunks(prompt, sampling, echo)
        return by_text(self._server, prompt, sampling, echo and not sampling.temperature)


def _tokens(folder: Folder) -> "Tokens":
    """Here, so that a server that is sent text needs no tokenizer."""
    from redraft.engines.tokens import folder_tokens

    return folder_tokens(folder)
