"""In: the words of `speech.toml`. Out: the patterns of sentences that tell a change, a label or a place."""

import re
from collections.abc import Iterator
from functools import cache

from msgspec import Struct

from redraft.edit.words.directive import Verb
from redraft.edit.words.lexicon import compiled, table
from redraft.edit.words.sentences import SIGN

VERBS = ("rename", "move", "replace", "remove", "add", "keep", "change")
LABELS: tuple[Verb, ...] = ("before", "after", "example", "run", "whole", "keep")
THINGS = ("imports", "tests", "class", "file", "line")
BECOMES = "\u2192|->|=>|(?:now )?(?:becomes|turns into)|by"
_WORDS = table("speech")
_WORD = r"[^\W\d_][\w'-]*"
_BESIDE = r"(?:\s*\([^()]*\)|\s+(?:along |together )?with (?:its|their) [^,;:.()]{1,40})?"  # what goes with a name
_BREAK = rf"^(?:(?:in|under|inside|within|from)\s+(?:\w+\s+){{0,2}}?{SIGN}\s+)?|[,;:(\u2013\u2014]\s*"
_FILL = rf"(?:(?:{_WORDS['imports']}\s+{_WORDS['of']}|(?!{_WORDS['no']}(?!\w)){_WORD})\s+){{0,5}}?"
_MORE = (
    rf"(?:\s+{_WORDS['kind']})?{_BESIDE}\s*{_WORDS['and']}\s*(?:(?:{_WORDS['det']}|{_WORDS['kind']})\s+){{0,3}}"
    rf"(?:(?:{_WORDS['imports']}|{_WORDS['kind']}) {_WORDS['of']} )?"
)
_NAMES = rf"(?P<names>{SIGN}(?:{_MORE}{SIGN})*)"
_CALLED = rf"(?:\s+(?P<kind>(?:{_WORDS['kind']}|{_WORDS['part']})(?!\w)))?"
_DET = rf"(?:(?:{_WORDS['det']}|{_WORDS['kind']})\s+)*"


class Rule(Struct, frozen=True):
    """A long pattern, made when a text has what each of its `triggers` finds, without which it finds nothing."""

    name: str
    triggers: tuple[str, ...]
    pattern: str

    def found(self, text: str, first: int, last: int) -> Iterator[re.Match[str]]:
        if all(compiled(trigger).search(text, first, last) for trigger in self.triggers):
            yield from compiled(self.pattern).finditer(text, first, last)


def _whole(pattern: str) -> str:
    return rf"(?<!\w){pattern}(?!\w)"


_SPAN = (
    rf"{_whole(_WORDS['from'])}\s+{_DET}(?P<first>{SIGN})(?:\s+{_WORDS['kind']})?\s+(?:down\s+)?"
    rf"{_whole(_WORDS['through'])}\s+{_DET}(?P<last>{SIGN})"
)


@cache
def operation_rules() -> tuple[Rule, ...]:
    """What tells each verb, in groups `verb`, `names` and `kind`, what the names are called."""
    return tuple(
        Rule(verb, (_forms(verb), *triggers), pattern) for verb in VERBS for *triggers, pattern in _patterns_of(verb)
    )


def _forms(verb: str) -> str:
    """Every form of a verb."""
    others = {"remove": ("gone",), "keep": ("keep_gone",), "move": ("moves",)}.get(verb, ())
    forms = (f"{verb}_ask", f"{verb}_told", f"{verb}_done", *others)
    return _whole(f"(?:{'|'.join(_WORDS[form] for form in forms)})")


def _patterns_of(verb: str) -> Iterator[tuple[str, ...]]:
    """Patterns, each behind its triggers."""
    done, ask, reports, aux = (_WORDS[kind] for kind in (f"{verb}_done", f"{verb}_ask", f"{verb}_told", "aux"))
    lead = rf"(?:{_WORDS['lead']}[\s,]+)*"
    every = r"(?:(?:every|each)\s+)?" if verb in ("replace", "rename") else ""
    object_ = rf"(?:\s*:?\s+{every}{_FILL}{_NAMES}{_CALLED})?"
    own = rf"(?:{_BREAK}|(?<!{SIGN})\s(?:and|then)\s+){lead}"  # `and` after a name may join it to the next
    subject = rf"{own}{_FILL}{_NAMES}{_CALLED}(?:\s*\([^()]*\))?(?:{_WORDS['along']}){{0,3}},?\s+"
    reported = rf"(?:^{lead}|(?<!\w){_WORDS['we']}\s+(?:{_WORDS['lead']}\s+)*)"
    yield _whole(reports), rf"{reported}(?P<verb>{reports})(?!\w){object_}"
    yield _whole(ask), rf"(?:{_BREAK}|\s(?:and|then)\s+){lead}(?P<verb>{ask})(?!\w){object_}"
    yield SIGN, _whole(done), rf"{subject}(?:{_WORDS['idle']}\s+)?{aux}\s+(?P<verb>{done})(?!\w)"
    yield ":", SIGN, _whole(done), rf"{aux}\s+(?P<verb>{done})\s*:\s*{_FILL}{_NAMES}{_CALLED}"
    if verb == "remove":
        none = r"(?P<names>(?!))?(?P<kind>(?!))?"
        span = _SPAN.replace("?P<first>", "?:").replace("?P<last>", "?:")
        goes = rf"(?P<verb>{_WORDS['gone']}|{aux}\s+{done})(?!\w)"
        yield SIGN, _whole(_WORDS["through"]), rf"{none}{span}.{{0,120}}?{goes}"
    if verb == "move":
        yield SIGN, _whole(_WORDS["moves"]), rf"{subject}(?P<verb>{_WORDS['moves']})(?=\s)"
    if gone := {"remove": _WORDS["gone"], "keep": _WORDS["keep_gone"]}.get(verb):
        more = r"(?=\s*(?:$|[.,;:!)])|\s(?:too|as|also|altogether|entirely|together|with|and)\b)"
        yield SIGN, rf"{subject}(?:{_WORDS['also']}\s)*(?P<verb>{gone}){more}"


