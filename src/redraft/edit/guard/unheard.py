"""In: an answer, and a file before and after. Out: the first sentence that orders a change which nothing shows.

"I also set the baud rate to 115200." Who reads the blocks alone writes a file that lacks it. Sentences in front of a
block speak of it, and those that only might be meant, that say what stays, or that speak of other files order nothing.
"""

import re
from collections.abc import Iterator

from redraft.edit.align.likeness import overlap, tokens
from redraft.edit.answer.answer import Answer
from redraft.edit.text.changes import line_changes, split_lines
from redraft.edit.words import Known
from redraft.edit.words.sentences import SIGN, Sentence, sentences

_DO = (
    r"(?:remove|delete|drop|rename|replace|move|add|insert|put|set|change|switch|bump|make(?! sure)|use|update|swap"
    r"|raise|lower|turn|convert|annotate|mark|merge|inline|adjust|give|define|initiali[sz]e|wrap|pass|take)\b"
)
_DONE = (
    r"(?:removed|deleted|dropped|renamed|replaced|moved|added|inserted|set|changed|switched|bumped|made|updated|swapped"
    r"|raised|lowered|turned|converted|annotated|marked|merged|inlined|adjusted|gave|defined|took|threw|wrapped)\b"
)
_ALSO = r"(?:(?:also|just|then|now|simply|please|so|and|finally|additionally)\s+)*"
_BIDDEN = re.compile(
    rf"^\W*{_ALSO}(?:remember to\s+|you(?:'ll)?\s+(?:will\s+|also\s+|then\s+)?"
    rf"(?:can|need to|have to|should|must|want to)\s+)?{_ALSO}{_DO}"
    rf"|\b(?:and|should|must|can|please)\s+{_ALSO}{_DO}|\b(?:I|we)(?:'ve|\s+have)?\s+{_ALSO}{_DONE}",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"\b(?:is|are|was|were|has been|have been|can be|should be|must be|gets?)\s+(?:now\s+|also\s+|all\s+)?"
    rf"(?:{_DONE}|gone\b)"
    r"|\b(?:goes|go|gone|disappears?)(?:\s+(?:as well|too|away|entirely|and\b.*))?\W*$|\bcan\s+(?:now\s+|also\s+)?go\b"
    r"|\b(?:becomes?|gets|now\s+(?:returns?|uses?|takes?|prints?)|is\s+(?:just|now|called)|do the same"
    r"|should be(?:come)?|same\s+(?:change|treatment|goes)|likewise)\b",
    re.IGNORECASE,
)
_NO_ORDER = re.compile(
    r"\b(?:would|might|could|may|optional(?:ly)?|later|left|leaves?|kept|keeps?|stays?|still"
    r"|unchanged|untouched|never|nothing|instead of|previously|already|otherwise|when(?:ever)?|not|no)\b|n't\b",
    re.IGNORECASE,
)
_OF_A_BLOCK = re.compile(  # put these below it
    r"\b(?:this|these|it|both|they|them|the following|that|one|two|three)\b.*\b(?:after|before|below|above|under"
    r"|between|next to|at the|into?|to|inside|on top)\b"
    r"|\b(?:put|place|add|insert|paste|append)\b.*\b(?:this|these|it|them|both"
    r"|the (?:new )?(?:method|function|tests?|block|section|entry|case|option|job))\b",
    re.IGNORECASE,
)
_NEEDED = re.compile(r"(?i)^\W*(?:(?:also|and|then|note that)\W+)*you(?:'ll| will)?(?: also)? (?:need|want) (?!to\b)")
_PERHAPS = re.compile(r"\b(?:if|unless|in case)\b", re.IGNORECASE)
_FILE_NAME = re.compile(r"(?<![\w./-])(?!i\.e\b|e\.g\b)[\w./-]*\w\.[a-z]{1,5}\b(?!\()|\bREADME\b")
_REMINDER = re.compile(r"(?i)\b(?:don't|do not) forget to\s+")
_CLAUSE = re.compile(r"[,;:(\u2013\u2014]\s*")
_NUMBER = re.compile(r"\b\d{2,}(?:\.\d+)?\b")
_BECOMING = re.compile(
    rf"\b(?:set|chang|bump|rais|lower|switch|updat|renam|convert|increas|decreas|reduc)\w*\b.*\bto\s+({SIGN})", re.IGNORECASE
)
_CALL = re.compile(r"\((?:\.{3}|\u2026)?\)$")
_USED = re.compile(  # what follows is how the code is used
    r"\b(?:can|callers?|gives?|works?|returns?|try|call|use it|your|for example|e\.g\.|alternatively|I'd)\b", re.IGNORECASE
)
_ALIKE = 0.6  # from here on quoted code is a version of a line
_SIGNS = "(){}[]=;<>:"
_SHORTEST = 2  # characters of what is quoted


