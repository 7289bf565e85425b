"""In: the JSON of a request for text. Out: its fields, typed, or a refusal that names the one that cannot be."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from redraft.edit.prompts.prompt import Part, Source
from redraft.engines import Engine, Sampling, Tokenizing
from redraft.serve.refusals import RefusalError

_MOST_LOGPROBS, _MOST_STOPS, _HOTTEST = 20, 16, 2.0
Text = Annotated[str, Field(min_length=1)]
Ids = Annotated[list[int], Field(min_length=1)]


class Strict(BaseModel):
    """Part of a body: nothing is converted, and nothing unknown is let pass."""

    model_config = ConfigDict(strict=True, extra="forbid")


class Body(Strict):
    """A body of JSON; its strings are text that can be encoded."""

    @model_validator(mode="before")
    @classmethod
    def _is_text(cls, data: Any) -> Any:
        if not _encodes(data):
            raise ValueError("a string holds half a character (a lone surrogate)")
        return data


class TextPart(BaseModel):
    """A piece of a message or prediction; pieces follow one another without anything between."""

    model_config = ConfigDict(strict=True)

    type: Literal["text"]
    text: str


class Prediction(Strict):
    """OpenAI's `prediction`: the text that the output will probably be."""

    type: Literal["content"] = "content"
    content: str | list[TextPart]


class StreamOptions(BaseModel):
    model_config = ConfigDict(strict=True)

    include_usage: bool = False


class Asked(Body):
    """What chat and plain completions share. `prediction` and Fireworks' `speculation` change the time alone.

    What steers only servers with several engines, or how far they speculate, is taken and has no effect.
    """

    model: str = ""
    prediction: str | Prediction | None = None
    speculation: str | Ids | None = None
    stream: bool | None = False
    stream_options: StreamOptions | None = None
    stop: str | Annotated[list[str], Field(max_length=_MOST_STOPS)] | None = None
    max_tokens: Annotated[int, Field(ge=1)] | None = None
    temperature: Annotated[float, Field(ge=0, le=_HOTTEST, allow_inf_nan=False)] | None = 0.0
    seed: int | None = None
    user: str | None = None
    top_p: Annotated[float, Field(gt=0, le=1)] | None = 1.0
    top_k: Annotated[int, Field(ge=-1)] | None = None
    n: int | None = 1
    presence_penalty: Annotated[float, Field(ge=-2, le=2)] | None = 0.0
    frequency_penalty: Annotated[float, Field(ge=-2, le=2)] | None = 0.0
    logit_bias: dict[str, float] | None = None
    metadata: dict[str, Any] | None = None
    service_tier: str | None = None
    store: bool | None = None
    rewrite_speculation: bool | None = None
    adaptive_speculation: bool | None = None
    speculation_length_on_strong_match: int | None = None
    speculation_min_length_on_strong_match: int | None = None
    speculation_strong_match_threshold: int | None = None

    def wants_logprobs(self) -> int | None:
        """How many of the likeliest tokens are asked for; None where no log-probabilities are."""
        raise NotImplementedError

    def limit(self) -> int | None:
        return self.max_tokens

    def check(self) -> None:
        """Raises RefusalError for what this server cannot do, and for what cannot go with a prediction."""
        predicted = self.prediction is not None or self.speculation is not None
        if self.prediction is not None and self.speculation is not None:
            raise unsupported("speculation", "'speculation' cannot go with 'prediction': they mean the same")
        if predicted and self.wants_logprobs() is not None:
            raise unsupported("logprobs", "'logprobs' cannot go with 'prediction'")
        for name, plain in {"n": 1, "presence_penalty": 0, "frequency_penalty": 0, "logit_bias": {}}.items():
            if getattr(self, name) not in (None, plain):
                said = f"'{name}' cannot go with 'prediction'" if predicted else f"'{name}' is not supported here"
                raise unsupported(name, f"{said}: leave it out, or set it to {plain}")
        if self.temperature and self.top_p not in (None, 1.0):
            raise unsupported("top_p", "'top_p' is not supported here: leave it out, or set it to 1")
        if self.temperature and self.top_k and self.top_k > 1:
            raise unsupported("top_k", "'top_k' is not supported here with a temperature: leave one of them out")
        if "" in self.stops():
            raise RefusalError(400, "stop: an empty string would stop at once", "invalid_value", "stop")

    def stops(self) -> tuple[str, ...]:
        return (self.stop,) if isinstance(self.stop, str) else tuple(self.stop or ())

    def sampling(self) -> Sampling:
        return Sampling(self.limit(), self.temperature or 0.0, self.seed, logprobs=self.wants_logprobs())

    def predicted(self) -> str | None:
        """The text that is expected, where it is given as text."""
        if isinstance(self.prediction, Prediction):
            return text_of(self.prediction.content)
        if self.prediction is None and isinstance(self.speculation, str):
            return self.speculation
        return self.prediction

    def source(self, engine: Engine) -> tuple[Source, ...]:
        """What the engine drafts from."""
        if isinstance(self.speculation, list):
            return (Source("prediction", parts_of(self.speculation, engine, "speculation")),)
        text = self.predicted()
        return () if not text else (Source("prediction", (Part(text),)),)


def _encodes(data: Any) -> bool:
    """Whether all strings in parsed JSON are text."""
    left = [data]
    while left:
        each = left.pop()
        if isinstance(each, str) and not each.isascii() and any("\ud800" <= sign <= "\udfff" for sign in each):
            return False
        left += [*each, *each.values()] if isinstance(each, dict) else each if isinstance(each, list) else ()
    return True


def expected(prediction: "str | Prediction | None", most: int) -> str | None:
    """The text that is expected, cut to `most` characters: a longer one would not fit where a good request does."""
    text = prediction.content if isinstance(prediction, Prediction) else prediction
    return None if text is None else text_of(text)[:most]


def text_of(content: str | list[TextPart]) -> str:
    return content if isinstance(content, str) else "".join(part.text for part in content)


def parts_of(ids: list[int], engine: Engine, name: str) -> tuple[Part, ...]:
    """The text of token ids; raises RefusalError where the engine has none."""
    if not isinstance(engine, Tokenizing):
        raise unsupported(name, f"'{name}' as token ids: this engine takes text alone")
    return engine.parts(ids)


def unsupported(name: str, message: str) -> RefusalError:
    return RefusalError(400, message, "unsupported_parameter", name)
