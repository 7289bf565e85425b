"""A model in doubt: what a reader has written is kept, or written anew where the model would hardly write it."""

from collections.abc import Sequence

import pytest

from redraft.choosing import listed
from redraft.edit.prompts.prompt import Prompt
from redraft.edit.prompts.regional import spelled, text_of
from redraft.edit.region.shown import shown
from redraft.edit.request import Request
from redraft.engines import GREEDY
from redraft.errors import RedraftError
from redraft.in_doubt import in_doubt
from redraft.reading import is_agreed, merged
from redraft.rewrite import Rewriter
from test_regions import EITHER, TEMPLATE, TWICE, Spelled

FILE = "LIMIT = 10\n\n\ndef b(x):\n    check(x)\n    return x\n"
ANSWER = "The limit is 20 now, and `b` doubles:\n\n```python\ndef b(x):\n    return 2 * x\n```\n"
READ = FILE.replace("    check(x)\n    return x\n", "    return 2 * x\n")
ALL = READ.replace("10", "20")
ALSO_LOGGED = TWICE.removesuffix("    return x\n") + "    log(x)\n    return x\n"


class Ranking(Spelled):
    """Writes one text, and says what each text costs: `only` one less than much."""

    def __init__(
        self, written: str, request: Request, nats: float | None, only: str | None = None, margin: float = 9.0
    ) -> None:
        found = shown(request)
        super().__init__(*spelled(request, found, found.of(written) or ()), margin=margin)
        self.nats = nats
        self.only = None if only is None else text_of(request, found, found.of(only) or ())

    def rank(self, _: Prompt, texts: Sequence[str]) -> list[float]:
        if self.nats is None:
            raise RedraftError("too long")
        return [-self.nats if self.only in (None, text) else -40.0 for text in texts]


def request() -> Request:
    return Request(FILE, ANSWER, "", "a.py")


def test_the_reader_writes_what_a_model_is_to_look_at() -> None:
    found = merged(request())
    assert (found.status, found.output) == ("applied", READ)
    assert not is_agreed(request(), found)


@pytest.mark.parametrize(
    ("nats", "written", "status", "output", "asked"),
    [
        (0.1, ALL, "applied", READ, 0),
        (None, ALL, "applied", READ, 0),  # a model that cannot say changes nothing
        (30.0, ALL, "applied", ALL, 1),
        (30.0, FILE, "needs_context", READ, 1),  # what it would write instead is nothing
    ],
)
def test_what_a_reader_has_written_stays_unless_it_is_dear(
    nats: float | None, written: str, status: str, output: str, asked: int
) -> None:
    engine = Ranking(written, request(), nats)
    for size in ("small", "large"):
        model = Rewriter(engine, TEMPLATE, size=size)
        result = in_doubt(model, request(), merged(request()), GREEDY)
        assert (result.status, result.output) == (status, output)
    assert len(engine.prompts) == 2 * asked


def test_what_the_model_writes_is_taken_before_anything_is_ranked() -> None:
    either = Request(TWICE, EITHER, "", "a.py")
    assert merged(either).status == "needs_context"
    result = in_doubt(Rewriter(Ranking(ALSO_LOGGED, either, None), TEMPLATE), either, merged(either), GREEDY)
    assert (result.status, result.output, result.decided_by) == ("applied", ALSO_LOGGED, "model")


@pytest.mark.parametrize(("nats", "status"), [(0.02, "applied"), (9.0, "needs_context")])
def test_what_a_reader_lists_is_taken_where_a_law_forbids_what_the_model_writes(nats: float, status: str) -> None:
    either = Request(TWICE, EITHER, "", "a.py")
    likely, *_ = listed(either)
    engine = Ranking(TWICE.replace("check", "log"), either, nats, only=likely)
    for size in ("small", "large"):
        result = in_doubt(Rewriter(engine, TEMPLATE, size=size), either, merged(either), GREEDY)
        assert (result.status, result.decided_by) == (status, "ranking")
        assert result.output == likely
        assert (result.message == "") == (status == "applied")


@pytest.mark.parametrize(
    ("lines", "margin", "status"), [(0, 4.5, "applied"), (40, 4.5, "needs_context"), (40, 9.0, "applied")]
)
def test_in_longer_files_a_text_has_to_be_likelier(lines: int, margin: float, status: str) -> None:
    above = "".join(f"A{n} = {n}\n" for n in range(lines)) + "\n\n"
    longer = Request(above + TWICE, EITHER, "", "a.py")
    engine = Ranking(above + ALSO_LOGGED, longer, None, margin=margin)
    result = in_doubt(Rewriter(engine, TEMPLATE, size="large"), longer, merged(longer), GREEDY)
    assert result.status == status
