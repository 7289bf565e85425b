"""In: the lines of a file before and after an edit, and its path. Out: the line that an exact parser refuses now."""

import ast
import json
import re
import tomllib
import warnings
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import PurePosixPath
from threading import Lock
from xml.etree import ElementTree

_ENTITY = re.compile(r"<!ENTITY", re.IGNORECASE)  # may grow without end when it is read
_XML = "xml xsd xsl xslt svg csproj fsproj vbproj props targets xaml resx plist nuspec"
_LARGEST = 2_000_000  # characters
_ONE_TREE = Lock()  # Python before 3.11.9 counts the depth of trees that two threads build at once as one's, and fails


def exact_fault(before: Sequence[str], after: Sequence[str], path: str) -> int | None:
    """The line of the output, from 0, at which its language's own parser stops, though it read the file."""
    parser, text = _PARSERS.get(PurePosixPath(path.replace("\\", "/").lower()).suffix[1:]), "\n".join(after)
    if parser is None or len(text) > _LARGEST:
        return None
    line = _stop(parser, text)
    if line is None or _stop(parser, "\n".join(before)) is not None:
        return None
    return max(0, min(line - 1, len(after) - 1))


def _stop(parser: Callable[[str], int | None], text: str) -> int | None:
    """The line, from 1, at which a parser stops; the first where a text is nested too deep for it."""
    try:
        return parser(text)
    except RecursionError:
        return 1


def _python(text: str) -> int | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            with _ONE_TREE:
                ast.parse(text)
        except SyntaxError as error:
            return error.lineno or 1
        except (ValueError, MemoryError):
            return 1
    return None


def _json(text: str) -> int | None:
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return error.lineno
    return None


def _toml(text: str) -> int | None:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        said = re.search(r"line (\d+)", str(error))
        return int(said[1]) if said else text.count("\n") + 1
    return None


def _xml(text: str) -> int | None:
    if _ENTITY.search(text):
        return None
    try:
        ElementTree.fromstring(text.lstrip("\ufeff").encode())
    except ElementTree.ParseError as error:
        return int(error.position[0])
    except (ValueError, LookupError):  # an encoding that is not known
        return None
    return None


def _yaml(text: str) -> int | None:
    """By PyYAML, where it is installed: its events alone, so that no tag is followed."""
    yaml = import_module("yaml")
    try:
        for _ in yaml.parse(text, Loader=yaml.SafeLoader):
            pass
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        return mark.line + 1 if mark else 1
    except yaml.YAMLError:
        return 1
    return None


_PARSERS: dict[str, Callable[[str], int | None]] = {
    **dict.fromkeys(("py", "pyi"), _python),
    **dict.fromkeys(("json", "webmanifest", "geojson"), _json),
    "toml": _toml,
    **dict.fromkeys(_XML.split(), _xml),
    **(dict.fromkeys(("yml", "yaml"), _yaml) if find_spec("yaml") else {}),
}
