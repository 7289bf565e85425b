"""In: a file's lines and lines of a sketch. Out: these lines in the file's spelling, where the file says how.

What a chat model writes carelessly: another indentation, another quote, a comment left out at the end of a line; notes
that lines are gone.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property, partial
from itertools import islice, pairwise

from msgspec.structs import replace

from redraft.edit.align.indents import Change, both, in_units, moved_back, moved_by, step, units
from redraft.edit.align.likeness import LONG_LINE, TELLING, Head, head, weight, without_comment
from redraft.edit.align.quotes import in_one_quote
from redraft.edit.answer.block import Line
from redraft.edit.text.changes import standing
from redraft.edit.text.lines import is_telling, lead_of, places, width_of, without_blank_ends, written

Pairs = Sequence[tuple[str, str]]  # how lines are indented, and how the file has them
MOVES = 8  # changes of indentation by one amount that are tried, at most


class Known:
    """The lines of the file, looked up by text, by text without indentation, and by careless spelling.

    `units` are the changes of indentation that may turn all of the sketch's into the file's; `is_quoted`: the sketch's
    quotes are meant; `is_faithful`: so are tabs among blanks, where other lines are indented as in the file.
    """

    def __init__(
        self, lines: Sequence[str], sketch: Sequence[str], is_quoted: bool = False, is_faithful: bool = False
    ) -> None:
        self.lines = list(lines)
        self._sketch, self._is_quoted, self.is_faithful = sketch, is_quoted, is_faithful
        self.count = Counter(lines)
        self.neighbours = set(pairwise(lines))
        self.step = step(lines)
        self.units = self.units_of(sketch)
        self.leads: dict[str, set[str]] = defaultdict(set)
        self.spelled: dict[str, list[str]] = defaultdict(list)
        for line in self.count:
            self.leads[line.strip()].add(lead_of(line))
            if len(line) <= LONG_LINE:
                for spelling in {self.spelling(line), self.spelling(without_comment(line))}:
                    self.spelled[spelling].append(line)
        self._places = places(lines)

    def spelling(self, text: str) -> str:
        """A line without what sketches may spell otherwise."""
        return text if self._is_quoted else in_one_quote(text)

    def units_of(self, solid: Sequence[str]) -> list[tuple[str, str]]:
        """Pairs of the unit of lines of the sketch and the file's."""
        return units(self.step, solid)

    @cached_property
    def unit(self) -> tuple[str, str] | None:
        """The sketch's unit and the file's, where all that is shown together says so."""
        shown = {text for text in self._sketch if is_telling(text) and lead_of(text)}
        if not shown.isdisjoint(self.count):
            return None
        found = {pair: sum(self.tells(in_units(*pair, text)) for text in shown) for pair in self.units}
        best = max(found, key=found.__getitem__, default=None)
        return best if best and found[best] > 1 else None

    @cached_property
    def defined(self) -> dict[Head, list[str]]:
        """The indentation of each line that defines something or sets a name."""
        leads: dict[Head, list[str]] = defaultdict(list)
        for line in self.lines:
            if (about := head(line.strip())).kind in ("definition", "name"):
                leads[about].append(lead_of(line))
        return leads

    def find(self, run: list[str]) -> list[int]:
        """Where these lines stand one after the other, two places at most."""
        return list(islice(standing(run, self.lines, self._places), 2))

    def tells(self, line: str) -> bool:
        """Whether a line tells its place."""
        return self.count[line] == 1 and is_telling(line)


def corrected(run: Sequence[Line], known: Known, is_placed: bool = False) -> list[Line]:
    """The lines in the file's spelling; a marker as it is. `is_placed`: other lines of the block are indented so."""
    if run[0].kind == "marker":
        return list(run)
    texts = indented([line.text for line in run], known, is_placed)
    lines = [replace(line, text=text) for line, text in zip(run, texts, strict=True)]
    return _without_slips(lines, known)


def indented(texts: Sequence[str], known: Known, is_placed: bool = False) -> list[str]:
    """The lines in the file's indentation: all that is shown is moved, or its unit is another."""
    as_is = known.count.keys() & written(texts)
    if change := _best_change(texts, known, is_placed):
        found = [*map(change, texts)]
    else:
        found = list(texts) if any(map(is_telling, as_is)) else _beside_namesake(texts, known)
    if found == texts and known.unit and not any(map(lead_of, as_is)):
        found = [in_units(*known.unit, text) for text in texts]
    return found


