"""In: a text and where JSON begins in it. Out: the value that it holds, and where it ends."""

import json
from typing import Any

_DECODER = json.JSONDecoder(strict=False)


def decoded(text: str, start: int = 0) -> tuple[Any, int]:
    """Raises ValueError where there is no JSON, or half a sign, which no file can hold; RecursionError where it is
    nested too deep."""
    value, end = _DECODER.raw_decode(text, start)
    if "\\ud" in text[start:end].lower():
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            message = f"has half of a sign, {error.object[error.start]!a}"
            raise json.JSONDecodeError(message, text, start) from None
    return value, end
