"""In: why a request is not answered. Out: the status and the body that say so, in the shape of OpenAI's errors."""

import re
from collections.abc import Mapping
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from redraft.engines.endpoint import NoAnswerError
from redraft.errors import MissingError, RedraftError, TimeUpError, TooLongError
from redraft.next.recognised import TemplateError


class ErrorDetail(BaseModel):
    message: str
    type: str
    param: str | None
    code: str | None


class ErrorBody(BaseModel):
    """Every error of this server has this shape, which is OpenAI's."""

    error: ErrorDetail


_MEANINGS = {
    400: "The request cannot be, and `param` says what of it",
    401: "No key, or a wrong one",
    403: "Asked under a name that is not this machine's",
    408: "The body did not arrive in time",
    409: "A newer request about the same file took its place",
    413: "The body is too long",
    415: "The body is not sent as JSON",
    422: "A guard refuses the edit: `code` is its status",
    429: "Too much waits; `Retry-After` says when to come back",
    502: "The endpoint behind this server did not answer",
    503: "No model, or the server is about to end",
    504: "It took too long",
}
ANSWERS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorBody, "description": meaning} for status, meaning in _MEANINGS.items()
}

_EVENT = {
    "type": "object",
    "properties": {"event": {"type": "string"}, "data": {"type": "string", "description": "JSON, or [DONE]"}},
    "required": ["data"],
}
# Of a route that answers with events where it is asked to stream.
STREAMED: dict[int | str, dict[str, Any]] = ANSWERS | {
    200: {"description": "The answer", "content": {"text/event-stream": {"schema": _EVENT}}}
}


class RefusalError(RedraftError):
    """A request that gets no answer; `status` is that of HTTP, the rest is OpenAI's."""

    def __init__(
        self,
        status: int,
        message: str,
        code: str | None = None,
        param: str | None = None,
        kind: str = "invalid_request_error",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status, self.code, self.param, self.kind = status, code, param, kind
        self.headers = dict(headers or {})

    def body(self) -> dict[str, Any]:
        return {"error": {"message": str(self), "type": self.kind, "param": self.param, "code": self.code}}


class FullError(RefusalError):
    """Too many jobs wait; `seconds` is when to ask again."""

    def __init__(self, seconds: int) -> None:
        message = f"the server is busy: try again in {seconds} seconds"
        super().__init__(
            429, message, "rate_limit_exceeded", kind="rate_limit_error", headers={"Retry-After": f"{seconds}"}
        )


class ClosingError(RefusalError):
    """The server is about to end."""

    def __init__(self) -> None:
        super().__init__(
            503, "the server is shutting down", "closing", kind="server_error", headers={"Retry-After": "5"}
        )


class SupersededError(RefusalError):
    """The same client has sent a newer request about the same file: the next keystroke."""

    def __init__(self) -> None:
        super().__init__(409, "a newer request about the same file took the place of this one", "superseded")


class TimeLimitError(RefusalError):
    """The request took longer than the server allows."""

    def __init__(self) -> None:
        super().__init__(504, "the request took longer than this server allows", "timeout", kind="server_error")


def refusal(error: Exception) -> RefusalError:
    """What is said about an error; nothing of an unexpected one, which may quote what was sent."""
    if isinstance(error, RefusalError):
        return error
    if isinstance(error, TooLongError):
        return RefusalError(400, str(error), "context_length_exceeded")
    if isinstance(error, TemplateError):
        return RefusalError(400, str(error), "invalid_prompt", "prompt")
    if isinstance(error, TimeUpError):
        return RefusalError(422, str(error), "time_up")
    if isinstance(error, MissingError):
        return RefusalError(503, str(error), "no_model", kind="server_error")
    if isinstance(error, NoAnswerError):
        return RefusalError(502, str(error), "no_answer", kind="server_error")
    if isinstance(error, RedraftError):
        return RefusalError(400, str(error))
    return RefusalError(500, "something went wrong in the server; its log says where", "internal", kind="server_error")


def response(error: RefusalError) -> JSONResponse:
    return JSONResponse(error.body(), error.status, headers=error.headers)


async def on_error(_: Request, error: Exception) -> JSONResponse:
    return response(refusal(error))


# Where a value may be of several types, the name of the type that was tried is a step of its place.
_BRANCH = re.compile(r"str|int|float|[A-Z]\w*|(?:list|constrained|function|json)\b.*")


async def on_malformed(_: Request, error: Exception) -> JSONResponse:
    """The first thing that is wrong with a body, by its name, and none of the body itself."""
    assert isinstance(error, RequestValidationError)
    # Of what was tried for a value of several types, the one that got farthest was meant.
    first = max(error.errors(), key=lambda each: len(each["loc"]))
    name = ".".join(str(step) for step in first["loc"] if step != "body" and not _BRANCH.fullmatch(str(step)))
    if first["type"] == "extra_forbidden":
        return response(RefusalError(400, f"Unknown parameter: '{name}'.", "unknown_parameter", name))
    if first["type"] == "json_invalid":
        return response(RefusalError(400, f"the body is no JSON: {first['ctx']['error']}", "invalid_json"))
    said = first["msg"].removeprefix("Value error, ") if name or first["type"] != "missing" else "the body is empty"
    code = "missing_required_parameter" if first["type"] == "missing" else "invalid_value"
    return response(RefusalError(400, f"{name}: {said}" if name else said, code, name or None))


async def on_http(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    return response(RefusalError(error.status_code, str(error.detail), headers=error.headers))
