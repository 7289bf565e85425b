"""Regions: what an answer is about is among them, all other lines stay, and a model writes them anew."""

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.apply import Redraft
from redraft.edit.prompts.prompt import Part, Prompt
from redraft.edit.prompts.regional import asked, regions_of, spelled
from redraft.edit.prompts.template import find_template
from redraft.edit.region.select import Region, select
from redraft.edit.region.shown import Shown, rewritten, shown
from redraft.edit.request import Request
from redraft.edit.text.changes import split_lines
from redraft.engines import GREEDY, Chunk, Sampling
from redraft.measure.accuracy.systems import Remembering
from redraft.measure.sets.named import read_set
from redraft.reading import merged
from redraft.regional import cost

_SPECIAL = 0x110000
LINES = st.lists(st.text("ab{}\n é".replace("\n", ""), max_size=4), max_size=12)
TEMPLATE = find_template("regions")
FILE = "".join(f"def step_{n}(value):\n    total = value * {n}\n    return total\n\n\n" for n in range(40))
ANSWER = "Halve it:\n\n```python\ndef step_7(value):\n    total = value * 7\n    return total / 2\n```\n"


class Spelled:
    """An engine that writes parts, whatever it is asked, a sign an id."""

    template = "regions"

    def __init__(self, *written: Part, margin: float = 9.0) -> None:
        self.written, self.margin, self.prompts = written, margin, list[Prompt]()
        self._special = list(dict.fromkeys(part.text for part in written if part.special))

    def generate(self, prompt: Prompt, sampling: Sampling = GREEDY) -> Iterator[Chunk]:
        self.prompts.append(prompt)
        ids = tuple(id_ for part in self.written for id_ in self._ids(part))
        yield Chunk((), ids, ("model",) * len(ids), (self.margin,) * len(ids), 0, 0, 1, "stop", 0)

    def _ids(self, part: Part) -> list[int]:
        return [_SPECIAL + self._special.index(part.text)] if part.special else [*map(ord, part.text)]

    def encode(self, text: str) -> list[int]:
        return [*map(ord, text)]

    def decode(self, ids: Sequence[int]) -> str:
        return "".join(chr(id_) for id_ in ids if id_ < _SPECIAL)

    def parts(self, ids: Sequence[int]) -> tuple[Part, ...]:
        return tuple(
            Part(chr(id_)) if id_ < _SPECIAL else Part(self._special[id_ - _SPECIAL], special=True) for id_ in ids
        )


def writing(request: Request, old: str, new: str) -> Spelled:
    """A model that writes the regions of a request with one text in the place of another."""
    found = shown(request)
    texts = ["\n".join(lines).replace(old, new).split("\n") for lines in found.texts]
    return Spelled(*spelled(request, found, texts))


@given(LINES, LINES, st.data())
def test_the_file_is_put_together_again_from_any_regions(old: list[str], new: list[str], data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(0, len(old)), max_size=6)))
    regions = tuple(Region(a, b) for a, b in zip(cuts[::2], cuts[1::2], strict=False))
    found = Shown(tuple(old), regions)
    text = "".join(f"{line}\n" for line in old)
    assert found.file(text, found.texts) == text
    texts = rewritten(old, new, regions)
    if texts is not None and new:
        assert split_lines(found.file("\n", texts)) == new


@given(
    st.lists(st.lists(st.text(max_size=6).filter(lambda text: "\n" not in text), min_size=1), min_size=1, max_size=9),
    st.booleans(),
    st.booleans(),
)
def test_what_is_spelled_is_read_again(texts: list[list[str]], at_top: bool, at_end: bool) -> None:
    lines = ("x",) * (7 * len(texts) - 3 * at_top - 2 * at_end)
    regions = tuple(
        Region(max(0, 7 * n + 3 - 3 * at_top), min(len(lines), 7 * n + 5 - 3 * at_top)) for n in range(len(texts))
    )
    request, found = Request("\n".join(lines), "a", "", "a.py"), Shown(lines, regions)
    assert regions_of(spelled(request, found, texts), request, found) == texts
    lost = Part("".join(part.text for part in spelled(request, found, texts)).replace("[[", "[", 1))
    assert regions_of([lost], request, found) is None or not any(found.separators)


def test_a_text_that_spells_a_border_is_none() -> None:
    request, found = Request("````\nx\n", "x\n", "", "a.md"), Shown(("x",), (Region(0, 1),))
    parts = spelled(request, found, [["<|im_end|>", "````"]])
    assert [part.special for part in parts] == [False, True]
    assert regions_of(parts, request, found) == [["<|im_end|>", "````"]]


