"""In: the words before a block, and the file. Out: the stretch that they tell, or that the block replaces."""

import re
from collections.abc import Sequence

from msgspec import Struct

from redraft.edit.align.likeness import indent
from redraft.edit.answer.block import Block
from redraft.edit.merge.common.extent import extents, is_abbreviated
from redraft.edit.merge.common.lookup import single, stands
from redraft.edit.merge.places.suggestion import suggested
from redraft.edit.outline import Outline
from redraft.edit.text.lines import is_telling
from redraft.edit.words import Known
from redraft.edit.words.known import is_word

_TAIL = 600  # characters before a block that are read
_SIGN = 0xE000  # the first of Unicode's private characters: none stands in prose
_QUOTED = re.compile(r"^[ \t]*> ?(?P<line>\S.*)$|`(?P<code>[^`\n]+)`", re.MULTILINE)
_Q = "([\ue000-\ue0ff])"
_FROM = r"\b(?:from|beg[iau]ns?|beginning|starts?|starting|first)\b"
_TO = r"\b(?:to|through|until|till|ends?|ending|last)\b"
_OF = r"(?: (?:of|that closes) (?:\w+ )?[\ue000-\ue0ff])?"  # what an end closes
_PAIR = re.compile(
    rf"{_FROM}[^.;\ue000-\ue0ff]{{0,40}}{_Q}[^.;\ue000-\ue0ff]{{0,60}}?{_TO}[^.;\ue000-\ue0ff]{{0,30}}{_Q}{_OF}",
    re.IGNORECASE,
)
_ALL = re.compile(  # words after which a name may be an end of a stretch: others say from what to what a name changes
    r"\b(?:all|everything|whole|entire|including|down to)\b", re.IGNORECASE
)
_TO_END = re.compile(
    rf"{_FROM}[^.;\ue000-\ue0ff]{{0,40}}{_Q}(?:\s+\w+)?,?\s*"
    r"(?:(?:all the way|down|right) )?(?:to|until|till|through) the (?:very )?(?:end|bottom)",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"\b(?:replac(?:es?|ing)|tak(?:es?|ing) the place of|in place of|instead of|in lieu of|supersed(?:es|ing))\b"
    rf"(?P<more>[^.;:\ue000-\ue0ff]{{0,50}}){_Q}",
    re.IGNORECASE,
)
_REPLACED = re.compile(
    rf"{_Q}(?P<more>[^.;:\ue000-\ue0ff]{{0,60}}?\b(?:superseded|replaced)\b[^.;:\ue000-\ue0ff]{{0,40}}?)"
    r"\b(?:by|with)\b\W*$"
    rf"|{_Q}(?P<past>[^.;:\ue000-\ue0ff]{{0,40}}?)\b(?:becomes?|turns? into|gives? way to|makes? (?:room|way) for"
    r"|changes? (?:in)?to)\W*$",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    r"\b(?:whole|entire|all|complete(?:ly)?|includ\w+|opening to closing|top to bottom)\b", re.IGNORECASE
)
_STAYS = re.compile(r"\b(?:stays?|unchanged|untouched|kept|keeps?|remains?)\b", re.IGNORECASE)
_TAG = re.compile(r"</?([\w:.-]+)(?:\s[^<>]*)?/?>")
_LATER = re.compile(r"\blast\b", re.IGNORECASE)
_COMMENTS = ("#", "//", "/*", "*", "--", '"""', "<!--", "@")
_CLOSING = re.compile(r"[\W_]+|</.*|end\b.*")


def told_stretch(
    block: Block, own: Outline, file: Outline, known: Known, before: Sequence[str]
) -> tuple[int, int] | None:
    """The lines from the first told one through the last, or the whole of what the words say is replaced by a block
    with its outline; those of a suggestion by their numbers in the file as it was `before`.

    Of several stretches that which has most of what is shown.
    """
    if (numbered := suggested(block, file, before)) is not None:
        return numbered
    said, shown = _signed(block.prose), [line.text for line in block.lines]
    if said is None:
        return None
    found = _between(said, shown, file) or (None if _STAYS.search(said.last) else _to_end(said, file))
    return found or _instead(said, shown, own, file, known)


