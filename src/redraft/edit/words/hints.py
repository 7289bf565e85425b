"""In: a sentence of an answer or a request. Out: whether it speaks of removals, whole files, blanks, before, after."""

import re

from redraft.edit.text.kind import is_path_of
from redraft.edit.words.lexicon import compiled

_REMARKS = (
    r"\bcomment\w*\b(?![ -](?:\w+ ){0,3}out\b)",
    r"\b(?:typos?|wording|heading|remarks?|notes?|explain\w*|explanation|licen[cs]e|todo|reword\w*|spell\w*)\b",
)
_SHEET = r"(?:file|script|module|document|page|style ?sheet)"
_READS = rf"(?:\W+\w+){{0,2}}\W+{_SHEET}(?:\W+\w+){{0,2}}\W+(?:reads?|looks?)\b[^.\n]{{0,20}}$"
_BREAK = r"(?:newline|new line|line ?break|line feed)"
_ITS_OWN = re.compile(
    r"(?i)\b(?:(?:its|their) own|a (?:new|separate|different)|another) (?:\w+ )?(?:file|module|script|component)\b"
)
_OF_FILE = r"(?:end of (?:the )?file|the (?:very )?end|EOF)"
_LACKS = r"(?:add|append|insert|missing|lack\w*|needs?|want\w*|put|should)"
_FILE = re.compile(r"(?:`|^)([\w./\\-]+\.[a-z]{1,5})(?:`| (?=needs|gets|wants|has to))")
_WORDS = {
    "whole": (
        r"\b(?:full|complete|entire|whole)\b.{0,40}"
        r"\b(?:file|contents?|script|module|component|page|listing|version|template|stylesheet|manifest|workflow)\b",
        r"\b(?:file|it|everything)\b.{0,30}\b(?:in full|complete|anew|from top to bottom|as a whole)\b",
    ),
    "removal": (
        r"\b(?:remov\w*|delet\w*|drop(?:s|ped|ping)?|gone|can go|goes away|get(?:s|ting)? rid)\b",
        r"\b(?:t(?:ak(?:e|es|en|ing)|ook)(?: it| them)?|thr(?:ow(?:s|n|ing)?|ew)) out\b",
        r"\b(?:strip(?:s|ped)?|unused|no longer)\b",
    ),
    "before": (r"\b(?:before|old|was|were|current(?:ly)?|previous(?:ly)?|so far|original(?:ly)?)\b",),
    "after": (r"\b(?:after|new|becomes?|now|turns into|afterwards)\b",),
    "present": (r"\b(?:now|today|at present|at the moment|as it (?:is|stands))\W*$",),
    "blanks": (
        r"\b(?:blanks?|blank lines?|empty (?:\w+ )?lines?|white ?space|spac(?:e|es|ing)|line breaks?|prettier)\b",
        r"(?<![\w.`])(?:re)?format\w*\b(?![.(])|\bgaps?\b",
    ),
    "no blanks": (r"\b(?:no|without)\b[^.;:]{0,20}\b(?:blank|empty|gap)",),
    "comments": (*_REMARKS, r"\b(?:(?:java|php|js|ts|k|r|module)? ?docs?|docstrings?|docblocks?|document\w*)\b"),
    "remarks": _REMARKS,
    "asides": (  # remarks in the code that are not meant
        r"\b(?:remarks?|notes?|comments?|annotations?|markings?)\b[^.\n]{0,90}?"
        r"(?:\bfor you\b|\bmine\b|\bno need\b|n[o']t (?:be |to be )?(?:kept|keep|meant|needed|belong|part|copied|copy)"
        r"\b|\bleave (?:them|those|it) out\b|\bneedn't\b|\b(?:can|should) (?:go|be dropped|be left out)\b)",
        r"\b(?:needn't|need not|don't|do not|no need to) (?:keep|copy|paste|include|take over)\b[^.\n]{0,40}"
        r"\b(?:remarks?|notes?|comments?|markers?)\b",
    ),
    "begins": (  # how a file begins
        rf"\b{_SHEET}\b[^.\n]{{0,40}}\b(?:begins?|starts?|opens?)\b[^.\n]{{0,25}}$",
        rf"\b(?:head|top|start|beginning)\b{_READS}",
        r"\b(?:replac|chang|updat)\w*\b[^.\n]{0,30}\b(?:comment|header|licen[cs]e|banner)\b[^.\n]{0,20}"
        r"\b(?:top|start|beginning|head)\b[^.\n]{0,25}$",
    ),
    "ends": (  # how a file ends
        rf"\b{_SHEET}\b[^.\n]{{0,40}}\bends?\b[^.\n]{{0,25}}$",
        rf"\b(?:end|bottom|tail)\b{_READS}",
    ),
    "addition": (r"\b(?:add(?:s|ed|ing)?|insert\w*|append\w*)\b",),
    "indents": (
        r"\b(?:with|by|to|in|into|as|of|hard|all|use[sd]?|mixed) tabs\b|\btabs (?:and|or|to|instead|as|for) ",
        r"\b(?:(?:re|un|de)?-?indent\w*|dedent\w*|(?:re)?-?format\w*|align\w*|prettier)\b"
        r"|\blin(?:es?|ed|ing)\b[^.\n]{0,60}\bup with\b",
    ),
    "wraps": (  # where lines break
        r"\b(?:(?:re)?-?format\w*|prettier|clang-format|rustfmt|gofmt|re-?wrap\w*|re-?flow\w*|line breaks?)\b",
        r"\bwrap\w*\b(?! (?:\S+ ){0,6}(?:in|with|into|around|inside)\b)",
        r"\bwrap\w*\b(?=[^.\n]{0,60}\b(?:lines?|columns?|width|\d{2,3})\b)",
        r"\b(?:on|onto|in|into|fits?|to) (?:one|a|the same|its|a single) lines?\b|\bper line\b",
        r"\b(?:one|single)-line\w*|\boverlong\b",
    ),
    "renames": (r"\brenam\w*|\b(?:better|clearer|wrong|correct\w*) names?\b|\btypos? in (?:the|its) names?\b",),
    "exceptions": (r"\b(?:except|but (?:not|for|the)|apart from|elsewhere|in (?:your|other) (?!file|code)\w+)\b",),
    "top level": (r"\b(?:outside|top[- ]level)\b",),
    "separators": (r"\b(?:punctuation|semi-?colons?|commas?|braces?|curly|curlies|postfix|modifier|guard clauses?)\b",),
    "quotes": (
        r"(?<![\w.`$-])(?:(?:double|single|back)[ -]?)?(?:quot(?:es|ed|ing|ation marks?)|backticks?|apostrophes?)\b"
        r"(?![(=.`-])",
    ),
    "rewritten": (
        r"\b(?:re-?(?:written|wrote|writes?)|from scratch)\b",
        r"\b(?:(?:whole|entire|complete|full) (?:new )?(?:function|method|test|class|rule|block|body))\b",
    ),
    "end break": (  # that the last line lacks
        rf"\b{_LACKS}\b[^.\n]{{0,40}}{_BREAK}[^.\n]{{0,30}}{_OF_FILE}",
        rf"{_BREAK}[^.\n]{{0,30}}{_OF_FILE}[^\n]{{0,40}}\b{_LACKS}\b",
        rf"{_OF_FILE}[^.\n]{{0,30}}(?:{_LACKS}[^.\n]{{0,30}}{_BREAK}|{_BREAK}[^.\n]{{0,30}}{_LACKS})",
    ),
    "adjoining": (
        r"\bfollow(?:s|ed)\b[^.\n]{0,12}\b(?:directly|immediately|right|straight|by|on)\b"
        r"|\b(?:directly|immediately|now|then) (?:\w+ )?follow(?:s|ed)\b",
        r"\b(?:neighbou?rs|adjacent|next to each other|back to back)\b"
        r"|\b(?:come|stand|meet)s? (?:together|side by side)\b",
        r"\bso(?: that)?\b[^.\n]{3,40}\b(?:now |then |simply |just )?(?:begins?|starts?|ends?)\b",
    ),
}


def speaks_of(subject: str, text: str) -> bool:
    """Whether a text has a word of `subject`, a key of the table."""
    return compiled("|".join(_WORDS[subject])).search(text) is not None


def last_lines(prose: str) -> str:
    """The last two written lines of a text."""
    return "\n".join([line for line in prose.split("\n") if line.strip()][-2:])


def last_line(prose: str) -> str:
    """The last written line of a text."""
    return next((line for line in reversed(prose.split("\n")) if line.strip()), "")


def names_another_file(prose: str, path: str) -> bool:
    """Whether the last sentence before a block names a file, and not this one, or speaks of a file of its own."""
    found = named_files(prose)
    is_own = _ITS_OWN.search(last_line(prose)) is not None
    return is_own or (bool(found) and not any(is_path_of(name, path) for name in found))


def named_files(prose: str) -> list[str]:
    """What the last sentence before a block quotes that may be the names of files, or of members."""
    return _FILE.findall(last_line(prose))
