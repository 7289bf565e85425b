"""In: a language. Out: the patterns of its sentences that tell a change: commands, reports, labels and places."""

import re
from collections.abc import Iterator
from functools import cache, cached_property

from msgspec import Struct

from redraft.edit.words.lexicon import UNSPACED, languages_of, table
from redraft.edit.words.sentences import SIGN

VERBS = ("rename", "move", "replace", "remove", "add", "keep", "change")
LABELS = ("before", "after", "example", "run", "whole", "keep")
LANGUAGES = ("en", "de", "fr", "es", "pt", "ru", "zh", "ja")
BECOMES = (
    "\u2192|->|=>|(?:now )?(?:becomes|turns into)|by|wird (?:zu|jetzt)|durch|devient|par|pasa a ser|por"
    "|(?:se )?torna(?:-se)?"
    "|\u0441\u0442\u0430\u043d\u043e\u0432\u0438\u0442\u0441\u044f|\u6539\u4e3a|\u6539\u6210|\u53d8\u6210"
)
THINGS = ("imports", "tests", "class", "file", "line")
_EVERY = "every|each|jede[nrs]?|chaque|cada|кажд\\w+"
_KANA = re.compile(r"[\u3040-\u30ff]")
_WORD = r"[^\W\d_][\w'-]*"
_BESIDE = r"(?:\s*\([^()]*\)|\s+(?:along |together )?with (?:its|their) [^,;:.()]{1,40})?"  # what goes with a name
_WITHIN = "in|under|inside|within|from|unter|dans|sous|bajo|dentro de|sob|\u0432\u043d\u0443\u0442\u0440\u0438"
_BREAK = rf"^(?:(?:{_WITHIN})\s+(?:\w+\s+){{0,2}}?{SIGN}\s+)?|[,;:(\u2013\u2014\u3001\uff0c\u3002]\s*"


class Rule(Struct, frozen=True):
    """A long pattern, made when a text has what each of its `triggers` finds, without which it finds nothing."""

    name: str
    triggers: tuple[str, ...]
    pattern: str

    def found(self, text: str, first: int, last: int) -> Iterator[re.Match[str]]:
        if all(_compiled(trigger).search(text, first, last) for trigger in self.triggers):
            yield from _compiled(self.pattern).finditer(text, first, last)


def language_of(text: str) -> str:
    """The language that most words of a text are typical of; "" where none is."""
    best, most = "", 0
    if len(_KANA.findall(text[:4000])) > 1:
        return "ja"
    for language in languages_of(text, table("speech")):
        count = len(_typical(language).findall(text[:4000]))
        if count > most:
            best, most = language, count
    return best


def _typical(language: str) -> re.Pattern[str]:
    words = table("speech")[language]["words"]
    return _compiled(words if language in UNSPACED else rf"(?<!\w){words}(?!\w)")


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


