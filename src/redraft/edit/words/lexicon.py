"""In: the name of a table of words. Out: for each language, a regular expression for each kind of word."""

import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

UNSPACED = frozenset({"zh", "ja"})  # languages that put no spaces between words


_OTHER_SCRIPTS = frozenset({"zh", "ja", "ko", "ru"})


def languages_of(text: str, languages: Iterable[str]) -> Iterator[str]:
    """Of some languages those that a text's letters may be of: plain ASCII is none of China's or Russia's."""
    return (language for language in languages if not text.isascii() or language not in _OTHER_SCRIPTS)


@cache
def table(name: str) -> dict[str, dict[str, str]]:
    """The words of `name`.toml: language, kind, expression; a kind's `_ending` may follow each of its words."""
    text = Path(__file__).with_name(f"{name}.toml").read_text(encoding="utf-8")
    read: dict[str, dict[str, str | list[str]]] = tomllib.loads(text)
    return {language: _expressions(kinds) for language, kinds in read.items()}


def _expressions(kinds: dict[str, str | list[str]]) -> dict[str, str]:
    return {
        kind: f"(?:{'|'.join(words)}){kinds.get(f'{kind}_ending', '')}"
        for kind, words in kinds.items()
        if isinstance(words, list)
    }
