"""In: a manifest of failing calls (hashes, slips and seeds, no code) and git clones. Out: tasks; new manifests."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random

from redraft.calls.spell import AGENTS
from redraft.data.call_hunks import hunks
from redraft.data.call_refusals import REFUSED, SLIPS, slipped
from redraft.data.clones import blob_hash
from redraft.data.edits import Edit
from redraft.edit.syntax import parse
from redraft.errors import RedraftError
from redraft.measure.rows import read_manifest_rows
from redraft.measure.sets.public import checked, texts

TO_REPAIR, TO_REFUSE = "to be repaired", "to be refused"


@dataclass(frozen=True)
class FailingCall:
    """A hunk of an edit of a public history as a call of `agent` with a slip; `call_blob` is the call's hash."""

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
    hunk: int
    seed: int
    call_blob: str

    def __post_init__(self) -> None:
        if self.slip not in SLIPS or self.agent not in AGENTS:
            raise RedraftError(f"there is no slip {self.slip} of {self.agent}")


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


def read_calls(path: Path) -> list[FailingCall]:
    """The calls of a manifest, one JSON object a line; raises RedraftError for a bad one and for none."""
    return read_manifest_rows(path, FailingCall, "a call")


def make(listed: Sequence[FailingCall], clones: Path) -> Iterator[CallTask]:
    """The tasks in their order; raises RedraftError that names the missing clones, or the failing call."""
    contents = texts(listed, clones)
    for one in listed:
        before, after = (
            checked(one, blob, contents[one.repository, blob]) for blob in (one.before_blob, one.after_blob)
        )
        made = _call(before, after, one.path, one.slip, one.agent, one.hunk, one.seed)
        if made is None or blob_hash(made[0].encode(), one.call_blob) != one.call_blob:
            raise RedraftError(f"{one.id}: the call with this slip is not the one that the manifest means")
        call, expected = made
        kind = TO_REFUSE if expected is None else TO_REPAIR
        right = before if expected is None else expected
        yield CallTask(one.id, one.path, before, call, right, one.language, one.slip, (kind, one.agent))


def choose(edits: Iterable[Edit], repaired: int, refused: int, seed: int) -> list[FailingCall]:
    """So many calls of each slip, one of each file; repositories, agents and hunks by turns; deterministic."""
    ordered = sorted(edits, key=lambda edit: sha256(f"{seed} {edit.before_blob}".encode()).digest())
    found: list[FailingCall] = []
    used, per_repository = set[str](), Counter[str]()
    for turn in range(max(repaired, refused)):
        for slip in SLIPS:
            if turn >= (refused if slip in REFUSED else repaired):
                continue
            pool = sorted(ordered, key=lambda edit: per_repository[edit.repository])
            for edit in pool:
                if edit.before_blob not in used and (call := _first(edit, slip, turn, seed, len(found))):
                    found.append(call)
                    used.add(edit.before_blob)
                    per_repository[edit.repository] += 1
                    break
    return found


def _first(edit: Edit, slip: str, turn: int, seed: int, number: int) -> FailingCall | None:
    """The call of the first hunk that can have the slip."""
    agents = SLIPS[slip].agents
    agent = agents[turn % len(agents)]
    for hunk in range(3):
        made = _call(edit.before, edit.after, edit.path, slip, agent, hunk, seed)
        if made is not None:
            return FailingCall(
                id=f"{number:03}-{edit.language}-{edit.commit[:8]}",
                repository=edit.repository,
                commit=edit.commit,
                path=edit.path,
                before_blob=edit.before_blob,
                after_blob=edit.after_blob,
                language=edit.language,
                license=edit.license,
                slip=slip,
                agent=agent,
                hunk=hunk,
                seed=seed,
                call_blob=blob_hash(made[0].encode(), edit.before_blob),
            )
    return None


def _call(
    before: str, after: str, path: str, slip: str, agent: str, number: int, seed: int
) -> tuple[str, str | None] | None:
    if not before.endswith("\n"):
        return None
    rng = Random(f"{seed} {slip} {agent} {number}")
    found = hunks(before, after, rng)
    made = slipped(found[number], path, slip, agent, rng) if number < len(found) else None
    return made if made is None or made[1] is None or _is_sound(before, made[1], path) else None


def _is_sound(before: str, after: str, path: str) -> bool:
    """Whether a hunk alone leaves a file that can be parsed as one that can be."""
    one, other = parse(before, path), parse(after, path)
    return one is None or other is None or one.has_error or not other.has_error
