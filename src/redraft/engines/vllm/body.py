"""In: the JSON body of a request to an OpenAI-shaped server. Out: what it predicts, and the body without that."""

from typing import Any

from redraft.errors import RedraftError

FIELDS = ("prediction", "speculation")


class FieldError(RedraftError):
    """A field that cannot be read; `field` is its name."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


def prediction_of(body: dict[str, Any]) -> str | list[int] | None:
    """OpenAI's `prediction` as text, or Fireworks' `speculation` as text or ids; None where there is neither.

    Raises FieldError for both at once, and for what is neither text nor, as `speculation`, a list of ids.
    """
    given = [name for name in FIELDS if body.get(name) is not None]
    if len(given) > 1:
        raise FieldError("speculation", "'speculation' cannot go with 'prediction': they mean the same")
    if not given:
        return None
    value = body[given[0]]
    if given[0] == "speculation" and isinstance(value, list):
        return _ids(value)
    return _text(given[0], value)


def _text(name: str, value: Any) -> str:
    if isinstance(value, dict) and name == "prediction":
        if value.get("type", "content") != "content":
            raise FieldError(name, f"'{name}': its type is 'content', not {value['type']!r}")
        value = value.get("content")
    if isinstance(value, list) and all(_is_text_part(part) for part in value):
        return "".join(part["text"] for part in value)
    if not isinstance(value, str):
        raise FieldError(name, f'\'{name}\' is text, or like {{"type": "content", "content": "the text"}}')
    return value


def _is_text_part(part: Any) -> bool:
    return isinstance(part, dict) and part.get("type") == "text" and isinstance(part.get("text"), str)


def _ids(value: list[Any]) -> list[int]:
    if not all(type(id_) is int and id_ >= 0 for id_ in value):
        raise FieldError("speculation", "'speculation' as a list holds token ids: whole numbers, none below 0")
    return value