def _best_change(texts: Sequence[str], known: Known, is_placed: bool) -> Change | None:
    """The change of indentation that puts the most lines right, None where all of them are better as they are."""
    solid = written(texts)
    as_is = known.count.keys() & solid
    firm = [*filter(is_telling, as_is)]
    best, found = (False, len(as_is), _neighbours(solid, known)), None
    outer, held = outermost(solid, known), _held(texts, known)
    is_intended = known.is_faithful and any(map(lead_of, firm))
    for change in (*_changes(solid, known, is_placed, is_intended), *_moves_of(outer, solid, known)):
        if [*map(change, held)] != held:
            continue
        changed = known.count.keys() & map(change, solid)
        is_right = bool(outer) and known.count.keys() >= {*map(change, outer)}
        rank = (is_right, len(changed), _neighbours(map(change, solid), known))
        if rank > best and (is_right or _holds(change, firm, changed, known)):
            best, found = rank, change
    return found


def _neighbours(texts: Iterable[str], known: Known) -> int:
    """How many lines stand in the file below the same line."""
    return sum(pair in known.neighbours for pair in pairwise(texts))


def _held(texts: Sequence[str], known: Known) -> list[str]:
    """The first and the last line where both are the file's, and one stands beside the same line there: what is between
    them is indented anew."""
    shown = without_blank_ends(texts)
    ends = [*shown[:1], *shown[-1:]]
    pairs = {tuple(shown[:2]), tuple(shown[-2:])} & known.neighbours
    return ends if known.count.keys() >= {*ends} and any(is_telling("".join(pair)) for pair in pairs) else []


def outermost(texts: Sequence[str], known: Known) -> list[str]:
    """The least indented lines that tell their place, where the file has each in one other indentation."""
    telling = [*filter(is_telling, _least_indented(texts))]
    if any(text in known.count and weight(text.strip()) >= TELLING for text in telling):
        return []
    return [text for text in telling if len(known.leads.get(text.strip(), ())) == 1]


def _least_indented(texts: Sequence[str]) -> list[str]:
    """The lines of least indentation."""
    outer = min(map(width_of, written(texts)), default=0)
    return [text for text in texts if width_of(text) == outer]


def _moves_of(outer: Sequence[str], solid: Sequence[str], known: Known) -> Iterator[Change]:
    """The move that puts the outermost lines right, if it is one for all."""
    pairs = {(lead_of(text), lead) for text in outer for lead in known.leads[text.strip()]}
    for own, lead in pairs if len(pairs) == 1 else ():
        if lead.endswith(own):
            yield partial(moved_by, lead.removesuffix(own))
        elif own.endswith(lead) and all(text.startswith(own.removesuffix(lead)) for text in solid):
            yield partial(moved_back, own.removesuffix(lead))


def _holds(change: Change, firm: Sequence[str], changed: Collection[str], known: Known) -> bool:
    """Whether a change leaves what stands in the file as it is, or puts far more lines right."""
    return known.count.keys() >= {*map(change, firm)} or sum(map(is_telling, changed)) > 2 * len(firm)


def _beside_namesake(texts: Sequence[str], known: Known) -> list[str]:
    """The lines moved to where the file defines what their first definition defines, if that is there once."""
    for text in texts:
        about = head(text.strip())
        leads = known.defined.get(about, [])
        if about.kind == "definition" and len(leads) == 1 and leads[0].endswith(lead_of(text)):
            moved = leads[0].removesuffix(lead_of(text))
            return [moved_by(moved, text) for text in texts]
    return _beside_versions(texts, known)


def _beside_versions(texts: Sequence[str], known: Known) -> list[str]:
    """The lines moved to where the file sets the names that the outermost of them set, if that is once."""
    named = [(text, about) for text in _least_indented(texts) if (about := head(text.strip())).kind == "name"]
    pairs = {(lead_of(text), lead) for text, about in named for lead in known.defined.get(about, ())}
    own, lead = pairs.pop() if len(pairs) == 1 else ("", "")
    return [moved_by(lead.removesuffix(own), text) for text in texts] if lead.endswith(own) else list(texts)


