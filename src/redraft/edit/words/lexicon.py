"""In: the name of a table of words. Out: a regular expression for each kind of word in it; and such compiled."""

import re
import tomllib
from functools import cache
from pathlib import Path


@cache
def table(name: str) -> dict[str, str]:
    """The words of `name`.toml by their kind: one expression that any of them fits."""
    text = Path(__file__).with_name(f"{name}.toml").read_text(encoding="utf-8")
    return {kind: f"(?:{'|'.join(words)})" for kind, words in tomllib.loads(text).items()}


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern that takes small letters for large ones, made when it is asked for first: most texts need few."""
    return re.compile(pattern, re.IGNORECASE)
