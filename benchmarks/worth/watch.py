"""In: the names of rooms. Out: their functions, watched: what each returns is noted, and each can be made to return
always the same.

Functions are decorated while their modules are imported, so this has to be installed before the reader is imported.
"""

import ast
import functools
import importlib.abc
import importlib.machinery
import inspect
import sys
from collections.abc import Callable, Sequence
from types import CodeType, ModuleType
from typing import Any

_CONSTANTS = {"None": None, "True": True, "False": False, "0": 0}
_EMPTY = {f"{kind.__name__}()": kind for kind in (list, tuple, str, dict, set, frozenset)}
_NOTHING, _RAISES, _ELSE = "nothing", "raises", "else"
FIXED = (
    *_CONSTANTS,
    *_EMPTY,
    _NOTHING,
    *(f"argument {at}" for at in range(4)),
)  # what a function can be made to return

noted: dict[str, set[str]] = {}  # what each function returned since this was cleared
fixed: dict[str, str] = {}  # what functions return in place of what they would
lines: dict[str, int] = {}  # how long each is


def install(package: str, rooms: Sequence[str]) -> None:
    """Watch the functions of these rooms of a package from now on."""
    sys.meta_path.insert(0, _Finder(package, tuple(f"{package}.{room}" for room in rooms)))


def watched(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def decorated(function: Callable[..., Any]) -> Callable[..., Any]:
        is_generator = inspect.isgeneratorfunction(function)

        @functools.wraps(function)
        def called(*given: Any, **named: Any) -> Any:
            if name in fixed:
                return _fixed(fixed[name], given)
            try:
                found = function(*given, **named)
                found = tuple(found) if is_generator else found
            except Exception:
                noted.setdefault(name, set()).add(_RAISES)
                raise
            noted.setdefault(name, set()).add(
                _kind(found, given) if not is_generator else (_ELSE if found else _NOTHING)
            )
            return iter(found) if is_generator else found

        return called

    return decorated


def _kind(found: Any, given: Sequence[Any]) -> str:
    for name, constant in _CONSTANTS.items():
        if found is constant or (name == "0" and type(found) is int and found == 0):
            return name
    if (name := f"{type(found).__name__}()") in _EMPTY and not found:
        return name
    for at, argument in enumerate(given[:4]):
        if found is argument or (
            type(found) is type(argument) and isinstance(found, list | tuple | str) and found == argument
        ):
            return f"argument {at}"
    return _ELSE


def _fixed(kind: str, given: Sequence[Any]) -> Any:
    if kind == _NOTHING:
        return iter(())
    if kind in _EMPTY:
        return _EMPTY[kind]()
    return _CONSTANTS[kind] if kind in _CONSTANTS else given[int(kind.split()[1])]


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, package: str, rooms: tuple[str, ...]) -> None:
        self._package, self._rooms = package, rooms

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if not any(fullname == room or fullname.startswith(f"{room}.") for room in self._rooms):
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.origin is not None:
            spec.loader = _Loader(fullname, spec.origin, self._package)
        return spec


class _Loader(importlib.machinery.SourceFileLoader):
    def __init__(self, fullname: str, path: str, package: str) -> None:
        super().__init__(fullname, path)
        self._room = fullname.removeprefix(f"{package}.")

    def get_code(self, fullname: str) -> CodeType:
        tree = ast.parse(self.get_data(self.path))
        for name, function in _functions(tree.body, ""):
            self._watch(f"{self._room}:{name}", function)
        at = 1 + max((n for n, each in enumerate(tree.body[:2]) if _is_first(each)), default=-1)
        tree.body.insert(at, ast.ImportFrom("watch", [ast.alias("watched", "_watched")], 0))
        return compile(ast.fix_missing_locations(tree), self.path, "exec")

    def _watch(self, name: str, function: ast.FunctionDef) -> None:
        first = min([function.lineno, *(each.lineno for each in function.decorator_list)])
        lines[name] = (function.end_lineno or first) - first + 1
        call = ast.Call(ast.Name("_watched", ast.Load()), [ast.Constant(name)], [])
        function.decorator_list.append(ast.copy_location(call, function))


def _functions(body: Sequence[ast.stmt], prefix: str) -> list[tuple[str, ast.FunctionDef]]:
    found = []
    for each in body:
        if isinstance(each, ast.FunctionDef) and not each.name.startswith("__"):
            found.append((f"{prefix}{each.name}", each))
        elif isinstance(each, ast.ClassDef):
            found += _functions(each.body, f"{prefix}{each.name}.")
    return found


def _is_first(each: ast.stmt) -> bool:
    """Whether nothing may stand above a statement: a docstring, or what is imported from the future."""
    is_text = isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)
    return is_text or (isinstance(each, ast.ImportFrom) and each.module == "__future__")
