"""In: a manifest of failing calls, stored as references, and git clones. Out: the calls put together, as tasks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from redraft.calls.spell import AGENTS, spell
from redraft.data.clones import blob_hash
from redraft.data.references import Part, resolve
from redraft.errors import RedraftError
from redraft.measure.rows import read_manifest_rows
from redraft.measure.sets.public import before_and_after

TO_REPAIR, TO_REFUSE = "to be repaired", "to be refused"


@dataclass(frozen=True)
class FailingCall:
    """A hunk of an edit of a public history as a call of `agent` with a slip; `call_blob` is the call's hash.

    Its texts are references: `old` and `new`, spelled as the agent does and without the last `cut` characters; or
    `call`, where the slip is one of the format. `expected`: the file that is right, none where it has to be refused.
    """

    id: str
    repository: str
    commit: str
    path: str
    before_blob: str
    after_blob: str
    language: str
    license: str
    slip: str
    agent: str
    old: list[Part]
    new: list[Part]
    replace_all: bool
    cut: int
    call: list[Part]
    call_blob: str
    expected: list[Part]
    expected_blob: str

    def __post_init__(self) -> None:
        if self.agent not in AGENTS:
            raise RedraftError(f"there is no agent {self.agent}")


@dataclass(frozen=True)
class CallTask:
    """A call with its texts; `expected` is the file as it was where the call has to be refused."""

    id: str
    path: str
    original: str
    update: str
    expected: str
    language: str
    style: str
    abilities: tuple[str, ...]


@dataclass(frozen=True)
class _Pair:
    old: str
    new: str
    replace_all: bool


def read_calls(path: Path) -> list[FailingCall]:
    """The calls of a manifest, one JSON object a line; raises RedraftError for a bad one and for none."""
    return read_manifest_rows(path, FailingCall, "a call")


def make(listed: Sequence[FailingCall], clones: Path) -> Iterator[CallTask]:
    """The tasks in their order; raises RedraftError that names the missing clones, or the failing call."""
    for one, (before, after) in zip(listed, before_and_after(listed, clones), strict=True):
        call = _checked(one, _call(one, before, after), one.call_blob)
        kind, right = TO_REFUSE, before
        if one.expected:
            kind, right = TO_REPAIR, _checked(one, resolve(one.expected, before, after), one.expected_blob)
        yield CallTask(one.id, one.path, before, call, right, one.language, one.slip, (kind, one.agent))


def _call(one: FailingCall, before: str, after: str) -> str:
    if one.call:
        return resolve(one.call, before, after)
    old, new = (resolve(parts, before, after) for parts in (one.old, one.new))
    spelled = spell([_Pair(old, new, one.replace_all)], one.path, one.agent)
    return spelled[: len(spelled) - one.cut]


def _checked(one: FailingCall, text: str, blob: str) -> str:
    if (digest := blob_hash(text.encode(), blob)) != blob:
        raise RedraftError(f"{one.id}: its text hashes to {digest}, not to {blob}")
    return text
