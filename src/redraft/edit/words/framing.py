"""In: the sentences of an answer. Out: whether they only frame its code; the same sentences without courtesies."""

import re
from pathlib import PurePosixPath

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
_CODE = re.compile(r"`[^`\s]+`")
_WORDS = """
    a about above after again all also and another any anything are as at be before below block blocks but by can
    change changed changes code complete contents current currently do does done down each edit edited edits else
    entire everything exactly explain few file files final finally find first follow following follows for from full
    further go goes good have here here's how i i'd i'll i've if in into is it it's its know last let like made make
    makes me modification modifications modified modify more need needed needs new next no not nothing now of ok okay
    old on one ones only or original other others otherwise part parts patch piece place please previous questions
    replace replaces rest result same second section see should show shows snippet snippets so some stay stays sure
    that that's the them then there there's these they thing things third this those to unchanged untouched
    update updated updates use version want was way were what where which will with would you you'd you're your
"""
_FRAMING = frozenset(_WORDS.split())
_COURTESY = re.compile(
    r"\W*(?:(?:great|good|nice) (?:question|idea|catch|point|code|job)|enjoy|happy coding|please review|step \d+"
    r"|(?:the )?(?:solution|changes|edits)|(?:now |then )?(?:re-?)?run (?:the|your) tests?(?: again)?"
    r"|thanks(?: for [^`]*)?"
    r"|(?:i )?hope [^`]*helps[^`]*|(?:please )?let me know [^`]*|(?:feel free|don['\u2019]t hesitate) to [^`]*"
    r"|i (?:have not|haven['\u2019]t|have) (?:run|tested) [^`]*|would you like [^`]*"
    r"|(?:this|it) makes the code (?:easier|simpler|cleaner)[^`]*)\W*",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^\n.!?:]+(?:[.!?:](?!\s|$)[^\n.!?:]*)*[.!?:]*[ \t]*", re.MULTILINE)
_SUBJECTS = "here here's below i i'll i'd i've we we've let let's this that that's these those you to based looking the"
_HELLO = """
    sure certainly absolutely course of ok okay alright perfect hi hello there yes done great good got it understood no
    problem worries happy help welcome thanks
"""
_SHOWS = """
    a all and are as asked at be both by can change changed changes code do easy edit edits everything expected file
    files fix follow following follows for gives have how in is keeps kept leaves left made make makes minimal
    modification modifications modified necessary need needed needs on one only please request required should
    simple small snippet so solution three two understand update updated updates version want wanted was way what
    with work works would your
"""
_GREETINGS = frozenset(_HELLO.split())
_OPENING = _GREETINGS.union(_SUBJECTS.split())
_PRESENTING = _OPENING.union(_SHOWS.split())


def without_courtesies(prose: str, path: str = "") -> str:
    """The sentences without those that say nothing of any code, whatever it is: greetings, offers, "here is the change
    for `a.py`" of the file at the path itself."""
    return _SENTENCE.sub(lambda found: "" if _is_courtesy(_unnamed(found[0], path)) else found[0], prose)


def _is_courtesy(sentence: str) -> bool:
    if _COURTESY.fullmatch(sentence.strip()):
        return True
    words = [word.lower().replace("\u2019", "'") for word in _WORD.findall(sentence)]
    if not words or _CODE.search(sentence) or any(each.isdigit() for each in sentence):
        return False
    return _GREETINGS.issuperset(words) or (words[0] in _OPENING and _PRESENTING.issuperset(words))


def _unnamed(prose: str, path: str) -> str:
    """The sentences without the file's name."""
    name = PurePosixPath(path.replace("\\", "/")).name
    return prose.replace(path, " ").replace(name, " ") if name else prose


def is_framing(prose: str, path: str = "") -> bool:
    """Whether sentences hold only words that present code, and perhaps the file's name."""
    said = _unnamed(prose, path)
    return _CODE.search(said) is None and all(
        word.lower().replace("\u2019", "'") in _FRAMING for word in _WORD.findall(said)
    )