@cache
def place_rules() -> tuple[Rule, ...]:
    """What tells each relation to a place, in groups `names` and those of `THINGS`."""
    return tuple(_places())


def _places() -> Iterator[Rule]:
    named = "|".join((SIGN, *(_WORDS[thing] for thing in THINGS)))
    things = "|".join(f"(?P<{thing}>{_WORDS[thing]})" for thing in THINGS)
    for relation in ("between", "start", "end", "before", "after", "instead", "inside"):
        said = _WORDS[relation]
        if relation in ("start", "end"):
            of = rf"(?:\s+{_WORDS['of']}\s*{_DET}(?:{_NAMES}|(?:{things})(?!\w)))?"
            yield Rule(relation, (_whole(said),), rf"{_whole(said)}{of}")
            continue
        names = _NAMES.replace("(?:", rf"(?:(?:\s+{_WORD})?", 1) if relation == "between" else _NAMES
        some = rf"(?:{_WORDS['the']}\s+(?:(?!{_WORDS['no']}(?!\w)){_WORD}\s+){{0,2}})?"
        one = some.replace("(?!", rf"(?!(?:{_WORDS['and']})\s|", 1)  # "the loop and use it" names no `use`
        pattern = rf"(?<!\w){said}\s+(?:(?:{_DET}|{some}){names}|(?:{_DET}|{one})(?:{things})(?!\w))"
        yield Rule(relation, (_whole(said), named), pattern)
    by, line = _whole(_WORDS["by"]), _WORDS["line"]
    others = "".join(f"(?P<{thing}>(?!))?" for thing in (*THINGS[:-1], "names"))
    yield Rule("line", (by, line), rf"{by}\s+{others}(?P<line>{line})")


def label_pattern(kind: str) -> re.Pattern[str]:
    """What fits a label of a block whole."""
    of = r"(?:\s+(?:of|for|in)\s.{1,60}?)?"
    return compiled(rf"(?:.{{0,80}}?[,:(]\s*)?(?:{_WORDS[f'label_{kind}']}){of}\s*(?:\([^()]*\))?[\s:.…*]*")


_PATTERNS = {
    "part": _WORDS["part"],
    "stop": _whole(_WORDS["stop"]) + r"|\?[\s\"')]*$",
    "aim": rf"(?:{_whole(_WORDS['to'])}\s+|\u2192\s*|->\s*|=>\s*){_DET}(?P<to>{SIGN})",
    "span": _SPAN,
    "heading": rf"\W*{_DET}{_NAMES}(?:\s*{_WORDS['kind']})?[\W]*",
    "reason": rf"{_WORDS['reason']}(?!\w)[^,]{{1,160}},",
    "subject": rf"(?:{_WORDS['lead']}[\s,]+)*{_FILL}{_NAMES}",
    "goes": rf"(?:{_WORD}\s+){{0,5}}?{_WORDS['puts']}(?!\w)",
    **{kind: _whole(_WORDS[kind]) for kind in ("not", "why", "everywhere", "puts", "imports", "tests", "kind")},
}


def pattern(name: str) -> re.Pattern[str]:
    """One of `_PATTERNS`, made when it is asked for first: most sentences need few of them."""
    return compiled(_PATTERNS[name])


def is_everywhere(said: str) -> bool:
    """Whether a sentence says that all of some are meant."""
    return pattern("everywhere").search(said[: up_to(pattern("why"), said)]) is not None


def up_to(limit: re.Pattern[str], said: str, first: int = 0, last: int | None = None) -> int:
    """Where a stretch of a sentence ends that reaches at most to what a pattern finds in it."""
    end = len(said) if last is None else last
    found = limit.search(said, first, end)
    return found.start() if found else end