class _Parts(Struct, frozen=True):
    """What the patterns of a language are made of."""

    language: str
    words: dict[str, str]
    gap: str
    fill: str
    listed: str
    called: str

    @classmethod
    def of(cls, language: str) -> "_Parts":
        words = table("speech")[language]
        if language in UNSPACED:
            fill = rf"(?:(?:{words['det']}|{words['kind']})\s*){{0,6}}?\s*"
            listed = rf"{SIGN}(?:\s*(?:{words['and']})\s*{SIGN})*"
            return cls(language, words, r"\s*", fill, listed, rf"(?:\s*(?P<kind>{words['kind']}|{words['part']}))?")
        fill = rf"(?:(?:{words['imports']}\s+{words['of']}|(?!{words['no']}(?!\w)){_WORD})\s+){{0,5}}?"
        more = (
            rf"(?:\s+{words['kind']})?{_BESIDE}\s*{words['and']}\s*(?:(?:{words['det']}|{words['kind']})\s+){{0,3}}"
            rf"(?:(?:{words['imports']}|{words['kind']}) {words['of']} )?"
        )
        listed = rf"{SIGN}(?:{more}{SIGN})*"
        called = rf"(?:\s+(?P<kind>(?:{words['kind']}|{words['part']})(?!\w)))?"
        return cls(language, words, r"\s+", fill, listed, called)

    @property
    def names(self) -> str:
        return f"(?P<names>{self.listed})"

    def whole(self, pattern: str) -> str:
        return pattern if self.language in UNSPACED else rf"(?<!\w){pattern}(?!\w)"

    def said(self, verb: str) -> str:
        """Every form of a verb."""
        others = {"remove": ("gone",), "keep": ("keep_gone",), "move": ("moves",)}.get(verb, ())
        forms = (f"{verb}_ask", f"{verb}_told", f"{verb}_done", *others)
        return self.whole(f"(?:{'|'.join(self.words[form] for form in forms if form in self.words)})")

    def operations(self) -> Iterator[Rule]:
        for verb in VERBS:
            said = self.said(verb)
            if self.language in UNSPACED:
                yield from (Rule(verb, (said,), pattern) for pattern in self._postfix(verb))
            else:
                yield from (Rule(verb, (said, *triggers), pattern) for *triggers, pattern in self._prefix(verb))

    def _prefix(self, verb: str) -> Iterator[tuple[str, ...]]:
        """Patterns, each behind its triggers."""
        words = self.words
        ands = "and|then|und|dann|et|puis|y|e|luego|depois|и|затем"
        lead = rf"(?:{words['lead']}[\s,]+)*"
        start = rf"(?:{_BREAK}|\s(?:{ands})\s+){lead}"
        every = rf"(?:(?:{_EVERY})\s+)?" if verb in ("replace", "rename") else ""
        object_ = rf"(?:\s*:?\s+{every}{self.fill}{self.names}{self.called})?"
        own = rf"(?:{_BREAK}|(?<!{SIGN})\s(?:{ands})\s+){lead}"  # `and` after a name may join it to the next
        subject = rf"{own}{self.fill}{self.names}{self.called}(?:\s*\([^()]*\))?(?:{words['along']}){{0,3}},?\s+"
        done, ask = words[f"{verb}_done"], words[f"{verb}_ask"]
        end = r"(?=\s*(?:$|[.,;:!)])|\s(?:together|along|zusammen|samt|mit|avec|ainsi|junto|con|com|вместе)\b)"
        if told := words.get(f"{verb}_told"):
            reported = rf"(?:^(?:{words['lead']}[\s,]+)*|(?<!\w){words['we']}\s+(?:{words['lead']}\s+)*)"
            yield self.whole(told), rf"{reported}(?P<verb>{told})(?!\w){object_}"
        yield self.whole(ask), rf"{start}(?P<verb>{ask})(?!\w){object_}"
        is_done = self.whole(done)
        yield SIGN, is_done, rf"{subject}(?:{words['idle']}\s+)?{words['aux']}\s+(?P<verb>{done})(?!\w)"
        yield ":", SIGN, is_done, rf"{words['aux']}\s+(?P<verb>{done})\s*:\s*{self.fill}{self.names}{self.called}"
        if not told:
            to = rf"(?:{words['to']}\s+{SIGN}\s+)?" if verb == "rename" else ""
            yield SIGN, rf"{subject}(?:{_WORD}\s+){{0,3}}?{to}(?P<verb>{ask}|{done}){end}"
        if verb == "remove":
            none = r"(?P<names>(?!))?(?P<kind>(?!))?"
            span = self.span().replace("?P<first>", "?:").replace("?P<last>", "?:")
            through = self.whole(words["through"])
            yield SIGN, through, rf"{none}{span}.{{0,120}}?(?P<verb>{words['gone']}|{words['aux']}\s+{done})(?!\w)"
        if verb == "move":
            yield SIGN, self.whole(words["moves"]), rf"{subject}(?P<verb>{words['moves']})(?=\s)"
        if gone := {"remove": words["gone"], "keep": words["keep_gone"]}.get(verb):
            more = r"(?=\s*(?:$|[.,;:!)])|\s(?:too|as|also|altogether|entirely|together|with|and|auch|aussi|tamb\w+)\b)"
            yield SIGN, rf"{subject}(?:{words['also']}\s)*(?P<verb>{gone}){more}"
            if not told:
                yield (rf"{start}(?P<verb>{gone}){object_.removesuffix('?')}",)

    def _postfix(self, verb: str) -> Iterator[str]:
        words = self.words
        done, ask = words[f"{verb}_done"], words[f"{verb}_ask"]
        beside = rf"(?:(?:{words['to']})?\s*{SIGN}\s*(?:に|へ|の(?:すぐ|直)?(?:前|後ろ|後|上|下|中)(?:に|へ)?))?"
        subject = rf"{self.names}{self.called}\s*(?:{words['det']}\s*)*{beside}"
        if self.language == "zh":
            yield rf"(?P<verb>{ask})(?:了|掉)?\s*{self.fill}{self.names}{self.called}(?!\s*的(?!{words['kind']}))"
            subject = rf"(?:^|把|将|[\uff0c,\u3001;\uff1b。]|再|并|时|\uff1a)\s*{self.fill}{subject}"
        yield rf"{subject}\s*{words['aux']}\s*(?P<verb>{ask}|{done})"
        if gone := {"remove": words["gone"], "keep": words["keep_gone"]}.get(verb):
            yield rf"{subject}\s*(?P<verb>{gone})"
        yield rf"(?P<names>(?!))?(?P<kind>(?!))?(?P<verb>{ask})"

    def label(self, words: str) -> str:
        of = r"(?:\s+(?:of|for|in|von|in der|im|de|du|dans|en|do|da|em|no|na|в)\s.{1,60}?)?"
        return rf"(?:.{{0,80}}?[,:(\uff0c\uff1a]\s*)?(?:{words}){of}\s*(?:\([^()]*\)|\uff08.*?\uff09)?[\s:.…\uff1a*]*"

    def places(self) -> Iterator[Rule]:
        words = self.words
        named = "|".join((SIGN, *(words[thing] for thing in THINGS)))
        things = "|".join(f"(?P<{thing}>{words[thing]})" for thing in THINGS)
        det = rf"(?:(?:{words['det']}|{words['kind']}){self.gap})*"
        for relation in ("between", "start", "end", "before", "after", "instead", "inside"):
            said = words[relation]
            triggers = (self.whole(said), named)
            if relation in ("start", "end"):
                yield Rule(relation, triggers[:1], self._edge(said, things, det))
            elif self.language in UNSPACED:
                yield Rule(relation, triggers, rf"(?:{self.names}|{things})(?:\s*{words['kind']})?\s*{said}")
            else:
                names = self.names.replace("(?:", rf"(?:(?:\s+{_WORD})?", 1) if relation == "between" else self.names
                some = rf"(?:{words['the']}\s+(?:(?!{words['no']}(?!\w)){_WORD}\s+){{0,2}})?"
                one = some.replace("(?!", rf"(?!(?:{words['and']})\s|", 1)  # "the loop and use it" names no `use`
                pattern = rf"(?<!\w){said}\s+(?:(?:{det}|{some}){names}|(?:{det}|{one})(?:{things})(?!\w))"
                yield Rule(relation, triggers, pattern)
        by = self.whole(words["by"])
        yield Rule("line", (by, words["line"]), self._numbered(f"{by}{self.gap}"))

    def _numbered(self, by: str) -> str:
        """Around a line's number; the other groups are there and match nothing."""
        others = "".join(f"(?P<{thing}>(?!))?" for thing in (*THINGS[:-1], "names"))
        return rf"{by}{others}(?P<line>{self.words['line']})"

    def _edge(self, said: str, things: str, det: str) -> str:
        if self.language in UNSPACED:
            return rf"(?:(?:{self.names}|{things})(?:\s*{self.words['kind']})?\s*)?{said}"
        of = rf"(?:\s+{self.words['of']}\s*{det}(?:{self.names}|(?:{things})(?!\w)))?"
        return rf"(?<!\w){said}(?!\w){of}"

    def beside_kind(self) -> str:
        name = r"[A-Za-z_]\w*"
        kind, no = self.words["kind"], self.words["no"]
        if self.language in UNSPACED:
            return rf"(?:{kind})\s*(?P<before>{name})(?!\w)|(?P<behind>(?<!\w){name})\s*(?:{kind})"
        other = rf"(?!(?:{kind}|{self.words['det']}|{no}|{self.words['part']})(?!\w))"
        alone = rf"{kind}(?!\w)(?!\s+{kind}(?!\w))"  # of "the parser test class" the last word says what it is
        return rf"(?<!\w){kind}\s+{other}(?P<before>{name})(?!\w)|(?<!\w){other}(?P<behind>{name})\s+{alone}"

    def aim(self) -> str:
        words = self.words
        if self.language == "ja":
            return rf"(?P<to>{SIGN})\s*(?:に|へ)"
        det = rf"(?:(?:{words['det']}|{words['kind']}){self.gap})*"
        return rf"(?:{self.whole(words['to'])}{self.gap}|\u2192\s*|->\s*|=>\s*){det}(?P<to>{SIGN})"

    def span(self) -> str:
        words = self.words
        det = rf"(?:(?:{words['det']}|{words['kind']}){self.gap})*"
        if self.language == "ja":
            return rf"(?P<first>{SIGN})\s*から\s*(?P<last>{SIGN})\s*まで"
        kind = rf"(?:\s+{words['kind']})?" if self.language not in UNSPACED else ""
        gap = self.gap
        return (
            rf"{self.whole(words['from'])}{gap}{det}(?P<first>{SIGN}){kind}{gap}(?:down{gap})?"
            rf"{self.whole(words['through'])}{gap}{det}(?P<last>{SIGN})"
        )


