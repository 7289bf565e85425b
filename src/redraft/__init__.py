"""In: a file and a chat model's answer about it. Out: the new file, or the reason why there is none.

>>> import redraft
>>> redraft.load(readers="merge").apply("a = 1\\nb = 2\\n", update="a = 3\\n# ... existing code ...\\n").output
'a = 3\\nb = 2\\n'
"""

# Nothing is imported before it is asked for, so that the command starts at once and an interrupt finds no import.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from redraft.apply import Redraft, load
    from redraft.calls.repair import Repair, repair, repair_call
    from redraft.changes.answer import AnswerResult, apply_answer
    from redraft.changes.change import Change
    from redraft.edit.request import Message, Request
    from redraft.engines import Chunk, Engine, Sampling
    from redraft.errors import RedraftError
    from redraft.result import Result

__version__ = "0.1.0"
__all__ = [
    "AnswerResult",
    "Change",
    "Chunk",
    "Engine",
    "Message",
    "Redraft",
    "RedraftError",
    "Repair",
    "Request",
    "Result",
    "Sampling",
    "apply_answer",
    "load",
    "repair",
    "repair_call",
]

_HOMES = {
    "redraft.apply": ("Redraft", "load"),
    "redraft.calls.repair": ("Repair", "repair", "repair_call"),
    "redraft.changes.answer": ("AnswerResult", "apply_answer"),
    "redraft.changes.change": ("Change",),
    "redraft.edit.request": ("Message", "Request"),
    "redraft.engines": ("Chunk", "Engine", "Sampling"),
    "redraft.errors": ("RedraftError",),
    "redraft.result": ("Result",),
}


def __getattr__(name: str) -> object:
    for home, names in _HOMES.items():
        if name in names:
            from importlib import import_module

            value: object = getattr(import_module(home), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'redraft' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), *__all__]
