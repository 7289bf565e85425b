"""In: an answer, and a file before and after. Out: the first sentence that orders a change which nothing shows.

"I also set the baud rate to 115200." Who reads the blocks alone writes a file that lacks it. Sentences in front of a
block speak of it, and those that only might be meant, that say what stays, or that speak of other files order nothing.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, filterfalse, pairwise

from msgspec import Struct

from redraft.edit.align.likeness import form, overlap, tokens
from redraft.edit.answer.answer import Answer
from redraft.edit.text.changes import line_changes, split_lines
from redraft.edit.text.lines import bare
from redraft.edit.words import Known
from redraft.edit.words.sentences import SIGN, Sentence, sentences

_DO = (
    r"(?:remove|delete|drop|rename|replace|move|add|insert|put|set|change|switch|bump|make(?! sure)|use|update|swap"
    r"|raise|lower|turn|convert|annotate|mark|merge|inline|adjust|give|define|initiali[sz]e|wrap|pass|take|write|list"
    r"|include|import|extend|name)\b"
)
_DONE = (
    r"(?:removed|deleted|dropped|renamed|replaced|moved|added|inserted|set|changed|switched|bumped|made|updated|swapped"
    r"|raised|lowered|turned|converted|annotated|marked|merged|inlined|adjusted|gave|defined|took|threw|wrapped)\b"
)
_ALSO = (
    r"(?:(?:also|just|then|now|simply|please|so|and|finally|additionally|lastly|next|likewise|similarly|afterwards"
    r"|after that|in addition|besides|remember to|be sure to|you(?:'ll)?(?: (?:will|also|then|still))*"
    r" (?:need to|have to|should|must|want to))\W+)*"
)
_BIDDEN = re.compile(
    rf"^\W*{_ALSO}(?:you(?:'ll)?\s+(?:will\s+|also\s+|then\s+)?can\s+)?{_ALSO}{_DO}"
    rf"|\b(?:and|should|must|can|please)\s+{_ALSO}{_DO}|\b(?:I|we)(?:'ve|\s+have)?\s+{_ALSO}{_DONE}",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"\b(?:is|are|was|were|has been|have been|can be|should be|must be|gets?)\s+(?:now\s+|also\s+|all\s+)?"
    rf"(?:{_DONE}|gone\b)"
    r"|\b(?:goes|go|gone|disappears?)(?:\s+(?:as well|too|away|entirely|and\b.*))?\W*$|\bcan\s+(?:now\s+|also\s+)?go\b"
    r"|\b(?:becomes?|gets|now\s+(?:returns?|uses?|takes?|prints?)|is\s+(?:just|now|called)|do the same"
    r"|should be(?:come)?|same\s+(?:change|treatment|goes|(?:[\w-]+\s+)?(?:on|for|in|to|with|at))|likewise)\b"
    r"|\b(?:callers?|both|each)\b.*\b(?:should|must|ha(?:s|ve) to|needs? to)\b",
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
_PERHAPS = re.compile(r"\b(?:if|unless|in case)\b|\?\W*$", re.IGNORECASE)
_FILE_NAME = re.compile(r"(?<![\w./-])(?!i\.e\b|e\.g\b)(?:[\w./-]*\w)?\.[a-z]{1,5}\b(?!\()|\bREADME\b")
_REMINDER = re.compile(r"(?i)\b(?:don't|do not) forget to\s+")
_CLAUSE = re.compile(r"[,;:(\u2013\u2014]\s*")
_NUMBER = re.compile(r"\b\d{2,}(?:\.\d+)?\b")
_BECOMING = re.compile(
    r"(?:\b(?:set|chang|bump|rais|lower|switch|updat|renam|convert|increas|decreas|reduc)\w*\b.*\bto"
    rf"|\breplac\w*\b.*\b(?:by|with)|{SIGN}\s*(?:\u2192|->|=>))\s+({SIGN})",
    re.IGNORECASE,
)
_CALL = re.compile(r"\((?:\.{3}|\u2026)?\)$")
_USED = re.compile(  # what follows is how the code is used, or what it does
    r"\b(?:can|could|would|might|may|callers? (?:then|now|can|have)"
    r"|calling|gives|works?|returns?|raises?|throws?|try|runs?|use it|your|visit"
    r"|means|makes?|prints?|keeps?|needs|result|e\.g\.|alternatively|I'd|if|install)\b|^\W*(?:this|call|apply)\b",
    re.IGNORECASE,
)
_DELETES = re.compile(r"\b(?:remove|delete|drop)\b", re.IGNORECASE)
_STATEMENT = re.compile(
    r"[={;]|\|>|->|\([^)]|<\w+(?:\.\w+>|\s)|^(?:import|use|using|from|export|return|raise|throw) "
    r"|^(?:- )?(?!\w*(?:Error|Exception|Warning)\b)[\w.\"'-]+: \S|^- \w"
)
_PLACED = re.compile(rf"^\W*{SIGN}\W+(?:between|above|below|under|after|before|at|in|to|too|please)\b", re.IGNORECASE)
_THERE = (
    r"(?:(?:in|at|on|inside|within|for|to|below|above|under|before|after|where|when|because|since|as)\b"
    r"[^,;:]{1,60}[,;:]\s*)?"
)
_EDIT = (
    r"(?:rename|replace|move|add|insert|append|prepend|put|set|change|switch|bump|make(?! sure)|use"
    r"|update|swap|raise|lower|turn|convert|annotate|mark|merge|inline|adjust|give|define|declare|initiali[sz]e|wrap"
    r"|pass|take|include|import|list|write|say|name|type|extend|apply(?! (?:it )?with)|extract|pull|shorten"
    r"|simplify|do)\b"
    r"(?!\s+(?:it|this|that|these|them)\b)"
)
_BIDS = re.compile(
    rf"^(?:(?!{SIGN})\W)*{_ALSO}{_THERE}{_ALSO}{_EDIT}|[,;:]\s+(?:and\s+)?(?:also\s+|then\s+)?{_EDIT}"
    rf"|\band\s+(?:also\s+|then\s+)?{_EDIT}"
    rf"|\b(?:must|needs? to)\s+(?:also\s+|now\s+|then\s+)?(?:be(?:come)?\b|{_EDIT})"
    r"|\b(?:can|should)\s+(?:also\s+|now\s+|then\s+)?(?:go|disappear|be (?:removed|deleted|dropped))\b",
    re.IGNORECASE,
)
_HEDGED = re.compile(
    r"\b(?:would|might|may|could|optional(?:ly)?|later|already|unless|if|not|never|unchanged|untouched|stays?|keeps?|kept"
    r"|you can|nothing|no (?:other|more)|in short)\b|n't\b|^\W*only (?:this|that|these|those|the)\b"
    r"|\bwith (?:this|that|the above)(?: (?:one|version|code))?\W*$",
    re.IGNORECASE,
)
_BRINGS = re.compile(
    rf"\b(?:add|use|include|import|insert|append|put|write|say)\s+(?:(?:a|an|the|new|another|just|only)\s+){{0,2}}({SIGN})"
    r"(?=\W*$|\s*[.,;:]|\s+(?:at|in|above|below|under|after|before|as|and|inside|too)\b)",
    re.IGNORECASE,
)
_NEW_NUMBER = re.compile(
    r"\b(?:set|change|bump|raise|lower|switch|use)\b[^.]*?(?<![\w.])(\d\d+)(?![\w.])[^.]* instead of \d", re.IGNORECASE
)
_ELSEWHERE = re.compile(r"\b(?:in|to|into|inside|of|from|your|with)\s+(?:the |your )*`?$", re.IGNORECASE)
_MORE = re.compile(r"\b(?:also|too|as well|ha(?:ve|s) to|must|should|needs?|gets?|goes|becomes?)\b", re.IGNORECASE)
_THEN = re.compile(r"\b(?:now|then|after(?:wards| that)|becomes?|example|visiting|produces)\b|\|", re.IGNORECASE)
_COMMAND = re.compile(r"[a-z][\w./-]* ")
_DOTS = re.compile(r"\.{3}|\u2026")
_NEEDS = re.compile(r"^\W*(?:also |it |that |this )*needs\b", re.IGNORECASE)
_ITS_END = re.compile(r"^\W*(?:so |just |please )*(?:remove|delete|drop|lose) (?:it|them|that)\b", re.IGNORECASE)
_FIRST = re.compile(r"[#@]?[\w.-]+")
_SETTING = re.compile(r"([\w.:-]*\w)\s*[:=]\s*[^\s:=].*")
_ALIKE = 0.6  # of two lines, from which one that words quote is the other's new version
_SHORTEST = 2  # characters of what is quoted


def unheard(answer: Answer, original: str, output: str) -> str | None:
    """None where each order is one that a block shows something of, or that touches what it names.

    Code that the words quote as a statement stands somewhere, and where all that changes is what blocks show, no
    sentence beside them bids anything else.
    """
    if not answer.prose.strip():
        return None
    return next((sentence.text for sentence in _unheard(answer, _seen(answer, original, output))), None)


class _Seen(Struct, frozen=True):
    """`file` before, what an answer shows or a change touches, both and the output without white space, and whether
    all that comes is shown."""

    file: str
    touched: str
    whole: str
    is_all_shown: bool

    def is_new(self, name: str) -> bool:
        return name not in self.touched and name not in self.file

    def is_untouched(self, names: Sequence[str]) -> bool:
        """Whether there are some, and nothing is done to any."""
        return bool(names) and not any(name in self.touched for name in names)


def _seen(answer: Answer, original: str, output: str) -> _Seen:
    before, after = split_lines(original), split_lines(output)
    lines = [line.text for line in answer.lines]
    changes = line_changes(before, after)
    come = [list(filter(str.strip, after[each.after_start : each.after_end])) for each in changes]
    gone = [line for each in changes for line in before[each.start : each.end]]
    shown = frozenset(map(form, lines))
    is_all_shown = all(those and shown.issuperset(map(form, those)) for those in come)
    whole = bare("\n".join((original, output, *lines)))
    return _Seen(original, "\n".join((*lines, *gone, *chain(*come))), whole, is_all_shown)


def _unheard(answer: Answer, seen: _Seen) -> Iterator[Sentence]:
    words = [*((block.prose, -1) for block in answer.blocks), (answer.after, None)]
    for prose, end in words:  # the last sentence above a block speaks of that
        said = [*sentences(prose, Known())]
        yield from (each for each in said if _quotes_what_is_not(each, seen))
        yield from (each for each in said[:end] if _is_unheard(each, seen))
        yield from (it for what, it in pairwise(said[:end]) if _ITS_END.search(it.said) and _is_kept(what, seen))
    for each in _behind_blocks(answer):
        if (seen.is_all_shown and _bids(each)) or _names_what_is_not(each, seen.whole):
            yield each


def _behind_blocks(answer: Answer) -> Iterator[Sentence]:
    """What is said behind a block and not right above the next one, headings left out: no block shows what it bids."""
    for block in answer.blocks[1:]:
        behind = sentences(block.prose.rstrip().rpartition("\n\n")[0], Known())
        yield from (each for each in behind if each.text.rstrip().endswith((".", "!")))
    yield from sentences(answer.after, Known())


def _is_kept(sentence: Sentence, seen: _Seen) -> bool:
    """Whether what a sentence speaks of is in the file, and nothing is done to it."""
    names = [name for name in _named(sentence, sentence.said) if name in seen.file]
    return seen.is_untouched(names)


def _quotes_what_is_not(sentence: Sentence, seen: _Seen) -> bool:
    """Whether a statement is quoted that neither file, nor answer, nor output has, or a new version of a line; what a
    sentence begins with is what it speaks about."""
    said, whole = sentence.said, seen.whole
    plain = " ".join(filterfalse(_HEDGED.search, _CLAUSE.split(said)))
    new = (quote.text for quote in sentence.quotes_in(plain) if bare(quote.text) not in whole)
    if any(_is_version(text, seen.file) for text in new):
        return True
    if _USED.search(_NEEDS.sub("", said)):
        return False
    if (number := _NEW_NUMBER.search(said)) and number[1] not in whole:
        return True
    orders = () if _speaks_of_others(sentence) else (_BECOMING, _BRINGS)
    brought = "".join(match[1] for order in orders for match in order.finditer(said))
    return any(bare(text) not in whole for text in (*_named(sentence, brought), *_statements(sentence)))


def _statements(sentence: Sentence) -> list[str]:
    """What a sentence quotes that is a statement; what it begins with only where a place follows."""
    said = sentence.said if _PLACED.search(sentence.said) else sentence.said.lstrip()[1:]
    texts = (quote.text for quote in sentence.quotes_in(said))
    return [text for text in texts if _STATEMENT.search(text) and not _DOTS.search(text)]


def _is_version(text: str, file: str) -> bool:
    """Whether a statement that is quoted is much like a line of the file that begins with the same word, or sets what
    is set there."""
    setting = _SETTING.fullmatch(text)
    if setting and re.search(rf"(?<![\w.:-]){re.escape(setting[1])}\s*[:=]", file):
        return True
    first = _FIRST.match(text)
    if first is None or text == first[0] or _DOTS.search(text):
        return False
    lines = (line.strip().rstrip(";,") for line in file.split("\n"))
    return any(line.startswith(first[0]) and overlap(tokens(line), tokens(text)) >= _ALIKE for line in lines)


def _names_what_is_not(sentence: Sentence, whole: str) -> bool:
    """Whether something is quoted, no command and no file, that stands nowhere."""
    said = sentence.said
    is_more = _MORE.search(said) and not _speaks_of_others(sentence)
    if not is_more or any(each.search(said) for each in (_USED, _HEDGED, _THEN)):
        return False
    names = (name for name in _behind_the_first_sign(sentence) if bare(name) not in whole)
    return any(not (_COMMAND.match(name) or _FILE_NAME.fullmatch(name) or _DOTS.search(name)) for name in names)


def _behind_the_first_sign(sentence: Sentence) -> list[str]:
    """What a sentence quotes, but for what it begins with."""
    return [quote.text for quote in sentence.quotes_in(sentence.said.lstrip()[1:])]


def _bids(sentence: Sentence) -> bool:
    """Whether a sentence bids an edit of this file, and leads to no block."""
    said = sentence.said
    if said.rstrip().endswith(":") or _speaks_of_others(sentence):
        return False
    return any(_BIDS.search(clause) for clause in (said, *_CLAUSE.split(said)) if not _HEDGED.search(clause))


def _speaks_of_others(sentence: Sentence) -> bool:
    """Whether a sentence says that something is in a file that it names: that is seldom this one."""
    return any(_ELSEWHERE.search(sentence.text[: name.start()]) for name in _FILE_NAME.finditer(sentence.text))


def _is_unheard(sentence: Sentence, seen: _Seen) -> bool:
    said = sentence.said
    is_of_others = any(name not in seen.file for name in _FILE_NAME.findall(sentence.text))
    if said.endswith(":") or _PERHAPS.search(said) or is_of_others:
        return False
    if needed := _needed(sentence):
        return seen.is_new(needed[0])  # what is quoted behind it is what that is for
    return not _OF_A_BLOCK.search(said) and _is_undone(sentence, seen)


def _needed(sentence: Sentence) -> list[str]:
    """What a sentence says that the reader needs."""
    clause = _CLAUSE.split(sentence.said)[0]
    return _named(sentence, clause) if _NEEDED.search(clause) and not _NO_ORDER.search(clause) else []


def _is_undone(sentence: Sentence, seen: _Seen) -> bool:
    """Whether what the clauses of a sentence order to come is new, or all that they speak of is left alone."""
    said = sentence.said
    clauses = [*filterfalse(_NO_ORDER.search, _CLAUSE.split(_REMINDER.sub("", said)))]
    bidden, reported = (" ".join(filter(order.search, clauses)) for order in (_BIDDEN, _ORDER))
    becoming = "".join(match[1] for each in clauses if (match := _BECOMING.search(each)))
    if any(name not in seen.touched for name in _named(sentence, becoming)):
        return True
    named = _named(sentence, bidden + reported) or _named(sentence, said if bidden else "")
    is_more = bidden and not _DELETES.search(said) and not _USED.search(said)
    if is_more and any(map(seen.is_new, named)):
        return True
    is_of_file = any(name in seen.file for name in named)
    return seen.is_untouched(named if is_of_file else _NUMBER.findall(re.sub(SIGN, " ", bidden)))


def _named(sentence: Sentence, clause: str) -> list[str]:
    """What a clause quotes, without the brackets of calls."""
    names = (_CALL.sub("", quote.text) for quote in sentence.quotes_in(clause))
    return [name for name in names if len(name) >= _SHORTEST]