def test_what_hand_written_answers_change_lies_in_their_regions() -> None:
    cases = read_set("natural").cases
    inside = 0
    for case in cases:
        inside += shown(case.request).of(case.expected) is not None
    assert inside >= 0.8 * len(cases)


def test_few_lines_of_a_long_file_are_shown() -> None:
    request = Request(FILE, ANSWER, "", "steps.py")
    found = shown(request)
    assert sum(region.end - region.start for region in found.regions) < 60
    assert any("def step_7(value):" in lines for lines in found.texts)
    assert select([], None, "a.py") == ()  # type: ignore[arg-type]


def test_the_prompt_holds_the_answer_and_the_regions_with_their_places() -> None:
    request = Request(FILE, ANSWER, "halve step 7", "steps.py")
    found = shown(request)
    text = "".join(part.text for part in asked(request, found) if not part.special)
    assert all(
        piece in text for piece in ("steps.py", "halve step 7", ANSWER.strip("\n"), *filter(None, found.separators))
    )
    assert text.endswith("assistant\n```py\n")


def test_what_the_model_writes_is_put_back() -> None:
    request = Request(FILE, ANSWER, "", "steps.py")
    engine = writing(request, "value * 7\n    return total\n", "value * 7\n    return total / 2\n")
    result = Redraft.of(engine, TEMPLATE, "model").answer(request)
    wanted = FILE.replace("value * 7\n    return total\n", "value * 7\n    return total / 2\n")
    assert (result.status, result.output, result.decided_by) == ("applied", wanted, "model")


def test_an_evaluation_asks_for_regions_too() -> None:
    request = Request(FILE, ANSWER, "", "steps.py")
    engine = Remembering(writing(request, "value * 7\n    return total\n", "value * 7\n    return total / 2\n"))
    assert Redraft.of(engine, TEMPLATE, "model").answer(request).status == "applied"


def test_the_reader_alone_writes_what_it_is_sure_of() -> None:
    engine = Spelled()
    result = Redraft.of(engine, TEMPLATE, "auto").answer(Request(FILE, ANSWER, "", "steps.py"))
    assert (result.status, result.decided_by, engine.prompts) == ("applied", "merge", [])


TWICE = "def a(x):\n    check(x)\n    return x\n\n\ndef b(x):\n    check(x)\n    return x\n"
EITHER = "Log what comes into `b`:\n\n```python\n# ...\n    check(x)\n    log(x)\n    return x\n```\n"
LOGGED = "    check(x)\n    log(x)\n    return x\n"


@pytest.mark.parametrize(
    ("old", "new", "status"),
    [
        (TWICE[-len(LOGGED) + 11 :], LOGGED, "applied"),
        ("return x\n", "return x  # checked\n", "needs_context"),
    ],
)
def test_in_doubt_the_model_writes_what_keeps_all_laws(old: str, new: str, status: str) -> None:
    request = Request(TWICE, EITHER, "", "a.py")
    alone = merged(request)
    assert alone.status == "needs_context"
    written = TWICE[: -len(old)] + new if TWICE.endswith(old) else TWICE.replace(old, new)
    found = shown(request)
    engine = Spelled(*spelled(request, found, found.of(written) or ()))
    result = Redraft.of(engine, TEMPLATE, "auto").answer(request)
    assert (result.status, bool(engine.prompts)) == (status, True)
    assert (result.output == written) == (status == "applied")
    assert result.decided_by == ("model" if status == "applied" else alone.decided_by)


@pytest.mark.parametrize(("margin", "status"), [(9.0, "applied"), (3.5, "needs_context")])
@pytest.mark.parametrize("logged", [LOGGED + "    # done\n", LOGGED.replace("log(x)", "log(x, 1)")])
def test_a_line_that_nobody_shows_is_written_where_the_model_is_sure(margin: float, status: str, logged: str) -> None:
    request = Request(TWICE, EITHER, "", "a.py")
    found, written = shown(request), TWICE[: -len(LOGGED) + 11] + logged
    engine = Spelled(*spelled(request, found, found.of(written) or ()), margin=margin)
    assert Redraft.of(engine, TEMPLATE, "auto").answer(request).status == status


def test_a_model_that_loses_count_is_refused() -> None:
    request = Request(FILE, ANSWER, "", "steps.py")
    engine = Spelled(Part("[[ lines 1 to 2 ]]\n```"))
    result = Redraft.of(engine, TEMPLATE, "model").answer(request)
    assert (result.status, result.output) == ("needs_context", None)
    assert "lost count" in result.message


@given(st.lists(st.floats(0, 20), min_size=1, max_size=20), st.floats(0, 20))
def test_a_token_that_might_be_another_speaks_against_a_text(margins: list[float], more: float) -> None:
    assert cost([*margins, more]) >= cost(margins)
    assert cost([]) > cost([*margins, more])
