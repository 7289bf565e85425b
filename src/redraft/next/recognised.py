"""In: a prompt as an editor sends it, and the model's special tokens. Out: the prompt as the editor means it.

Text of users never becomes a special token: a token counts only where a known template has it, and what it encloses
is text, whatever it spells.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import groupby

from redraft.edit.prompts.prompt import Part, Prompt, Source
from redraft.errors import RedraftError

Has = Callable[[str], bool]


class TemplateError(RedraftError):
    """A prompt that begins like a template and cannot be read as one, or whose tokens the model lacks."""


@dataclass(frozen=True)
class Recognised:
    """A prompt in its parts; `window` is the text that is written anew, the first of the prompt's sources.

    `ends` are the special tokens that end the answer, `about` the file that it is about, and
    `behind` the text behind the gap, None where a window is rewritten.
    """

    template: str
    prompt: Prompt
    ends: tuple[str, ...]
    window: str
    about: str
    behind: str | None = None

    @property
    def topic(self) -> str:
        """What a newer prompt of the same client shares with this one; "" where nothing tells."""
        return f"{self.template} {self.about}" if self.about else ""

    def with_stops(self, stops: tuple[str, ...], has: Has) -> "Recognised":
        """With what its client stops at: a special token ends as a token, a text that the window holds does not."""
        tokens = tuple(stop for stop in stops if has(stop))
        texts = tuple(stop for stop in stops if stop not in tokens and stop not in self.window)
        stop = tuple(dict.fromkeys((*self.prompt.stop, *texts)))
        ends = tuple(dict.fromkeys((*self.ends, *tokens)))
        return replace(self, prompt=replace(self.prompt, stop=stop), ends=ends)

    def predicted(self, sources: tuple[Source, ...]) -> "Recognised":
        """With what its client expects before what the template tells."""
        return replace(self, prompt=replace(self.prompt, sources=(*sources, *self.prompt.sources)))


def need(tokens: tuple[str, ...], template: str, has: Has) -> None:
    """Raises TemplateError for a token that the model lacks."""
    if (missing := next((token for token in tokens if not has(token)), None)) is not None:
        raise TemplateError(f"the prompt is in the format {template}, and this model has no token {missing}")


def joined(parts: Iterable[Part]) -> tuple[Part, ...]:
    """The same with runs of text as one part each, which the model's tokenizer then sees whole; no empty ones."""
    runs = groupby((part for part in parts if part.text), key=lambda part: part.special)
    return tuple(
        part
        for is_special, run in runs
        for part in (run if is_special else (Part("".join(each.text for each in run)),))
    )


def optional(text: str, token: str, has: Has) -> tuple[Part, ...]:
    """Text in which `token` is a special token where the model has it."""
    if not has(token):
        return (Part(text),)
    pieces = text.split(token)
    return tuple(part for piece in pieces for part in (Part(token, True), Part(piece)))[1:]


def once(text: str, token: str, template: str) -> int:
    """Where the token stands; raises TemplateError where it stands not once."""
    if (count := text.count(token)) != 1:
        said = f"holds no {token}" if not count else f"holds {token} {count} times, and any of them may be meant"
        raise TemplateError(f"the prompt begins like the format {template} and {said}")
    return text.index(token)
