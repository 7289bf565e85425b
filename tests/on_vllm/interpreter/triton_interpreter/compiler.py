"""In: nothing. Out: the half of a backend that would compile."""

from typing import Any

from triton.backends.compiler import BaseBackend


def unused(*args: Any) -> Any:
    raise NotImplementedError("the interpreter compiles nothing: set TRITON_INTERPRET=1")


Compiler = type("Compiler", (BaseBackend,), dict.fromkeys(BaseBackend.__abstractmethods__, unused))