class Grammar:
    """The patterns of a language, each made when it is asked for first: most sentences need few of them.

    An operation has the groups `verb`, `names` and `kind`, what the names are called.
    """

    def __init__(self, language: str) -> None:
        self._parts = _Parts.of(language)
        self._words = self._parts.words

    @cached_property
    def operations(self) -> tuple[Rule, ...]:
        return tuple(self._parts.operations())

    def label(self, label: str) -> re.Pattern[str]:
        return _compiled(self._parts.label(self._words[f"label_{label}"]))

    @cached_property
    def places(self) -> tuple[Rule, ...]:
        return tuple(self._parts.places())

    @cached_property
    def kinds(self) -> re.Pattern[str]:
        return _compiled(self._parts.beside_kind())

    @cached_property
    def part(self) -> re.Pattern[str]:
        return _compiled(rf"(?:{self._words['part']})")

    @cached_property
    def stop(self) -> re.Pattern[str]:
        return _compiled(self._parts.whole(self._words["stop"]) + r"|\?[\s\"')]*$|\uff1f")

    @cached_property
    def aim(self) -> re.Pattern[str]:
        return _compiled(self._parts.aim())

    @cached_property
    def span(self) -> re.Pattern[str]:
        return _compiled(self._parts.span())

    @cached_property
    def heading(self) -> re.Pattern[str]:
        det, kind = self._words["det"], self._words["kind"]
        return _compiled(rf"\W*(?:(?:{det}|{kind})\s+)*{self._parts.names}(?:\s*{kind})?[\W]*")

    @cached_property
    def reason(self) -> re.Pattern[str]:
        return _compiled(rf"{self._words['reason']}(?!\w)[^,\uff0c]{{1,160}}[,\uff0c]")

    @cached_property
    def subject(self) -> re.Pattern[str]:
        return _compiled(rf"(?:{self._words['lead']}[\s,]+)*{self._parts.fill}{self._parts.names}")

    @cached_property
    def goes(self) -> re.Pattern[str]:
        return _compiled(rf"(?:{_WORD}\s+){{0,5}}?{self._words['puts']}(?!\w)")

    def is_everywhere(self, said: str) -> bool:
        """Whether a sentence says that all of some are meant."""
        why = self.said("why").search(said)
        return self.said("everywhere").search(said[: why.start()] if why else said) is not None

    def said(self, kind: str) -> re.Pattern[str]:
        """Words of a kind of the table: not, why, everywhere, puts, imports, tests."""
        return _compiled(self._parts.whole(self._words[kind]))


@cache
def grammar(language: str) -> Grammar:
    """The patterns of a language."""
    return Grammar(language)
