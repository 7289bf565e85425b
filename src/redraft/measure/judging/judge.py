"""In: outputs of edits and an OpenAI-compatible endpoint. Out: a model's rating of each, 1 to 5, with its reason."""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from itertools import count, islice, product
from pathlib import Path
from random import Random
from string import ascii_uppercase
from typing import Any

from redraft.edit.guard.check import WRITTEN
from redraft.edit.prompts.fence import fence
from redraft.edit.prompts.sources import with_final_newline
from redraft.edit.request import Message, Request
from redraft.engines.endpoint import Client, Endpoint, NoAnswerError, content
from redraft.errors import RedraftError
from redraft.measure.accuracy.outcome import Outcome
from redraft.measure.cases import Case
from redraft.measure.judging.verdict import Verdict, Verdicts, digest

GUIDELINES = Path(__file__).with_name("guidelines.md")
_JSON = json.JSONDecoder(strict=False)
_SCORE = re.compile(r"([1-5])(?:\.0)?(?: ?/ ?5)?")
_SHOWN = 200


@dataclass(frozen=True)
class Question:
    """What a judge is to look at: an edit, and by system what came out of it."""

    id: str
    request: Request
    outputs: Mapping[str, str]


def questions(cases: Iterable[Case], outcomes: Iterable[Outcome]) -> list[Question]:
    """A question for each case that some system wrote an output for; raises RedraftError for one that there is not.

    What is refused is not judged: it leaves the file as it was.
    """
    known = {case.id: case for case in cases}
    outputs: dict[str, dict[str, str]] = {}
    for outcome in outcomes:
        if outcome.id not in known:
            raise RedraftError(f"the cases have no {outcome.id}, which {outcome.system} was run on")
        text = known[outcome.id].expected if outcome.exact else outcome.output
        if outcome.status in WRITTEN and text is not None:
            outputs.setdefault(outcome.id, {})[outcome.system] = text
    return [Question(name, known[name].request, texts) for name, texts in outputs.items()]


class Judge:
    """A model at an endpoint that rates outputs by the guidelines, at temperature 0; its verdicts are kept in a file.

    The different outputs of a case are shown together, in an order that the seed decides; equal ones are shown once.
    """

    def __init__(self, endpoint: Endpoint, verdicts: Verdicts, seed: int = 0) -> None:
        self._client, self.verdicts = Client(endpoint), verdicts
        self._model, self._seed = endpoint.model, seed
        self._guidelines = GUIDELINES.read_text(encoding="utf-8")

    def rate(self, asked: Sequence[Question], parallel: int = 4) -> Iterator[str]:
        """For each question in turn "", or which of its outputs got no verdict and why; the others have one then.

        Raises RedraftError where no question can be answered, and where a verdict is there on another output.
        """
        with ThreadPoolExecutor(parallel) as threads:
            yield from threads.map(self._rate, asked)

    def _rate(self, question: Question) -> str:
        systems = self._open(question)
        if not systems:
            return ""
        candidates = _ordered({question.outputs[system] for system in systems}, f"{self._seed} {question.id}")
        try:
            answer = self._ask(_messages(self._guidelines, question.request, candidates))
        except NoAnswerError as error:
            return f"{question.id}: no rating of {', '.join(systems)}: {error}"
        labels = dict(zip(_labels(len(candidates)), candidates, strict=True))
        found = {labels[label]: rating for label, rating in _ratings(answer, labels).items()}
        order = tuple(map(digest, candidates))
        self.verdicts.add(
            [
                Verdict(question.id, system, self._model, *found[text], digest(text), order, answer)
                for system, text in systems.items()
                if text in found
            ]
        )
        left = [system for system, text in systems.items() if text not in found]
        said = " ".join(answer.split())[:_SHOWN]
        return f"{question.id}: no rating of {', '.join(left)}: the answer is {said!r}" if left else ""

    def _ask(self, messages: Sequence[Message]) -> str:
        asked = [asdict(message) for message in messages]
        return content(self._client.post({"model": self._model, "messages": asked, "temperature": 0}))

    def _open(self, question: Question) -> dict[str, str]:
        """The outputs, by system, to ask about; one that equals an output with a verdict shares that."""
        known = dict(self.verdicts.of(question.id, self._model))
        by_output = {verdict.output: verdict for verdict in known.values()}
        for system, text in question.outputs.items():
            if system in known and known[system].output != digest(text):
                raise RedraftError(
                    f"{self.verdicts.path} holds a verdict on another output of {system} for {question.id}: "
                    "judge these records into another file"
                )
        left = {system: text for system, text in question.outputs.items() if system not in known}
        shared = {system: by_output[digest(text)] for system, text in left.items() if digest(text) in by_output}
        self.verdicts.add([replace(verdict, system=system) for system, verdict in shared.items()])
        return {system: text for system, text in left.items() if system not in shared}


def _ordered(texts: Collection[str], seed: str) -> list[str]:
    """The texts in random order; the same for the same texts and seed."""
    return Random(seed).sample(sorted(texts), len(texts))


def _labels(size: int) -> list[str]:
    """A to Z, then AA, AB and so on."""
    every = ("".join(letters) for length in count(1) for letters in product(ascii_uppercase, repeat=length))
    return list(islice(every, size))


def _messages(guidelines: str, request: Request, candidates: Sequence[str]) -> list[Message]:
    ticks = fence(request.original, request.update, request.instruction, *candidates)
    paragraphs = [f"The file {request.path}".rstrip() + ":", _file(ticks, request.original)]
    paragraphs += [f"{turn.role}: {turn.content}" for turn in request.conversation]
    if request.instruction:
        paragraphs.append(f"The edit, in words: {request.instruction}")
    if request.update:
        paragraphs += ["The edit:", _block(ticks, request.update)]
    labels = _labels(len(candidates))
    for label, text in zip(labels, candidates, strict=True):
        paragraphs += [f"Candidate {label}:", _file(ticks, text)]
    shape = ", ".join(f'"{label}": {{"reason": "...", "score": ...}}' for label in labels)
    paragraphs.append(f"Rate each candidate from 1 to 5. Answer with one JSON object: {{{shape}}}")
    return [Message("system", guidelines), Message("user", "\n\n".join(paragraphs))]


def _block(ticks: str, text: str) -> str:
    return f"{ticks}\n{with_final_newline(text)}{ticks}"


def _file(ticks: str, text: str) -> str:
    """What the fences hide is said."""
    return _block(ticks, text) + ("" if text.endswith("\n") else "\n(no newline at the end of the file)")


def _ratings(answer: str, labels: Collection[str]) -> dict[str, tuple[int, str]]:
    """Score and reason by label, of all JSON objects in an answer; the last rating of a label holds."""
    found = {}
    for fields in _objects(answer):
        for name, value in fields.items():
            label = name.upper().removeprefix("CANDIDATE").strip()
            if label in labels and (rating := _rating(value)):
                found[label] = rating
    return found


def _rating(value: Any) -> tuple[int, str] | None:
    if not isinstance(value, dict) or not (score := _SCORE.fullmatch(str(value.get("score")).strip())):
        return None
    return int(score[1]), str(value.get("reason") or "").encode("utf-8", "replace").decode()


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects that stand in a text, which may be a Markdown answer with prose and fences around them."""
    start = text.find("{")
    while start >= 0:
        end = start + 1
        try:
            fields, end = _JSON.raw_decode(text, start)
            yield fields
        except (ValueError, RecursionError):
            pass
        start = text.find("{", end)
