"""In: what an answer says, and lines of the file that a reading leaves out. Out: whether they stay.

Who shows no line of something, and puts nothing in its place, mostly means that it stays. Whole constructs go where a
sentence of a removal speaks of them; single lines where any word of theirs is spoken.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, filterfalse, pairwise

from msgspec import Struct

from redraft.edit.answer.answer import Answer
from redraft.edit.merge.context.asides import GLUE, code_of, is_documentation, kept_beside
from redraft.edit.merge.lines.lost import Loss, unclosed
from redraft.edit.merge.lines.written import all_words, first_written
from redraft.edit.outline import Outline
from redraft.edit.text.lines import is_telling, ratio, width_of, words_in, written
from redraft.edit.words import Known
from redraft.edit.words.hints import speaks_of
from redraft.edit.words.sentences import CODE

_ALIKE = 0.6
_FEW = 6  # among so many lines one of which a word is spoken by chance tells nothing
_SHORT = 6  # words of a sentence about what the one above it names
_LONG = 4  # letters of a word that tells what is meant
_NONE = re.compile(
    r"\bonly (?:the|this|that) [^.\n]{1,40}\blines? (?:differs?|changes?|is (?:different|new|changed))\b|"
    r"\b(?:nothing|none|never|not)\b(?: \w+){0,3} (?:remov|delet|drop)|\b(?:no|without) (?:remov|delet)",
    re.IGNORECASE,
)
_OPENED = re.compile(r".*(?:[{:]|=>|->|\b(?:do|then|begin)|\|)\s*|\s*(?:when\b|end\b|}|fi\b|done\b).*", re.IGNORECASE)
_DOCS = re.compile(r"(?:doc\w*|javadoc\w*|comment\w*)", re.IGNORECASE)
_CLOSER = re.compile(r"\s*(?:end\b|[)}\]]|</)")
_GOES = re.compile(
    r"\b(?:goe?s?(?! (?:in|into|behind|after|before|above|below|under|between|next|right|here|there|at|on|through)\b)"
    r"|out now|(?:is|are) out|shrinks?|replac\w+|instead|no need"
    r"|(?:not|\w+n't) need(?:ed)?|mov(?:es?|ed)(?: out)?(?: from [^.,;]{1,60}?)? (?:in)?to"
    r"|(?:merg|collaps|fold|join)(?:e|ed|es|s|ing)? (?:\S+ ){0,6}?into|supersed\w+)\b",
    re.IGNORECASE,
)
_KEYWORDS = frozenset(("import", "use", "using", "include", "require", "if", "else", "for", "while", "return", "const"))
_IMPORTS = frozenset(("imports", "usings", "includes", "requires", "Imports", "Usings", "Includes"))
_EVERY_IMPORT = frozenset(("every", "import"))
_IMPORT = re.compile(r"\s*(?:import|from|use|using|#\s*include|require|.*\brequire\()\b")
_LETTER = re.compile(r"(?<![\w'\u2019.-])[b-zB-HJ-Z](?![\w'\u2019.-]*\w)")  # a name of one letter, and no article
_SENTENCE = re.compile(r"(?<=[.!?;])\s+")
_ITEM = re.compile(r"\s*(?:[-*+•·]|\d+[.)])\s+")


class Mentions(Struct, frozen=True):
    """What an answer and its request speak of.

    `is_talk`: the words around the code say something: `words`; `mentioned` are these, where they tell of the file and
    of no removal; `gone` those of sentences and notes that may say that something goes, `quoted` those of them in
    quotations; `uncomments`: a sentence of a removal speaks of comments. `declared` are names of the file, `members`
    its lines that declare something outside of functions.
    """

    is_talk: bool = False
    words: frozenset[str] = frozenset()
    mentioned: frozenset[str] = frozenset()
    gone: frozenset[str] = frozenset()
    declared: frozenset[str] = frozenset()
    members: frozenset[str] = frozenset()
    removes_nothing: bool = False
    quoted: frozenset[str] = frozenset()
    uncomments: bool = False

    def is_silent_on(self, lines: Sequence[str], words: Collection[str], loss: Loss) -> bool:
        """Whether no word names what lines declare, and nothing that comes does."""
        found = telling_words(lines)
        names = found & self.declared
        come = loss.brings(lines)
        return (names or found).isdisjoint(words) and 2 * len(names & come) <= len(names - come)

    def removes(self, lines: Sequence[str], loss: Loss) -> bool:
        """Whether lines have a name that sentences of a removal quote, and that stands nowhere any more."""
        return not self.quoted.isdisjoint(all_words(lines) & loss.absent)


def mentions_of(answer: Answer, instruction: str, path: str, file: Outline, known: Known) -> Mentions:
    """What an answer on the file at `path` and its request speak of."""
    text = f"{answer.prose}\n{instruction}"
    words = frozenset(words_in(text)) - {*words_in(path)}
    sentences = [*_sentences(text)]
    parts = [*filterfalse(_NONE.search, (*sentences, *answer.notes))]
    going = [*filter(_may_remove, parts)]
    gone = frozenset(all_words(chain(going, *(block.old for block in answer.blocks))))
    is_telling = bool(instruction.strip()) or not words.isdisjoint(known.declared)
    removals = [each for each in sentences if speaks_of("removal", each)]
    outer = (node for node in file.nodes if node.parent is None or file.nodes[node.parent].is_container)
    return Mentions(
        is_talk=answer.is_talk,
        words=words | all_words(answer.notes) | {*_LETTER.findall(text)},
        mentioned=words if answer.is_talk and is_telling and not removals else frozenset(),
        gone=gone,
        declared=known.declared,
        members=frozenset(file.lines[node.head].strip() for node in outer),
        removes_nothing=_NONE.search(answer.prose) is not None,
        quoted=_quoted(parts, going),
        uncomments=any(speaks_of("comments", each) for each in removals),
    )


def _may_remove(text: str) -> bool:
    """Whether a sentence or a note may say that something goes."""
    return speaks_of("removal", text) or _GOES.search(CODE.sub("`x`", text)) is not None


def _quoted(parts: Sequence[str], going: Sequence[str]) -> frozenset[str]:
    """The words that sentences of a removal quote, or the one above where it names nothing and is short: "drop it"."""
    short = (
        over for over, each in pairwise(parts) if each in going and "`" not in each and len(each.split()) <= _SHORT
    )
    return frozenset(all_words(chain.from_iterable(map(CODE.findall, (*going, *short)))))


def _sentences(text: str) -> Iterator[str]:
    """The sentences of a text, the first of each item of a list behind the one above the list that goes on in it."""
    above = ""
    for line in text.split("\n"):
        item = _ITEM.match(line)
        parts = _SENTENCE.split(line[item.end() :] if item else line)
        yield f"{above} {parts[0]}" if item else parts[0]
        yield from parts[1:]
        if not item and line.strip():
            above = parts[-1] * (not line.rstrip().endswith((".", "!", "?")))


def stays(gone: Sequence[str], loss: Loss, mentions: Mentions) -> bool:
    """Whether lines stay that a reading leaves out, which puts nothing in their place."""
    telling = [*filter(is_telling, gone)]
    is_moved = 2 * sum(map(loss.has_moved, telling)) >= len(telling)
    is_kept = mentions.removes_nothing and not (telling and is_moved)
    if mentions.is_talk and any(map(str.strip, gone)) and (is_kept or _is_torn(gone, loss)):
        return True
    if loss.orphans(telling):
        return False
    if mentions.is_talk and (decided := _construct_stays(gone, telling, is_moved, loss, mentions)) is not None:
        return decided
    return not (telling and is_moved) and _is_unmentioned(gone, telling, loss, mentions)


def _construct_stays(
    gone: Sequence[str], telling: Sequence[str], is_moved: bool, loss: Loss, mentions: Mentions
) -> bool | None:
    """Whether documentation, constructs or members stay; None for other lines."""
    if not is_moved and is_documentation(gone):
        return not any(map(_DOCS.fullmatch, mentions.gone))
    if heads := heads_of(gone):
        return not is_moved and mentions.is_silent_on(heads, mentions.gone, loss) and not mentions.removes(gone, loss)
    members = [line for line in telling if line.strip() in mentions.members]
    if members and 2 * len(members) >= len(telling):
        return not is_moved and not _are_to_go(members, mentions) and mentions.is_silent_on(members, (), loss)
    return None


def _are_to_go(members: Sequence[str], mentions: Mentions) -> bool:
    """Whether sentences of a removal have a word of members, or speak of imports, where these are some."""
    speaks_of_imports = not mentions.gone.isdisjoint(_IMPORTS) or mentions.gone >= _EVERY_IMPORT
    is_import = speaks_of_imports and any(map(_IMPORT.match, members))
    return is_import or not mentions.gone.isdisjoint(telling_words(members))


def _is_unmentioned(gone: Sequence[str], telling: Sequence[str], loss: Loss, mentions: Mentions) -> bool:
    """Whether words speak of the file, and of none of the lines, or of one among many."""
    found = telling_words(telling) - GLUE
    mentioned = (mentions.words if _is_explained(gone, loss, mentions) else mentions.mentioned) - GLUE
    count = sum(not mentioned.isdisjoint(words_in(line)) for line in telling)
    return bool(mentioned and found) and (found.isdisjoint(mentioned) or count * _FEW < len(telling))


def closes_above(old: Sequence[str], new: Sequence[str]) -> bool:
    """Whether what is shown begins with the end of a construct in which the lines stand that a reading leaves out."""
    first = first_written(new)
    return _CLOSER.match(first) is not None and all(width_of(line) > width_of(first) for line in written(old))


def stays_beside(old: Sequence[str], new: Sequence[str], loss: Loss, mentions: Mentions) -> list[str] | None:
    """Lines with comments that stay beside them; None where none do."""
    may_stay = mentions.is_talk and not mentions.uncomments and not mentions.removes(old, loss)
    return kept_beside(old, new) if may_stay else None


def goes_on_below(gone: Sequence[str], after: Sequence[str], at: int) -> bool:
    """Whether what a reading leaves out ends in a head whose body still stands deeper right below, under no other."""
    head = first_written(reversed(gone))
    above, below = written(after[:at][::-1]), written(after[at:])
    if not head.rstrip().endswith(":") or not above or not below or width_of(below[0]) <= width_of(head):
        return False
    then = next((line for line in below if width_of(line) < width_of(below[0])), "")
    is_opened = _OPENED.fullmatch(above[0]) is not None
    return width_of(above[0]) < width_of(head) == width_of(then) if is_opened else width_of(above[0]) <= width_of(head)


def _is_explained(gone: Sequence[str], loss: Loss, mentions: Mentions) -> bool:
    """Whether the sentences of a removal quote a declaration, or are about other lines that a reading loses."""
    if not mentions.uncomments and not mentions.quoted.isdisjoint(mentions.declared):
        return True
    words = all_words(loss.lines - {*map(str.strip, gone)})
    return mentions.is_talk and any(len(word) >= _LONG and word not in loss.come for word in words & mentions.gone)


def outlasts(old: Sequence[str], new: Sequence[str], loss: Loss, mentions: Mentions) -> bool:
    """Whether lines stay beside others that are shown in their place: nothing but members of which nothing is said."""
    if not mentions.is_talk:
        return False
    outer = heads_of(old)[:1] or code_of(old)
    is_member = bool(outer) and mentions.members.issuperset(map(str.strip, outer))
    is_replaced = any(_is_alike(line, text) for line in outer for text in new)
    return is_member and not is_replaced and mentions.is_silent_on(outer, mentions.words, loss)


def _is_alike(old: str, new: str) -> bool:
    """Whether two lines at one level are spelled alike."""
    return width_of(old) == width_of(new) and ratio(old.strip(), new.strip()) >= _ALIKE


def _is_torn(gone: Sequence[str], loss: Loss) -> bool:
    """Whether brackets are gone whose partners are still there, or nothing but signs that are no brackets."""
    own = unclosed(gone)
    return any(own[pair] * loss.opened[pair] > 0 for pair in own) or not (own or any(map(is_telling, gone)))


def heads_of(gone: Sequence[str]) -> list[str]:
    """The outermost lines of code among lines that are constructs of several lines; none where they are none."""
    code = code_of(gone)
    outer = min(map(width_of, code), default=0)
    heads = [line for line in code if width_of(line) == outer]
    is_whole = len(heads) < len(code) and heads[0] is code[0]
    return heads if is_whole and any(map(_OPENED.fullmatch, heads)) else []


def telling_words(lines: Sequence[str]) -> set[str]:
    """The names and words of lines without those that any code has."""
    return all_words(lines) - _KEYWORDS