def unheard(answer: Answer, original: str, output: str) -> str | None:
    """None where each order is one that a block shows something of, or that touches what it names."""
    if not answer.prose.strip():
        return None
    before, after = split_lines(original), split_lines(output)
    lines = [line.text for block in answer.blocks for line in block.lines]
    for change in line_changes(before, after):
        lines += (*before[change.start : change.end], *after[change.after_start : change.after_end])
    there = "\n".join(lines)
    return next((each.text for each in _beside_blocks(answer) if _is_unheard(each, there, original)), None)


def _beside_blocks(answer: Answer) -> Iterator[Sentence]:
    for block in answer.blocks:
        yield from list(sentences(block.prose, Known()))[:-1]
    yield from sentences(answer.after, Known())


def _is_unheard(sentence: Sentence, there: str, file: str) -> bool:
    said = sentence.said
    if said.endswith(":") or _OF_A_BLOCK.search(said) or _PERHAPS.search(said):
        return False
    if any(name not in file for name in _FILE_NAME.findall(sentence.text)):
        return False
    if _NEEDED.search(said) and not _NO_ORDER.search(said) and (missing := [*_named(sentence, said)]):
        return missing[0] not in there and missing[0] not in file  # what is quoted behind it is what that is for
    clauses = [each for each in _CLAUSE.split(_REMINDER.sub("", said)) if not _NO_ORDER.search(each)]
    bidden = [each for each in clauses if _BIDDEN.search(each)]
    ordered = bidden + [each for each in clauses if _ORDER.search(each)]
    becoming = [match[1] for each in clauses if (match := _BECOMING.search(each))]
    if any(name not in there for each in becoming for name in _named(sentence, each)):
        return True
    if not _USED.search(said) and any(_is_left(name, there, file) for each in clauses for name in _named(sentence, each)):
        return True
    named = [name for each in ordered for name in _named(sentence, each)]
    named = named or (bidden and [*_named(sentence, said)])
    if bidden and any(name not in there and name not in file for name in named):
        return True
    if any(name in file for name in named):
        return not any(name in there for name in named)
    numbers = [number for each in bidden for number in _NUMBER.findall(re.sub(SIGN, " ", each))]
    return bool(numbers) and not any(number in there for number in numbers)


def _is_left(code: str, there: str, file: str) -> bool:
    """Whether code is the new version of a line of the file, and stands nowhere."""
    if not any(sign in code for sign in _SIGNS) or code in there or code in file:
        return False
    mine = tokens(code)
    return any(overlap(mine, tokens(line.strip())) >= _ALIKE for line in file.splitlines())


def _is_code(name: str) -> bool:
    """Whether what is quoted is a line of code, and no name alone."""
    return " " in name and any(sign in name for sign in _SIGNS)


def _named(sentence: Sentence, clause: str) -> Iterator[str]:
    """What a clause quotes, without the brackets of calls."""
    names = (_CALL.sub("", sentence.quote(sign).text) for sign in re.findall(SIGN, clause))
    return (name for name in names if len(name) >= _SHORTEST)
