"""In: a manifest of answers, stored as references, and git clones. Out: the answers put together again, as tasks."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from redraft.data.clones import blob_hash
from redraft.data.references import Part, refer, resolve
from redraft.data.tasks import Written
from redraft.edit import jsonl
from redraft.errors import RedraftError
from redraft.measure.rows import read_manifest_rows
from redraft.measure.sets.public import before_and_after

TIDY, CARELESS = "tidy", "careless"
_ACCEPTED = {"file", "blob"}


@dataclass(frozen=True)
class Answer:
    """One edit of a public history by its hashes, and an answer that tells it, as references.

    `answer_blob` is the hash of the answer. `tidy`: how a writer wrote it, None for a sketch by rules, whose style is
    its `manner`. `accepted`: other files that the answer may mean, each as references and hash. `as_data`: a file that
    holds the same data is right, too.
    """

    id: str
    repository: str
    commit: str
    path: str
    before_blob: str
    after_blob: str
    language: str
    license: str
    tidy: bool | None
    manner: str
    instruction: str
    answer: list[Part]
    answer_blob: str
    accepted: list[dict[str, Any]]
    abilities: list[str]
    as_data: bool

    def __post_init__(self) -> None:
        if any(type(one) is not dict or one.keys() != _ACCEPTED for one in self.accepted):
            raise RedraftError("bad value of accepted")


@dataclass(frozen=True)
class AnswerTask:
    """An answer with its texts; as a dict, an input line of `redraft batch`."""

    id: str
    path: str
    original: str
    update: str
    instruction: str
    expected: str
    accepted: list[str]
    as_data: bool
    language: str
    style: str
    manner: str
    tidy: bool | None
    abilities: list[str]


def stored(written: Written) -> Answer:
    """What was written, without the lines of the file."""
    edit, known = written.edit, {field.name for field in fields(Answer)}
    return Answer(
        id=written.id,
        **{name: value for name, value in asdict(edit).items() if name in known},
        tidy=written.tidy,
        manner=written.manner,
        instruction=written.instruction,
        answer=refer(written.answer, edit.before, edit.after),
        answer_blob=blob_hash(written.answer.encode(), edit.before_blob),
        accepted=[
            {"file": refer(text, edit.before, edit.after), "blob": blob_hash(text.encode(), edit.before_blob)}
            for text in written.also
        ],
        abilities=list(written.abilities),
        as_data=written.as_data,
    )


def read_answers(path: Path) -> list[Answer]:
    """The answers of a manifest, one JSON object a line; raises RedraftError for a bad one and for none."""
    return read_manifest_rows(path, Answer, "an answer")


def write_answers(path: Path, answers: Iterable[Answer]) -> None:
    """Raises RedraftError where the file cannot be written."""
    jsonl.write(path, map(asdict, answers))


def put_together(answers: Sequence[Answer], clones: Path) -> Iterator[AnswerTask]:
    """The tasks in the order of the answers; raises RedraftError that names the missing clones, or the failing one."""
    for one, (before, after) in zip(answers, before_and_after(answers, clones), strict=True):
        answer = _whole(one, "the answer", one.answer, one.answer_blob, before, after)
        also = [_whole(one, "an accepted file", file["file"], file["blob"], before, after) for file in one.accepted]
        yield AnswerTask(
            id=one.id,
            path=one.path,
            original=before,
            update=answer,
            instruction=one.instruction,
            expected=after,
            accepted=also,
            as_data=one.as_data,
            language=one.language,
            style=one.manner if one.tidy is None else TIDY if one.tidy else CARELESS,
            manner=one.manner,
            tidy=one.tidy,
            abilities=one.abilities,
        )


def _whole(one: Answer, what: str, parts: Sequence[Part], blob: str, before: str, after: str) -> str:
    try:
        text = resolve(parts, before, after)
    except RedraftError as error:
        raise RedraftError(f"{one.id}: {error}") from error
    if (digest := blob_hash(text.encode(), blob)) != blob:
        raise RedraftError(f"{one.id}: {what} hashes to {digest}, not to {blob}")
    return text
