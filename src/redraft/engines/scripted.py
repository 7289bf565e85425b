"""In: the text or ids to replay. Out: an engine and a verifier that say exactly that, whatever is drafted.

For tests, documentation and benchmarks without a model. A token is a word, a run of blanks, a newline or a sign.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from redraft.draft.drafter import EditDrafter
from redraft.draft.length import VANILLA, WHOLE
from redraft.draft.loop import Targets, speculate
from redraft.edit.prompts.prompt import Part, Prompt
from redraft.edit.text.changes import changed_lines, line_changes
from redraft.engines import GREEDY, Chunk, Sampling
from redraft.engines.abandon import before_forward
from redraft.engines.chunks import chunks
from redraft.errors import RedraftError

_END = 0
_OFF_SCRIPT = -1
_NATS = 10  # that a line costs which the target has not
# The special tokens that it has: those of templates that fill gaps.
_FIM = re.compile(r"<\|(?:fim_[a-z]+|file_sep|repo_name|endoftext)\|>|<\[fim-[a-z]+\]>")
_TOKEN = re.compile(r"\n|[^\S\n]+|\w+|[^\w\s]")


class Words:
    """A vocabulary that grows with what it reads: text to ids and back, for any text."""

    def __init__(self) -> None:
        self._ids: dict[Part, int] = {}
        self._texts = [""]

    def encode(self, parts: Iterable[Part]) -> list[int]:
        """Ids of the parts; a special part is one id, that no text has, and has no text when decoded."""
        return [self._id(token) for part in parts for token in _tokens(part)]

    def decode(self, ids: Iterable[int]) -> str:
        return "".join(self._texts[i] for i in ids)

    def _id(self, token: Part) -> int:
        if token not in self._ids:
            self._ids[token] = len(self._texts)
            self._texts.append("" if token.special else token.text)
        return self._ids[token]

    def feed(self, ids: Iterable[int]) -> str:
        """A token is whole words: nothing is held back."""
        return self.decode(ids)

    def flush(self) -> str:
        return ""


def _tokens(part: Part) -> Iterable[Part]:
    return (part,) if part.special else map(Part, _TOKEN.findall(part.text))


@dataclass
class Replay:
    """A verifier that says `target` after any prompt of `prompt_tokens` ids, and nonsense after any other output."""

    prompt_tokens: int
    target: list[int]
    _fed: list[int] = field(default_factory=list)
    _right: int = 0

    def step(self, ids: Sequence[int]) -> Targets:
        before_forward()
        targets = [self._feed(i) for i in ids]
        return Targets(targets, [1.0] * len(targets))

    def rollback(self, n: int) -> None:
        assert 0 <= n <= len(self._fed)
        del self._fed[len(self._fed) - n :]
        self._right = min(self._right, len(self._fed))

    def _feed(self, token: int) -> int:
        written = len(self._fed) - self.prompt_tokens
        if self._right == len(self._fed) and (written < 0 or [token] == self.target[written : written + 1]):
            self._right += 1
        self._fed.append(token)
        following = self._right - self.prompt_tokens
        on_script = self._right == len(self._fed) and 0 <= following < len(self.target)
        return self.target[following] if on_script else _OFF_SCRIPT


@dataclass(frozen=True)
class Scripted:
    """An engine that answers every prompt with `target`, drafting from the prompt's sources like any other engine.

    It ranks a text the lower the more lines of it are not the target's.
    """

    target: str
    template: str = "chat"

    @classmethod
    def read(cls, path: str) -> "Scripted":
        """The engine that replays a file: spec `scripted:PATH`."""
        try:
            return cls(Path(path).read_bytes().decode())
        except (OSError, UnicodeDecodeError) as error:
            raise RedraftError(f"scripted engine: cannot read {path}: {error}") from error

    def generate(self, prompt: Prompt, sampling: Sampling = GREEDY) -> Iterator[Chunk]:
        if sampling.logprobs is not None:
            raise RedraftError("the scripted engine knows no log-probabilities")
        words = Words()
        prompt_ids = [_END, *words.encode(Part(message.content) for message in prompt.messages)]
        prompt_ids += words.encode(prompt.parts)
        drafter = EditDrafter([(source.origin, words.encode(source.parts)) for source in prompt.sources])
        target = [*words.encode([Part(self.target)]), _END]
        room = len(target) if sampling.max_tokens is None else sampling.max_tokens
        policy = WHOLE if sampling.speculate else VANILLA
        forwards = speculate(Replay(len(prompt_ids), target), prompt_ids, drafter, policy, (_END,), room)
        return chunks(forwards, words, prompt.stop, (_END,), room, len(prompt_ids))

    def has_token(self, text: str) -> bool:
        return _FIM.fullmatch(text) is not None

    def encode(self, text: str) -> list[int]:
        return Words().encode([Part(text)])

    def decode(self, ids: Sequence[int]) -> str:
        raise RedraftError("the scripted engine has no ids that last")

    def parts(self, ids: Sequence[int]) -> tuple[Part, ...]:
        raise RedraftError("the scripted engine has no ids that last")

    def rank(self, prompt: Prompt, texts: Sequence[str]) -> list[float]:
        target = _unfenced(self.target)
        return [-float(_NATS * changed_lines(line_changes(_unfenced(text), target))) for text in texts]


def _unfenced(text: str) -> list[str]:
    """The lines of a text without the fence that closes it: a file has none, and what is written of it has."""
    return text.rstrip("`").split("\n")
