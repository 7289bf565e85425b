"""In: regular expressions that a command compiles. Out: the same, from an earlier run where one has compiled them."""

import marshal
import os
import sys
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from re import Pattern
from typing import Any
from zlib import crc32

from redraft.home import home

_FEW = 8  # new ones, as the name of a file makes: not worth another file
_MOST = 2000
_SUM = 4  # bytes, before the rest

# What `_sre.compile` takes beside the pattern; the code, which it wants as a list, as bytes.
_Compiled = tuple[int, bytes, int, dict[str, int], tuple[str | None, ...]]


@contextmanager
def remembered_patterns() -> Iterator[None]:
    """While it is open, `re.compile` looks among the patterns that an earlier run has compiled.

    An edit needs some 760 of them, and compiling takes a third of its time. They are as Python keeps its own modules
    compiled: in a file for this version of Python alone. Where Python has no such parts, the user has no folder, or the
    file cannot be read or written, patterns are compiled as ever.
    """
    try:
        import _sre  # type: ignore[import-not-found]
        from re import _compiler, _parser  # type: ignore[attr-defined]

        compiled: Callable[..., Pattern[str]] = _compiler.compile
        path = home() / "compiled" / f"patterns-{sys.hexversion:x}-{_sre.MAGIC}"
    except (ImportError, AttributeError, RuntimeError):
        yield
        return
    kept = _read(path)
    used: dict[tuple[str, int], _Compiled] = {}

    def remembered(pattern: Any, flags: int = 0) -> Pattern[str]:
        if type(pattern) is not str:
            return compiled(pattern, flags)
        key = (pattern, int(flags))
        found = used.get(key) or kept.get(key)
        if not found:
            parsed = _parser.parse(pattern, flags)
            names: dict[str, int] = parsed.state.groupdict
            numbered = {number: name for name, number in names.items()}
            groups: int = parsed.state.groups
            code = array("I", _compiler._code(parsed, flags)).tobytes()
            found = (int(flags | parsed.state.flags), code, groups - 1, names, tuple(map(numbered.get, range(groups))))
        if len(used) < _MOST:
            used[key] = found
        every, code, *rest = found
        compiled_again: Pattern[str] = _sre.compile(pattern, every, array("I", code).tolist(), *rest)
        return compiled_again

    _compiler.compile = remembered
    try:
        yield
    finally:
        _compiler.compile = compiled
        if len(used.keys() - kept.keys()) > _FEW:
            every_one = kept | used
            _write(path, every_one if len(every_one) <= _MOST else used)


def _read(path: Path) -> dict[tuple[str, int], _Compiled]:
    try:
        data = path.read_bytes()
        # `marshal` and `_sre` trust what they are given: one wrong bit could end the interpreter.
        found = marshal.loads(data[_SUM:]) if crc32(data[_SUM:]).to_bytes(_SUM, "big") == data[:_SUM] else None
    except (OSError, ValueError, EOFError, TypeError):
        return {}
    return found if isinstance(found, dict) else {}


def _write(path: Path, patterns: dict[tuple[str, int], _Compiled]) -> None:
    import tempfile  # which takes 7 ms, and most commands write nothing

    data = marshal.dumps(patterns)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(crc32(data).to_bytes(_SUM, "big") + data)
            os.replace(name, path)
        except OSError:
            os.unlink(name)
