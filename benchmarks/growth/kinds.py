"""In: a number of signs. Out: `Kind`: an edit of about so many signs, of each kind whose time once grew too fast."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count

from redraft.edit.request import Request

_LEAST = 2  # parts that an edit has at least
Parts = Callable[[int], str]


@dataclass(frozen=True)
class Kind:
    """Edits that differ in their size alone; `of` takes about how many signs file and answer have together."""

    name: str
    of: Callable[[int], Request]
    is_exact: bool = False  # read by rules of its own, in a time that grows with its size and no faster


def kinds() -> list[Kind]:
    return [*_EXACT, *_SKETCHED, *_SAID, *_NESTED]


def repeated(size: int, part: Parts, joint: str = "\n") -> str:
    """Parts, numbered from 0, until there are so many signs."""
    return joint.join(_parts(size, part)) + "\n"


def _parts(size: int, part: Parts) -> Iterator[str]:
    length = 0
    for number in count():
        if length >= size and number >= _LEAST:
            return
        text = part(number)
        length += len(text) + 1
        yield text


def _function(at: int) -> str:
    return f"def function_{at}(first, second):\n    total = first * {at}\n    return total + second\n"


def _changed(at: int) -> str:
    return _function(at).replace("+ second", "- second")


def _flat(at: int) -> str:
    return f"value_{at} = {at * 7}"


def _fenced(code: str, info: str = "python", ticks: str = "```") -> str:
    return f"{ticks}{info}\n{code.rstrip()}\n{ticks}\n"


def _whole(part: Parts, old: str, new: str) -> Callable[[int], Request]:
    def made(size: int) -> Request:
        file = repeated(size // 2, part)
        return Request(file, _fenced(file.replace(old, new)), path="a.py")

    return made


def _each(part: Parts, answer: Parts, head: str = "", tail: str = "", path: str = "a.py") -> Callable[[int], Request]:
    """A file of parts, and an answer that says something of each."""

    def made(size: int) -> Request:
        number = len([*_parts(size // 3, part)])
        file = "\n".join(map(part, range(number))) + "\n"
        return Request(file, head + "\n".join(map(answer, range(number))) + tail, path=path)

    return made


def _said(part: Parts, joint: str = "\n", head: str = "", tail: str = "") -> Callable[[int], Request]:
    """A small file and change, and an answer that says much beside it."""
    file = "".join(_function(at) + "\n" for at in range(8))

    def made(size: int) -> Request:
        return Request(file, head + repeated(size, part, joint) + tail + "\n" + _fenced(_changed(3)), path="a.py")

    return made


def _shown(
    part: Parts, answer: Callable[[str], str], path: str = "a.py", joint: str = "\n"
) -> Callable[[int], Request]:
    """A file of parts, and an answer that is made of the file."""

    def made(size: int) -> Request:
        file = repeated(size // 2, part, joint)
        return Request(file, answer(file), path=path)

    return made


def _diff(at: int) -> str:
    start = 4 * at + 1
    return (
        f"@@ -{start},4 +{start},4 @@\n def function_{at}(first, second):\n     total = first * {at}\n"
        "-    return total + second\n+    return total - second\n "
    )


def _patch(at: int) -> str:
    return (
        f"@@ def function_{at}(first, second):\n     total = first * {at}\n"
        "-    return total + second\n+    return total - second"
    )


def _block(old: str, new: str) -> str:
    return f"<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n"


def _search(at: int) -> str:
    head = f"def function_{at}(first, second):\n    total = first * {at}\n    return total"
    return _block(f"{head} + second", f"{head} - second")


def _call(at: int) -> str:
    old, new = (f"    total = first * {at}\\n    return total {sign} second" for sign in "+-")
    return f'{{"old_string": "{old}", "new_string": "{new}"}},'


def _tags(at: int) -> str:
    old, new = (f"    total = first * {at}\n    return total {sign} second" for sign in "+-")
    return f"<edit>\n<old_text>\n{old}\n</old_text>\n<new_text>\n{new}\n</new_text>\n</edit>"


def _equal(_: int) -> str:
    return "    total += 1"


_HEADS = "--- a/a.py\n+++ b/a.py\n"
_EXACT = [
    Kind("whole file, one change", _whole(_function, "first * 2\n", "first * 3\n"), True),
    Kind("whole file of flat lines, one change", _whole(_flat, "value_2 = 14\n", "value_2 = 15\n"), True),
    Kind("whole file, no change", _whole(_function, "", ""), True),
    Kind("whole file, each function changed", _whole(_function, "+ second", "- second"), True),
    Kind("diff, many hunks", _each(_function, _diff, _HEADS), True),
    Kind(
        "diff, one hunk in a long file",
        lambda size: Request(repeated(size, _function), _HEADS + _diff(size // 250), path="a.py"),
        True,
    ),
    Kind(
        "patch with anchors",
        _each(_function, _patch, "*** Begin Patch\n*** Update File: a.py\n", "\n*** End Patch\n"),
        True,
    ),
    Kind("blocks, many", _each(_function, _search), True),
    Kind("blocks, one long", _shown(_function, lambda file: _block(file, file.replace("* 2\n", "* 3\n"))), True),
    Kind("blocks of equal lines", _shown(_equal, lambda file: _block(file[: len(file) // 4], "pass")), True),
    Kind("blocks that are nowhere", _each(_function, lambda at: _search(at).replace("total", "amount")), True),
    Kind(
        "calls in JSON",
        _each(_function, _call, '{"path": "a.py", "edits": [', '{"old_string": "x", "new_string": "x"}]}'),
        True,
    ),
    Kind("edits in tags", _each(_function, _tags), True),
]
_SKETCHED = [
    Kind(
        "functions with markers between",
        _each(_function, lambda at: _changed(at) if at % 3 else "# ... existing code ...\n"),
    ),
    Kind("one function, markers around", _shown(_function, lambda _: _fenced(f"# ...\n\n{_changed(5)}\n# ..."))),
    Kind("equal lines, all shown", _shown(_equal, lambda file: _fenced(f"{file}    total += 2"))),
    Kind(
        "equal lines, markers between",
        _shown(_equal, lambda file: _fenced(file.replace("1\n    total", "1\n# ...\n    total"))),
    ),
    Kind("fences of one line", _each(_flat, lambda at: _fenced(f"value_{at} = {at * 7 + 1}"))),
    Kind("fences below sentences", _each(_function, lambda at: f"Change `function_{at}`:\n\n{_fenced(_changed(at))}")),
    Kind(
        "before and after",
        _each(_function, lambda at: f"Before:\n{_fenced(_function(at))}After:\n{_fenced(_changed(at))}"),
    ),
    Kind(
        "lines in front of lines",
        _shown(
            _function,
            lambda file: _fenced(
                "\n".join(f"{at:5} | {line}" for at, line in enumerate(file.replace("* 2\n", "* 3\n").split("\n"), 1))
            ),
        ),
    ),
    Kind("diff without headers", _each(_function, _patch, "```diff\n", "\n```\n")),
    Kind("markers alone", _shown(_function, lambda file: _fenced("# ... existing code ...\n" * (len(file) // 24)))),
    Kind(
        "imports",
        _each(
            lambda at: f"import module_{at}",
            lambda at: f"import module_{at}\nimport other_{at}",
            "```python\n",
            "\n# ...\n```\n",
        ),
    ),
    Kind(
        "comments to the reader",
        _each(
            _function, lambda at: f"# changed: the sign of function_{at}\n{_changed(at)}", "Done:\n```python\n", "```\n"
        ),
    ),
    Kind("blank lines in a block", _shown(_function, lambda file: _fenced("\n" * (len(file) // 2) + _changed(3)))),
    Kind(
        "quoted lines",
        _shown(
            _function,
            lambda file: "So:\n\n" + "\n".join(f"> {line}" for line in file.replace("* 2\n", "* 3\n").split("\n")),
        ),
    ),
    Kind(
        "conflict marks",
        _each(_function, lambda at: f"<<<<<<< HEAD\n{_function(at)}=======\n{_changed(at)}>>>>>>> new"),
    ),
    Kind(
        "keys of YAML",
        _each(
            lambda at: f"key_{at}:\n  value: {at}",
            lambda at: f"key_{at}:\n  value: {at + 1}\n  # ...",
            "```yaml\n",
            "\n```\n",
            "a.yml",
        ),
    ),
    Kind(
        "paragraphs of Markdown",
        _each(
            lambda at: f"## Part {at}\n\nWords of part {at}.\n",
            lambda at: f"## Part {at}\n\nOther words of part {at}.\n",
            path="a.md",
        ),
    ),
]
_SAID = [
    Kind("run of blanks in a sentence", _said(lambda _: " " * 8, "", "Change", "this:")),
    Kind("run of tabs in a sentence", _said(lambda _: "\t" * 8, "", "Change", "this:")),
    Kind("run of letters", _said(lambda _: "a" * 8, "", "Change ", " here:")),
    Kind("run of digits", _said(lambda _: "7" * 8, "", "Change ", " here:")),
    Kind("run of dots", _said(lambda _: "." * 8, "", "Change ", " here:")),
    Kind("run of ticks", _said(lambda _: "`a", "", "Change ", " here:")),
    Kind("run of open brackets", _said(lambda _: "(<[{" * 2, "", "Change ", " here:")),
    Kind("sentence of many words", _said(lambda at: f"and after word {at} the function", " ")),
    Kind("many sentences", _said(lambda at: f"Then replace line {at} of the function below with the new one.")),
    Kind("names in ticks", _said(lambda at: f"`function_{at}`", ", ", "Remove ")),
    Kind("renames", _said(lambda at: f"Rename `function_{at}` to `other_{at}`.")),
    Kind("unclosed fences", _said(lambda at: f"````{'`' * (at % 7)}python\nvalue_{at} = 1")),
    Kind("thoughts that do not end", _said(lambda at: f"<think>\nthought {at}")),
    Kind("tags that do not end", _said(lambda at: f"<edit><old_text>word {at}")),
    Kind("paths of files", _said(lambda at: f"`src/file_{at}.py`:\n")),
    Kind("rows of a table", _said(lambda at: f"| `name_{at}` | `other_{at}` |", head="| old | new |\n|---|---|\n")),
]


def _deep(size: int, head: Parts, tail: Parts, inner: str, per: int) -> str:
    depth = max(_LEAST, size // per)
    return "".join(map(head, range(depth))) + inner + "".join(map(tail, reversed(range(depth))))


def _nested(head: Parts, tail: Parts, inner: tuple[str, str], path: str, per: int) -> Callable[[int], Request]:
    def made(size: int) -> Request:
        old, new = (_deep(size // 2, head, tail, each, per) + "\n" for each in inner)
        return Request(old, f"```\n{new}```\n", path=path)

    return made


_NESTED = [
    Kind("JSON nested deep", _nested(lambda _: '{"a": [', lambda _: "]}", ("1", "2"), "a.json", 9)),
    Kind(
        "HTML nested deep",
        _nested(lambda _: "<div>\n", lambda _: "</div>\n", ("<p>a</p>\n", "<p>b</p>\n"), "a.html", 13),
    ),
    Kind("brackets nested deep", _nested(lambda _: "f(\n", lambda _: ")\n", ("1\n", "2\n"), "a.js", 5)),
    Kind(
        "classes nested deep",
        _nested(
            lambda at: f"{' ' * (at % 60)}class A{at}:\n",
            lambda _: "",
            (" " * 61 + "b = 1", " " * 61 + "b = 2"),
            "a.py",
            44,
        ),
    ),
]
