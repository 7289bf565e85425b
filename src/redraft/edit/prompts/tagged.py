"""In: a request. Out: the prompt with the tags that open FastApply models were trained on."""

from redraft.edit.prompts.prompt import Format, Part, Prompt
from redraft.edit.prompts.sources import sources
from redraft.edit.request import Message, Request

_SYSTEM = "You are a coding assistant that helps merge code updates, ensuring every modification is fully integrated."
_TASK = """Merge all changes from the <update> snippet into the <code> below.
- Preserve the code's structure, order, comments, and indentation exactly.
- Output only the updated code, enclosed within <updated-code> and </updated-code> tags.
- Do not include any additional text, explanations, placeholders, ellipses, or code fences.
"""
_OPENING, _CLOSING = "<updated-code>", "</updated-code>"


class TaggedTemplate:
    """`<code>` and `<update>` in, `<updated-code>` out (Kortix FastApply)."""

    name = "fastapply"
    output_format: Format = "whole"

    def prompt(self, request: Request, prediction: str | None) -> Prompt:
        update = "\n".join(filter(None, (request.instruction, request.update)))
        text = (
            f"{_TASK}\n<code>{request.original}</code>\n\n<update>{update}</update>\n\n"
            "Provide the complete updated code.\n"
        )
        return Prompt(
            parts=(Part(_OPENING),),
            sources=sources(request, prediction, _CLOSING),
            stop=(_CLOSING,),
            messages=(Message("system", _SYSTEM), Message("user", text)),
        )
