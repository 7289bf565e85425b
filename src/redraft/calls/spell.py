"""In: replacements for a file. Out: the call that makes them, in the words of an agent's tool or of the call before."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Protocol

from redraft.edit.exact.blocks import START
from redraft.edit.exact.calls import COUNT, EVERY, NEW, NUMBER, OLD, plain
from redraft.edit.exact.page import Page
from redraft.edit.exact.spelled import between
from redraft.edit.text.changes import difference
from redraft.errors import RedraftError

CLAUDE, GEMINI, OPENHANDS, ZED = "claude-code", "gemini", "openhands", "zed"
CLINE, AIDER, CODEX = "cline", "aider", "codex"
AGENTS = (CLAUDE, CODEX, GEMINI, OPENHANDS, CLINE, ZED, AIDER)
WHOLE_LINES = (CLINE, AIDER, CODEX)  # their formats hold lines, not pieces of them


class Pair(Protocol):
    """An old text and its new one."""

    @property
    def old(self) -> str: ...
    @property
    def new(self) -> str: ...
    @property
    def replace_all(self) -> bool: ...


def check_agent(name: str) -> None:
    """Raises RedraftError for an agent whose calls are not known."""
    if name not in AGENTS:
        raise RedraftError(f"unknown agent {name!r}; there are {', '.join(AGENTS)}")


def spell(pairs: Sequence[Pair], path: str, agent: str) -> str:
    """The call, or the calls a line each; whole lines for those of WHOLE_LINES."""
    if agent == CODEX:
        return _patch(pairs, path)
    if agent in (CLINE, AIDER):
        return _blocks(pairs, path, agent == CLINE)
    return "\n".join(json.dumps(call, ensure_ascii=False) for call in _calls(pairs, path, agent))


def spelled_for(agent: str, text: str, output: str, pairs: Sequence[Pair], path: str) -> str:
    """The call that makes the output of the text: the pairs, or whole lines where the agent's words hold only these."""
    check_agent(agent)
    if agent in WHOLE_LINES:
        return spell([_Lines(each.old, each.new) for each in between(Page.of(text), output)], path, agent)
    return spell(pairs, path, agent)


def like(call: str, text: str, output: str, pairs: Sequence[Pair], path: str) -> str:
    """The pairs in the words of the call that they stand for."""
    value = None
    with suppress(ValueError, RecursionError):
        value = json.loads(call, strict=False)
    if isinstance(value, Mapping):
        return "\n".join(json.dumps(each, ensure_ascii=False) for each in _in_place(value, pairs))
    return spelled_for(agent_of(call), text, output, pairs, path)


def agent_of(call: str) -> str:
    """Whose words a call is in."""
    if "*** Begin Patch" in call or "*** Update File" in call:
        return CODEX
    lines = call.split("\n")
    if any(START.fullmatch(line) for line in lines):
        return CLINE if any(line.lstrip().startswith("-") and START.fullmatch(line) for line in lines) else AIDER
    if "old_text" in call:
        return ZED
    return OPENHANDS if "old_str>" in call or '"old_str"' in call else CLAUDE


class _Lines:
    replace_all = False

    def __init__(self, old: str, new: str) -> None:
        self.old, self.new = old, new


def _calls(pairs: Sequence[Pair], path: str, agent: str) -> Iterator[dict[str, Any]]:
    if agent == ZED:
        yield {"path": path, "edits": [{"old_text": pair.old, "new_text": pair.new} for pair in pairs]}
        return
    if agent == CLAUDE and len(pairs) > 1:
        yield {"file_path": path, "edits": [_texts(pair) for pair in pairs]}
        return
    for pair in pairs:
        if agent == OPENHANDS:
            yield {"command": "str_replace", "path": path, "old_str": pair.old, "new_str": pair.new}
        else:
            yield {"file_path": path, **_texts(pair, "allow_multiple" if agent == GEMINI else "replace_all")}


def _texts(pair: Pair, every: str = "replace_all") -> dict[str, Any]:
    return {"old_string": pair.old, "new_string": pair.new, **({every: True} if pair.replace_all else {})}


def _blocks(pairs: Sequence[Pair], path: str, is_cline: bool) -> str:
    marks = ("------- SEARCH", "+++++++ REPLACE") if is_cline else ("<<<<<<< SEARCH", ">>>>>>> REPLACE")
    blocks = "\n".join(
        "\n".join([marks[0], *_split(pair.old), "=======", *_split(pair.new), marks[1]]) for pair in pairs
    )
    if is_cline:
        return f"<replace_in_file>\n<path>{path}</path>\n<diff>\n{blocks}\n</diff>\n</replace_in_file>\n"
    return f"{path}\n```\n{blocks}\n```\n"


def _patch(pairs: Sequence[Pair], path: str) -> str:
    hunks = "\n".join(
        "\n".join(["@@", *(sign + line for sign, line in difference(_split(pair.old), _split(pair.new)))])
        for pair in pairs
    )
    return f"*** Begin Patch\n*** Update File: {path}\n{hunks}\n*** End Patch\n"


def _split(text: str) -> list[str]:
    return text.split("\n") if text else []


def _in_place(value: Mapping[str, Any], pairs: Sequence[Pair]) -> list[Any]:
    """A call, or several, with the texts of the pairs instead of its own."""
    count = sum(1 for _ in _holders(value))
    if count == len(pairs):
        left = iter(pairs)
        return [_replaced(value, lambda _: next(left))]
    if count == 1:
        return [_replaced(value, lambda _, pair=pair: pair) for pair in pairs]
    lists = [key for key, each in value.items() if isinstance(each, list) and any(_is_pair(one) for one in each)]
    if len(lists) != 1:
        raise RedraftError("the call holds its edits in several lists: name the agent whose words are wanted")
    first = next(one for one in value[lists[0]] if _is_pair(one))
    return [{**value, lists[0]: [_filled(first, pair) for pair in pairs]}]


def _holders(value: Any) -> Iterator[Mapping[str, Any]]:
    if _is_pair(value):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _holders(_opened(each))
    elif isinstance(value, list):
        for each in value:
            yield from _holders(each)


def _replaced(value: Any, pair: Any) -> Any:
    if _is_pair(value):
        return _filled(value, pair(value))
    if isinstance(value, Mapping):
        return {
            key: json.dumps(_replaced(_opened(each), pair), ensure_ascii=False)
            if isinstance(each, str) and _opened(each) is not each
            else _replaced(each, pair)
            for key, each in value.items()
        }
    return [_replaced(each, pair) for each in value] if isinstance(value, list) else value


def _opened(value: Any) -> Any:
    """Arguments that are a text of JSON themselves, opened."""
    if isinstance(value, str) and value.lstrip()[:1] == "{":
        with suppress(ValueError, RecursionError):
            return json.loads(value, strict=False)
    return value


def _is_pair(value: Any) -> bool:
    names = {plain(str(key)) for key in value} if isinstance(value, Mapping) else set()
    return bool(names & OLD and names & NEW)


def _filled(value: Mapping[str, Any], pair: Pair) -> dict[str, Any]:
    """A call with other texts; what told its place by counts and numbers goes, since the old text does so now."""
    found: dict[str, Any] = {}
    for key, each in value.items():
        name = plain(str(key))
        if name in OLD or name in NEW:
            found[key] = pair.old if name in OLD else pair.new
        elif name in EVERY:
            found[key] = pair.replace_all
        elif name not in COUNT and name not in NUMBER:
            found[key] = each
    if pair.replace_all and not any(plain(str(key)) in EVERY for key in value):
        found["replace_all"] = True
    return found
