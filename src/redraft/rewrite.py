"""In: a request, and an engine. Out: the new file as the model writes it, chunk by chunk or whole.

A model that was trained for it reads and writes the lines around what the edit touches; all others are copied.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from redraft.budget import paused
from redraft.edit.guard.runaway import Runaway
from redraft.edit.prompts.asked import ApplyTemplate
from redraft.edit.prompts.fenced import ChatTemplate
from redraft.edit.prompts.hunks import applied
from redraft.edit.prompts.prompt import Prompt
from redraft.edit.prompts.regional import RegionTemplate, regions_of
from redraft.edit.prompts.template import Template, find_template
from redraft.edit.region.shown import shown as regions_shown
from redraft.edit.request import Request
from redraft.edit.text.window import GapError, Window, near_changes, near_update, window
from redraft.engines import Chunk, Engine, Finish, Ranker, Sampling, Tokenizing, Warming
from redraft.engines.runaway import Progress, stopped
from redraft.engines.spec import Size
from redraft.errors import RedraftError
from redraft.trust import Kind

# Models that were trained for it read and write so many lines around an edit.
MARGIN = 4


@dataclass(frozen=True)
class Rewriter:
    """A model that writes files; `margin` is how many lines around an edit it is shown, 0 for all, None for a default.

    The small embedded one is confused by lines around selected ones. `progress` hears of what it writes.
    """

    engine: Engine
    template: Template
    speculate: bool = True
    margin: int | None = None
    size: Size = ""
    progress: Progress | None = None

    def shown(self, request: Request, likeliest: str | None) -> Window:
        """What the model reads and writes, given what the new file probably is."""
        margin = self.margin
        if margin is None:
            margin = MARGIN if self.template.name == ApplyTemplate.name else 0
        if not margin or not request.update.strip():
            return window(request.original, (), 0)
        expected = [text for text in (request.prediction, likeliest) if text is not None]
        near = near_update(request.original, request.update) | near_changes(request.original, expected)
        return window(request.original, near, margin)

    @property
    def reads_answers(self) -> bool:
        """Whether it reads answers as a person does, slips included: what has to be asked through a chat does."""
        return not isinstance(self.engine, Ranker)

    @property
    def kind(self) -> Kind:
        """Whose weights say how far it is trusted: those of the small model, where nobody knows the size."""
        return "large" if self.size == "large" else "small"

    @property
    def writes_regions(self) -> bool:
        return self.template.name == RegionTemplate.name

    def _writes_regions_of(self, request: Request) -> bool:
        """Of an answer; an instruction alone tells no places."""
        return self.writes_regions and bool(request.update.strip())

    def _prompt(self, request: Request, expected: str | None) -> Prompt:
        is_plain = self.writes_regions and not self._writes_regions_of(request)
        return (find_template(ChatTemplate.name) if is_plain else self.template).prompt(request, expected)

    def _with_regions(self, request: Request, chunks: Sequence[Chunk]) -> str:
        if not isinstance(self.engine, Tokenizing):
            raise RedraftError("this engine does not tell its tokens: a model that writes regions needs one that does")
        found = regions_shown(request)
        texts = regions_of(self.engine.parts([id_ for chunk in chunks for id_ in chunk.ids]), request, found)
        if texts is None:
            raise GapError("the model lost count of the stretches that it was to write anew")
        return found.file(request.original, texts)

    @property
    def around(self) -> int | None:
        """How many lines around selected ones it is shown, None for all."""
        if self.margin is None:
            return 0 if self.size == "small" else None
        return self.margin or None

    def chunks(self, request: Request, shown: Window, likeliest: str | None, sampling: Sampling) -> Iterator[Chunk]:
        """The model's output as it comes; raises RedraftError for a request that the model cannot take."""
        if not request.update.strip() and not request.instruction.strip():
            raise RedraftError("nothing to do: the update is empty and there is no instruction")
        expected = request.prediction if request.prediction is not None else likeliest
        cut = None if expected is None else shown.cut(expected)
        prompt = self._prompt(replace(request, original=shown.text), cut)
        written = self.engine.generate(prompt, replace(sampling, speculate=self.speculate and sampling.speculate))
        longest = max((cut or "", shown.text if request.update.strip() else ""), key=len)
        return unhurried(stopped(written, Runaway(longest, (shown.text, request.update)), self.progress))

    def warm(self, request: Request) -> tuple[int, int]:
        """Reads what of the file the model will probably be shown; how many ids it knows now, and knew before.

        Raises RedraftError for a file that does not fit into the model's context.
        """
        if not isinstance(self.engine, Warming) or self.writes_regions:
            return 0, 0
        shown = self.shown(request, None)
        return self.engine.warm(self.template.prompt(Request(shown.text, "", "", request.path), None))

    def file(self, request: Request, shown: Window, chunks: Sequence[Chunk]) -> str:
        """The new file that the output says.

        Raises HunkError for hunks that have no place in the old one, GapError where the model lost the lines that it
        was not shown, or count of the regions.
        """
        if self._writes_regions_of(request):
            return self._with_regions(request, chunks)
        text = "".join(chunk.text for chunk in chunks)
        if self.template.output_format == "search-replace":
            text = applied(shown.text, text)
        return _ending_like(shown.original, shown.restored(text))


def unhurried(chunks: Iterator[Chunk]) -> Iterator[Chunk]:
    """The same chunks; the time of the model is not that of the reader."""
    with paused():
        yield from chunks


def finish(chunks: Sequence[Chunk]) -> Finish:
    return chunks[-1].finish if chunks else "length"


def counts(chunks: Sequence[Chunk]) -> dict[str, Any]:
    """What a `Result` says of the work that chunks took."""
    return {
        "prompt_tokens": chunks[-1].prompt_tokens if chunks else 0,
        "completion_tokens": sum(_tokens(chunk) for chunk in chunks),
        "drafted": sum(chunk.drafted for chunk in chunks),
        "accepted": sum(chunk.accepted for chunk in chunks),
        "forwards": sum(chunk.forwards for chunk in chunks),
    }


def _tokens(chunk: Chunk) -> int:
    return len(chunk.ids) if chunk.completion_tokens is None else chunk.completion_tokens


def _ending_like(original: str, text: str) -> str:
    """The text with a final newline where the original has one; how a file ends is not the model's to change."""
    if not original or not text:
        return text
    return text.removesuffix("\n") + ("\n" if original.endswith("\n") else "")


Opener = Callable[[], Rewriter]


class Once:
    """A model that is opened when it is needed first."""

    def __init__(self, model: Opener) -> None:
        self._open, self._opened = model, list[Rewriter]()

    def __call__(self) -> Rewriter:
        if not self._opened:
            with paused():
                self._opened.append(self._open())
        return self._opened[0]
