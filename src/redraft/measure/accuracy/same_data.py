"""In: two texts of a data format. Out: whether they hold the same data, however it is written down."""

import json
import tomllib
from collections.abc import Callable
from configparser import ConfigParser
from configparser import Error as IniError
from typing import Any
from xml.etree import ElementTree

from redraft.data.languages import extension
from redraft.errors import RedraftError


def same_data(one: str, other: str, path: str) -> bool:
    """Whether both can be read and hold the same; the order of keys does not count, that of entries does."""
    reader = _READERS.get(extension(path))
    if reader is None:
        return False
    try:
        return bool(reader(one) == reader(other))
    except (ValueError, ElementTree.ParseError, IniError):
        return False


def _yaml(text: str) -> Any:
    try:
        import yaml
    except ImportError as error:
        raise RedraftError("comparing YAML needs PyYAML: pip install 'redraft[eval]'") from error
    try:
        return list(yaml.safe_load_all(text))
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error


def _ini(text: str) -> Any:
    parser = ConfigParser(allow_no_value=True, interpolation=None)
    parser.read_string(text)
    return {name: dict(section) for name, section in parser.items()}


def _xml(text: str) -> Any:
    return ElementTree.canonicalize(text, strip_text=True)


_READERS: dict[str, Callable[[str], Any]] = {
    "json": json.loads,
    "toml": tomllib.loads,
    "yaml": _yaml,
    "yml": _yaml,
    "ini": _ini,
    "cfg": _ini,
    "xml": _xml,
}