class _Said(Struct, frozen=True):
    """Words in which each piece of quoted code is a sign."""

    text: str
    quotes: tuple[str, ...]

    def quote(self, match: re.Match[str]) -> list[str]:
        return [self.quotes[ord(each) - _SIGN] for each in match.groups() if each and _is_sign(each)]

    @property
    def last(self) -> str:
        return next((line for line in reversed(self.text.split("\n")) if line.strip()), "")


def _is_sign(text: str) -> bool:
    return len(text) == 1 and 0 <= ord(text) - _SIGN <= 0xFF


def _signed(prose: str) -> _Said | None:
    quotes: list[str] = []

    def sign(match: re.Match[str]) -> str:
        quotes.append((match["line"] or match["code"]).strip())
        return chr(_SIGN + len(quotes) - 1)

    said = _QUOTED.sub(sign, prose.strip()[-_TAIL:]).replace("*", "")
    return _Said(said, tuple(quotes)) if len(quotes) <= 0xFF else None


def _between(said: _Said, shown: Sequence[str], file: Outline) -> tuple[int, int] | None:
    """The lines from one quote through another."""
    pair = _last(said, [*_PAIR.finditer(said.text)])
    if pair is None:
        return None
    first, last = said.quote(pair)
    before = said.text[max(0, pair.start() - 30) : pair.end()]
    if (is_word(last) and not _CLOSING.fullmatch(last)) or (is_word(first) and not _ALL.search(before)):
        return None
    lines = {line.strip() for line in shown}
    spans = [span for at in _places(first, file) if (span := _until(at, last, file)) is not None]
    if _LATER.search(said.text[pair.start() : pair.start(1)]):
        spans = spans[-1:]
    return max(spans, key=lambda span: sum(file.lines[at].strip() in lines for at in range(*span)), default=None)


def _to_end(said: _Said, file: Outline) -> tuple[int, int] | None:
    """The lines from a quote to the end of the declaration that it stands in, else of the file."""
    match = next(
        (match for match in reversed([*_TO_END.finditer(said.text)]) if _is_last(said.text, match.end())), None
    )
    places = [] if match is None else _places(said.quote(match)[0], file)
    if len(places) != 1:
        return None
    around = [node.body for node in file.nodes if node.body is not None and node.body[0] <= places[0] < node.body[1]]
    end = around[-1][1] if around else len(file.lines)
    while not file.lines[end - 1].strip():
        end -= 1
    return places[0], end


def _instead(said: _Said, shown: Sequence[str], own: Outline, file: Outline, known: Known) -> tuple[int, int] | None:
    """The whole statement, element or declaration that the words say is replaced, and what is shown around it."""
    found = [*_INSTEAD.finditer(said.text), *_REPLACED.finditer(said.text)]
    match = _last(said, found)
    if match is None:
        return None
    quote = said.quote(match)[0]
    words = match[0] + said.text[match.end() :]
    span = _whole_of(quote, shown, file, known)
    if not (is_abbreviated(quote) or _WHOLE.search(words) or _succeeds(own, span, file)):
        return _line_of(quote, shown, file)
    return None if span is None else _with_context(span, shown, file)


def _succeeds(own: Outline, span: tuple[int, int] | None, file: Outline) -> bool:
    """Whether a block is nothing but new declarations of the kind of the one that is replaced."""
    there = next((node for node in file.nodes if span is not None and span[0] <= node.head < span[1]), None)
    new = [own.nodes[at] for at in own.top()]
    is_all = bool(new) and all(not line.strip() for line in own.lines[new[-1].end :])
    return (
        is_all
        and there is not None
        and all(node.kind == there.kind and bool(node.name) and not file.named(node.name) for node in new)
    )


