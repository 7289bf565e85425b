"""In: the arguments of a call of an editing tool, in any agent's words. Out: what it does to a file."""

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from redraft.edit.align.likeness import quoted
from redraft.edit.exact.page import Page
from redraft.edit.exact.steps import RefusedError, Replacement, SketchError, Step, Whole

Arguments = Mapping[str, Any]

OLD = frozenset(
    (
        *("oldstring", "oldstr", "oldtext", "oldcode", "oldcontent", "oldlines", "old", "search", "searchtext"),
        *("searchstring", "searchblock", "searchcontent", "find", "findtext", "original", "originaltext"),
        *("originalcode", "originalsnippet", "originalcontent", "targetcontent", "targettext"),
    )
)
NEW = frozenset(
    (
        *(
            "newstring",
            "newstr",
            "newtext",
            "newcode",
            "newcontent",
            "newlines",
            "lines",
            "new",
            "replace",
            "replacement",
        ),
        *("replacetext", "replacestring", "replaceblock", "replacecontent", "replacewith", "replacementcontent"),
        *("replacementtext", "replacementcode", "updated", "updatedtext", "updatedcode", "inserttext"),
    )
)
PATH = frozenset(
    (
        "path",
        "file",
        "filename",
        "filepath",
        "targetfile",
        "absolutepath",
        "relativeworkspacepath",
        "relativepath",
        "uri",
    )
)
EVERY = frozenset(("replaceall", "allowmultiple", "replaceeverywhere", "replacealloccurrences", "all", "global"))
COUNT = frozenset(("expectedreplacements", "expectedcount", "expectedoccurrences"))
NUMBER = frozenset(("startline", "line", "linenumber", "linestart", "pos"))
END = frozenset(("endline", "lineend", "end"))
BELOW = frozenset(("insertline", "insertafterline", "afterline", "insertafter"))
WHOLE = frozenset(("content", "contents", "filetext", "filecontent", "text", "newfilecontents"))
SKETCH = frozenset(("codeedit", "changes", "code", "codechanges", "codecontent", "codesnippet", "editsnippet"))
TOOL = frozenset(("name", "tool", "toolname", "command", "function", "recipientname", "action", "operation", "op"))
SAID = frozenset(("explanation", "instructions", "instruction", "description", "useregex", "ignorecase", "mode"))
COMMON = frozenset(("old", "new", "find", "search", "replace", "original", "updated", "code", "changes", "lines"))
ENDINGS = "line endings"
KNOWN = OLD | NEW | PATH | EVERY | COUNT | NUMBER | END | BELOW | WHOLE | SKETCH | TOOL | SAID
_WRITES = ("write", "writefile", "writetofile", "createfile", "create", "savefile", "newfile", "filewrite")
_TOLD = frozenset(("explanation", "instructions", "instruction", "description"))
_VIEWS = ("view", "read", "readfile", "undoedit", "open", "cat", "ls", "list", "grep")
_TRUE = (True, 1, "true", "True", "1", "yes")


