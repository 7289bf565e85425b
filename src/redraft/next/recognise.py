"""In: any prompt. Out: what an editor means by it, None for plain text."""

from collections.abc import Iterator
from dataclasses import replace

from redraft.edit.prompts.prompt import Prompt
from redraft.engines import Chunk, Engine, Marking, Sampling
from redraft.next import fim, sweep, zeta
from redraft.next.recognised import Has, Recognised
from redraft.next.statement import first_statement

_TEMPLATES = (fim.read, sweep.read, zeta.read)


def recognise(prompt: str, has: Has) -> Recognised | None:
    """Raises TemplateError for a prompt of a known template that is broken, or whose tokens the model lacks."""
    return next((found for read in _TEMPLATES if (found := read(prompt, has)) is not None), None)


def tokens_of(engine: Engine) -> Has:
    """Whether the model of an engine has a special token; of one that does not say, those of templates."""
    if isinstance(engine, Marking):
        return engine.has_token
    return frozenset((*fim.ENDS, *zeta.TOKENS)).__contains__


def asked(found: Recognised, engine: Engine, sampling: Sampling) -> tuple[Prompt, Sampling]:
    """What an engine is asked; one that knows no special tokens stops at their spelling."""
    if isinstance(engine, Marking):
        return found.prompt, replace(sampling, ends=found.ends)
    ends = tuple(end for end in found.ends if end not in found.window)
    return replace(found.prompt, stop=(*found.prompt.stop, *ends)), sampling


def generated(found: Recognised, engine: Engine, sampling: Sampling) -> Iterator[Chunk]:
    """What a model makes of a prompt; of a gap the first statement."""
    chunks = engine.generate(*asked(found, engine, sampling))
    return chunks if found.behind is None else first_statement(chunks, found.behind)
