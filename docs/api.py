"""In: what `import redraft` offers. Out: docs/api.md on standard output: each name with its signature and docstring."""

import dataclasses
import inspect
import re
from collections.abc import Iterator
from typing import Any

import redraft

_PREFACE = """<!-- written by `make api`; edit the docstrings instead -->
# Python

Everything that `import redraft` offers. Importing is quick and loads no model library.

```python
from pathlib import Path
import redraft

editor = redraft.load()  # opens a model only for an edit in doubt
file = Path("inventory.py")
result = editor.apply(file.read_text(), update=Path("update.md").read_text(), path=file.name)
if result.status == "applied":
    file.write_text(result.output)

done = redraft.apply_answer(".", Path("answer.md").read_text())  # all files that the answer names, or none
for change in done.changes:
    print(change.operation, change.path, change.result.status)
```
"""
_ORDER = (
    *("load", "Redraft", "Result", "apply_answer", "AnswerResult", "Change", "repair", "repair_call", "Repair"),
    *("Request", "Message", "Sampling"),
)


def page() -> str:
    """The whole page: what people call first, then the rest."""
    names = [*_ORDER, *(name for name in redraft.__all__ if name not in _ORDER)]
    return "\n".join([_PREFACE, *(_section(name, getattr(redraft, name)) for name in names)])


def _section(name: str, thing: Any) -> str:
    if not inspect.isclass(thing):
        return f"## `{name}`\n\n```python\n{_signature(name, thing)}\n```\n\n{inspect.getdoc(thing)}\n"
    fields = "\n".join(_fields(thing))
    head = f"## `{name}`\n\n{_text(thing)}\n"
    return "\n".join([head, *([f"```python\n{fields}\n```\n"] if fields else []), *_methods(thing)])


def _fields(thing: type) -> Iterator[str]:
    """The fields of a dataclass, with their types and defaults."""
    for field in dataclasses.fields(thing) if dataclasses.is_dataclass(thing) else ():
        default = "" if field.default is dataclasses.MISSING else f" = {field.default!r}"
        yield f"{field.name}: {_type(field.type)}{default}"


def _methods(thing: type) -> Iterator[str]:
    for name, member in vars(thing).items():
        if name.startswith("_"):
            continue
        if isinstance(member, property) and member.fget is not None and inspect.getdoc(member):
            yield f"### `{thing.__name__}.{name}`\n\n{inspect.getdoc(member)}\n"
        elif inspect.isfunction(member) and inspect.getdoc(member):
            signature = _signature(f"{thing.__name__}.{name}", member)
            yield f"### `{thing.__name__}.{name}`\n\n```python\n{signature}\n```\n\n{inspect.getdoc(member)}\n"


def _signature(name: str, function: Any) -> str:
    """A line, or a parameter a line where that is long."""
    signature = inspect.signature(function)
    kept = [value for key, value in signature.parameters.items() if key != "self"]
    plain = signature.replace(parameters=kept, return_annotation=inspect.Signature.empty)
    line = f"{name}{plain} -> {_type(signature.return_annotation)}"
    if len(line) <= 100:
        return _shortened(line)
    split = [f"    {_shortened(str(value))}," for value in kept]
    first = next((at for at, value in enumerate(kept) if value.kind is value.KEYWORD_ONLY), None)
    if first is not None:
        split.insert(first, "    *,")
    return "\n".join([f"{name}(", *split, f") -> {_shortened(_type(signature.return_annotation))}"])


def _type(annotation: Any) -> str:
    return _shortened(annotation.__name__ if inspect.isclass(annotation) else str(annotation))


def _shortened(text: str) -> str:
    """Types without the modules that they come from."""
    plain = re.sub(r"\b(?:[a-z_]+\.)+(?=[A-Z])", "", text)
    defaults = re.sub(r"= Sampling\((?:[^()]|\(\))*\)", "= Sampling()", plain)
    return re.sub(r"\*\*more: .*", "**more: the other fields of a Request", defaults)


def _text(thing: type) -> str:
    """A class's docstring with its examples as code."""
    text = inspect.getdoc(thing) or ""
    return re.sub(r"((?:^(?:>>>|\.\.\.).*\n?(?:^(?!>>>).+\n?)*)+)", r"```python\n\1\n```", text, flags=re.MULTILINE)


if __name__ == "__main__":
    print(page(), end="")
