"""A model in doubt: what a reader has written is kept, or written anew where the model would hardly write it."""

from collections.abc import Sequence

import pytest

from redraft.edit.prompts.prompt import Prompt
from redraft.edit.prompts.regional import spelled
from redraft.edit.region.shown import shown
from redraft.edit.request import Request
from redraft.engines import GREEDY
from redraft.errors import RedraftError
from redraft.in_doubt import in_doubt
from redraft.reading import is_agreed, merged, read_request
from redraft.regional import by_regions
from redraft.rewrite import Rewriter
from test_regions import EITHER, TEMPLATE, TWICE, Spelled

FILE = "LIMIT = 10\n\n\ndef b(x):\n    check(x)\n    return x\n"
ANSWER = "The limit is 20 now, and `b` doubles:\n\n```python\ndef b(x):\n    return 2 * x\n```\n"
READ = FILE.replace("    check(x)\n    return x\n", "    return 2 * x\n")
ALL = READ.replace("10", "20")
ALSO_LOGGED = TWICE.removesuffix("    return x\n") + "    log(x)\n    return x\n"


class Ranking(Spelled):
    """Writes one text, and says what each text costs."""

    def __init__(self, written: str, request: Request, nats: float | None, margin: float = 9.0) -> None:
        found = shown(request)
        super().__init__(*spelled(request, found, found.of(written) or ()), margin=margin)
        self.nats = nats

    def rank(self, _: Prompt, texts: Sequence[str]) -> list[float]:
        if self.nats is None:
            raise RedraftError("too long")
        return [-self.nats] * len(texts)


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


def test_a_refusal_is_first_written_anew_by_the_large_model_and_first_chosen_by_the_small_one() -> None:
    either = Request(TWICE, EITHER, "", "a.py")
    assert merged(either).status == "needs_context"
    engine = Ranking(ALSO_LOGGED, either, 0.0)
    large = in_doubt(Rewriter(engine, TEMPLATE, size="large"), either, merged(either), GREEDY)
    assert (large.status, large.output, large.decided_by) == ("applied", ALSO_LOGGED, "model")
    small = in_doubt(Rewriter(engine, TEMPLATE, size="small"), either, merged(either), GREEDY)
    assert (small.status, small.decided_by) == ("applied", "ranking")


def test_in_longer_files_the_large_model_has_to_be_as_sure_as_a_reader_that_no_model_is_asked_about() -> None:
    for lines, status in ((0, "applied"), (40, "needs_context")):
        above = "".join(f"A{n} = {n}\n" for n in range(lines)) + "\n\n"
        request, written = Request(above + TWICE, EITHER, "", "a.py"), above + ALSO_LOGGED
        engine = Ranking(written, request, None, margin=6.5)
        model = Rewriter(engine, TEMPLATE, size="large")
        alone = by_regions(model, request, read_request(request), GREEDY)
        assert (alone.status, alone.output) == ("applied", written)
        assert in_doubt(model, request, merged(request), GREEDY).status == status
