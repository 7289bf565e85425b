"""In: chat messages. Out: the answers of an OpenAI-compatible endpoint, each asked for once and kept in a file."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from threading import Lock

from redraft.edit import jsonl
from redraft.edit.request import Message
from redraft.engines.endpoint import Client, Endpoint, NoAnswerError, content
from redraft.errors import RedraftError


class Answers:
    """Answers by request in a file of JSON lines, `key`, `model` and `content`; each is there as soon as it came.

    Raises RedraftError where the file cannot be read or written. A last line that was cut off is asked for again.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._lock = path, Lock()
        self._known: dict[str, str] = {}
        jsonl.drop_torn(path)
        for number, line in jsonl.read_lines(path) if path.exists() else ():
            try:
                row = jsonl.parse(line)
                self._known[row["key"]] = jsonl.text(row, "content")
            except (RedraftError, KeyError) as error:
                raise RedraftError(f"{path}:{number} is no answer that was kept: {error}") from error

    def __len__(self) -> int:
        return len(self._known)

    def get(self, key: str) -> str | None:
        return self._known.get(key)

    def add(self, key: str, model: str, content: str) -> None:
        with self._lock:
            self._known[key] = content
            jsonl.append(self._path, [{"key": key, "model": model, "content": content}])


class Chat:
    """Asks an endpoint, from several threads if need be; `failures` counts by reason what was not answered."""

    def __init__(self, endpoint: Endpoint, answers: Answers) -> None:
        self._model, self._client = endpoint.model, Client(endpoint)
        self._answers, self._lock = answers, Lock()
        self.failures = Counter[str]()
        self.asked = 0

    def ask(self, messages: Sequence[Message]) -> str | None:
        """The content of the answer, "" for none; None where there was no answer after all retries.

        Raises RedraftError where no request can be answered: wrong key, model or address, nothing listening.
        """
        body = {"model": self._model, "messages": [asdict(message) for message in messages]}
        key = sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
        if (known := self._answers.get(key)) is not None:
            return known
        failure, found = "", None
        try:
            found = content(self._client.post(body))
        except NoAnswerError as error:
            failure = error.reason
        with self._lock:
            self.asked += 1
            if found is None:
                self.failures[failure] += 1
        if found is not None:
            self._answers.add(key, self._model, found)
        return found