def plain(name: str) -> str:
    """`old_string`, `oldString` and `OLD-STRING` are one name."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def is_call(value: Any, depth: int = 0) -> bool:
    """Whether a value holds the arguments of an edit."""
    if isinstance(value, list):
        return depth < 5 and any(is_call(each, depth + 1) for each in value)
    if not isinstance(value, Mapping) or depth > 5:
        return False
    names = {plain(str(key)) for key in value}
    texts = (names & OLD, names & (NEW | WHOLE | SKETCH), names & (NUMBER | BELOW | END))
    if (texts[0] and texts[1]) or (texts[1] and texts[2]) or (names & PATH and names & (WHOLE | SKETCH)):
        return True
    return any(is_call(each, depth + 1) for each in value.values())


def steps(value: Any, line: int, page: Page, path: str = "", tool: str = "") -> Iterator[Step]:
    """What a value does; raises SketchError where it holds code without its place."""
    if isinstance(value, list):
        for each in value:
            yield from steps(each, line, page, path, tool)
        return
    if not isinstance(value, Mapping):
        return
    given = {plain(str(key)): each for key, each in value.items()}
    path = next((each for key, each in given.items() if key in PATH and isinstance(each, str)), path)
    named = [each for key, each in given.items() if key in TOOL and isinstance(each, str)]
    tool = plain(named[-1].rpartition(".")[2]) if named else tool
    if tool in _VIEWS:
        return
    inner = [each for key, each in given.items() if key not in OLD | NEW and isinstance(each, (Mapping, list))]
    own = _step(given, line, path, tool, page)
    if own is not None:
        yield own
    for each in inner:
        yield from steps(each, line, page, path, tool)


def _step(given: Arguments, line: int, path: str, tool: str, page: Page) -> Step | None:
    old, new, whole = (_text(given, names) for names in (OLD, NEW, WHOLE))
    number, end, below = (_number(given, names) for names in (NUMBER, END, BELOW))
    every = any(given[key] in _TRUE for key in EVERY & given.keys())
    if given.get("useregex") in _TRUE:
        raise RefusedError(
            f"the call at line {line} of the answer searches by a pattern, which is not read: give the old text itself"
        )
    if old is not None and new is not None:
        count = 0 if every else _number(given, COUNT) or 1
        slips = (ENDINGS,) if "\r\n" in old + new else ()
        old, new = (text.replace("\r\n", "\n") for text in (old, new))
        if not old and page.text.strip():
            first = next((quoted(text) for text in new.split("\n") if text.strip()), "the new text")
            said = f"the call at line {line} of the answer has an empty old text, so it is open where {first} goes"
            raise RefusedError(f"{said}: put a neighbouring line of the file in both texts")
        return Replacement(old, new, line, path, is_piece=True, number=number, count=count, is_call=True, slips=slips)
    text = new if new is not None else whole
    if text is not None and tool == "insertcontent" and number is not None:
        return _inserted(text, line, path, number - 1 if number else len(page.lines) - (not page.lines[-1]))
    if text is not None and below is not None:
        return _inserted(text, line, path, below)
    if text is not None and number is not None and end is not None and tool not in ("append", "prepend", "delete"):
        return Replacement("", _lines(text), line, path, span=(number - 1, end), is_call=True)
    if whole is not None and tool in _WRITES:
        return Whole(whole, line, path)
    sketch = _text(given, SKETCH)
    if sketch is not None or whole is not None:
        raise SketchError(sketch or whole or "", _text(given, _TOLD) or "")
    if old is not None or new is not None:
        missing = "new" if new is None else "old"
        raise RefusedError(f"the call at line {line} of the answer has no {missing} text: give both texts")
    return None


def _inserted(text: str, line: int, path: str, below: int) -> Replacement:
    return Replacement("", _lines(text), line, path, span=(below, below), is_call=True)


def _lines(text: str) -> str:
    return text if not text or text.endswith("\n") else f"{text}\n"


def _text(given: Arguments, names: frozenset[str]) -> str | None:
    for key in names & given.keys():
        value = given[key]
        if isinstance(value, str):
            return value
        if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
            return "".join(f"{each}\n" for each in value)
    return None


def _number(given: Arguments, names: frozenset[str]) -> int | None:
    for key in names & given.keys():
        value = given[key]
        if isinstance(value, bool):
            continue
        if isinstance(value, int) or (isinstance(value, str) and value.strip().isdecimal() and len(value) < 9):
            return int(value)
    return None


def likeness(path: str, file: str) -> int:
    """How many names two paths have in common at their ends."""
    parts, others = (PurePosixPath(each.replace("\\", "/")).parts[::-1] for each in (path, file))
    return next(
        (at for at, (a, b) in enumerate(zip(parts, others, strict=False)) if a != b), min(len(parts), len(others))
    )
