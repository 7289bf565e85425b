"""In: the sentences of an answer. Out: the same without what nobody reads: long runs of blanks, words without an end.

What reads sentences looks for words; a pattern may take the square of the time for a run of one kind of signs, and
cannot be interrupted meanwhile.
"""

import re

_LONGEST = 200  # signs of a word that are read; longer ones are data
_CUT = (
    re.compile(rf"(\S{{{_LONGEST}}})\S+"),
    re.compile(r"([ \t]{40})[ \t]+"),  # more than code is indented or aligned by
    re.compile(r"(\n{3})\n+"),
)


def legible(text: str) -> str:
    """Sentences with so many letters, blanks or line breaks in a row at most."""
    for run in _CUT:
        text = run.sub(r"\1", text)
    return text