def _changes(solid: Sequence[str], known: Known, is_placed: bool, is_intended: bool) -> Iterator[Change]:
    """Changes of indentation that put some line right: of its unit, a move to the right, or both. `is_intended`: tabs
    among blanks are."""
    pairs = _misplaced(solid, known)
    known_units = dict.fromkeys((*known.units, *known.units_of(solid)))
    units = [partial(in_units, *pair) for pair in known_units if not is_intended or pair[0][0] == pair[1][0]]
    yield from (change for change in units if any(change(own) == lead != own for own, lead in pairs))
    yield from _moves(solid, pairs, known)
    yield from _moves_back(solid, pairs, known, is_placed)
    for change in units:
        changed = [change(text) for text in solid]
        if changed != solid:
            for move in _moves(changed, _misplaced(changed, known), known):
                yield partial(both, change, move)


def _misplaced(solid: Sequence[str], known: Known) -> Pairs:
    """How lines are indented and how the file has them, where it has them once and otherwise."""
    others = [(lead_of(text), known.leads.get(text.strip(), ())) for text in solid if text not in known.count]
    return [(own, next(iter(leads))) for own, leads in others if len(leads) == 1]


def _moves(solid: Sequence[str], pairs: Pairs, known: Known) -> Iterator[Change]:
    moves = Counter(sorted(lead.removesuffix(own) for own, lead in pairs if lead.endswith(own)))
    for moved in sorted(moved for moved, _ in moves.most_common(MOVES)):
        if _is_context([moved + text for text in solid], known):
            yield partial(moved_by, moved)


def _moves_back(solid: Sequence[str], pairs: Pairs, known: Known, is_placed: bool) -> Iterator[Change]:
    """The same to the left: all that is shown stands deeper than in the file."""
    moves = Counter(sorted(own.removesuffix(lead) for own, lead in pairs if own.endswith(lead) and own != lead))
    for moved, _ in moves.most_common(MOVES):
        texts = [text.removeprefix(moved) for text in solid]
        is_strange = not any(map(is_telling, known.count.keys() & solid))
        # What is one deeper than the file's may be so because new code is around it.
        is_intended = texts[0] in known.count if is_placed else is_strange or _is_context(texts, known)
        if all(text.startswith(moved) for text in solid) and is_intended:
            yield partial(moved_back, moved)


def _is_context(texts: Sequence[str], known: Known) -> bool:
    """Whether lines begin with one of the file, or two stand so in the file: what is all new may hold a known line."""
    pairs = (pair for pair in pairwise(texts) if pair in known.neighbours)
    return (is_telling(texts[0]) and texts[0] in known.count) or any(any(map(is_telling, pair)) for pair in pairs)


def _without_slips(lines: Sequence[Line], known: Known) -> list[Line]:
    """Context that is spelled carelessly is that of the file: beside a line that it stands beside there, too.

    Where nothing else changes, the spelling is the change.
    """
    texts = ["\n", *(line.text for line in lines), "\n"]
    changed = [False, *(line.text not in known.count or line.kind == "removed" for line in lines), False]
    shown, found = set(texts), list(lines)
    for number, line in enumerate(lines, 1):
        spellings = known.spelled.get(known.spelling(line.text), [])
        is_alone = changed[number - 1 : number + 2] == [False, True, False] and not line.added
        if not is_alone or len(spellings) != 1 or spellings[0] in shown:
            continue
        if {(texts[number - 1], spellings[0]), (spellings[0], texts[number + 1])} & known.neighbours:
            found[number - 1] = replace(line, text=spellings[0])
    slips = sum(new is not line for new, line in zip(found, lines, strict=True))
    if slips == sum(changed) and slips and known.find([line.text for line in found]):
        return list(lines)
    return found


def stands_beside(shown: Sequence[Line], run: Sequence[Line], known: Known) -> bool:
    """Whether what is shown has indented lines of the file, as there, outside of a run."""
    inside = {id(line) for line in run}
    others = [line.text for line in shown if line.kind == "code" and id(line) not in inside]
    return any(known.tells(text) and lead_of(text) for text in others)
