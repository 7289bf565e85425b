"""In: a prompt and its sources in tokens, and a model's context. Out: how many tokens the output may have."""

from collections.abc import Sequence

from redraft.edit.prompts.prompt import Prompt
from redraft.errors import TooLongError

# Without `max_tokens` an output ends here, should the model never end it.
_SPARE_TOKENS = 1024


def room(
    prompt: Prompt, prompt_tokens: int, sources: Sequence[int], context: int | None, most: int | None = None
) -> int:
    """As many as are wanted (`most`), where the context holds them.

    Raises TooLongError where the likeliest output does not fit into the context.
    """
    wanted = 2 * max(sources, default=0) + _SPARE_TOKENS if most is None else most
    if context is None:
        return wanted
    needed = prompt_tokens + max(sources, default=0)
    if needed > context:
        raise TooLongError(_too_long(prompt, prompt_tokens, needed, context))
    return min(wanted, context - prompt_tokens)


def _too_long(prompt: Prompt, prompt_tokens: int, needed: int, context: int) -> str:
    message = f"too long for the model: prompt and output need {needed:,} tokens, its context holds {context:,}"
    texts = (source.parts for source in prompt.sources if source.origin == "original")
    characters = max((sum(len(part.text) for part in parts if not part.special) for parts in texts), default=0)
    if not characters:
        return message
    fits = characters * context // needed
    return f"{message} (a file of about {fits:,} characters would fit, this one has {characters:,})"