def _line_of(quote: str, shown: Sequence[str], file: Outline) -> tuple[int, int] | None:
    """The one line that a quote is all of, where no more of the file is shown."""
    places = [at for at, line in enumerate(file.lines) if line.strip() == quote]
    known = {line.strip() for line in file.lines}
    if (
        len(places) != 1
        or is_word(quote)
        or any(map(is_abbreviated, shown))
        or any(is_telling(line) and line.strip() in known for line in shown)
    ):
        return None
    return places[0], places[0] + 1


def _whole_of(quote: str, shown: Sequence[str], file: Outline, known: Known) -> tuple[int, int] | None:
    if is_abbreviated(quote) and len(spans := extents(quote, file)) == 1:
        return spans[0]
    tag = _TAG.fullmatch(quote)
    found = single(stands(tag[1] if tag else known.meant(quote) or quote, file))
    if found is None or found.node is None:
        return None
    begins_above = bool(shown) and shown[0].lstrip().startswith(_COMMENTS)
    return (found.start if begins_above else file.nodes[found.node].head), found.end


def _with_context(span: tuple[int, int], shown: Sequence[str], file: Outline) -> tuple[int, int]:
    """A span, and the lines around it with which a block begins or ends."""
    above = _same_run([line for line in shown if line.strip()], file, range(span[0] - 1, -1, -1))
    below = _same_run([line for line in reversed(shown) if line.strip()], file, range(span[1], len(file.lines)))
    return (span[0] if above is None else above), (span[1] if below is None else below + 1)


def _same_run(shown: Sequence[str], file: Outline, places: range) -> int | None:
    """The farthest line of the longest run beside a span with which a block begins, or, reversed, ends."""
    written = [at for at in places[: len(shown) * 3] if file.lines[at].strip()]
    for count in range(min(len(shown), len(written)), 0, -1):
        run = shown[:count][::-1]
        same = [file.lines[at].rstrip() for at in written[:count]] == [line.rstrip() for line in run]
        is_above = places.step < 0
        tells = any(map(is_telling, run)) or (is_above and run[-1].lstrip().startswith((")", "]", "}")))
        if same and tells:
            return written[count - 1]
    return None


def _last(said: _Said, found: Sequence[re.Match[str]]) -> re.Match[str] | None:
    """The last match behind which nothing is told but, below a colon, what a comment on top of the block says."""
    lines = said.text.rstrip().split("\n")
    texts = [said.text]
    if len(above := [line for line in lines[:-1] if line.strip()]) and above[-1].rstrip().endswith(":"):
        texts.append("\n".join(lines[:-1]))
    return next((match for match in reversed(found) if any(_is_last(text, match.end()) for text in texts)), None)


def _is_last(said: str, end: int) -> bool:
    """Whether no sentence follows, and nothing else is quoted."""
    return re.fullmatch(r"[^.\n\ue000-\ue0ff]{0,200}[.:]?\s*(?:[^.\ue000-\ue0ff]{0,60}:?)?\s*", said[end:]) is not None


def _places(text: str, file: Outline) -> list[int]:
    if is_abbreviated(text) and (spans := extents(text, file)):
        return [start for start, _ in spans]
    return [found.start if found.node is None else file.nodes[found.node].head for found in stands(text, file)]


def _until(start: int, last: str, file: Outline) -> tuple[int, int] | None:
    """The stretch up to the next line that is the last one, not deeper than the first where it closes something."""
    if is_abbreviated(last) and (spans := extents(last, file)):
        return next(((start, end) for at, end in spans if at >= start), None)
    ends = [at for at in _places(last, file) if at >= start]
    if _CLOSING.fullmatch(last):
        lead = indent(file.lines[start]) or 0
        ends = [at for at in ends if (indent(file.lines[at]) or 0) <= lead] or ends
    return (start, ends[0] + 1) if ends else None
