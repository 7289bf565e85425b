"""Two ways of decoding take turns on one engine: both write the same, and each is a run of its own."""

from collections.abc import Iterator

from redraft.apply import Redraft
from redraft.edit.prompts.template import find_template
from redraft.edit.request import Request
from redraft.engines import GREEDY, Chunk, Sampling
from redraft.engines.scripted import Scripted
from redraft.race import Run, both_ways, first_difference, race

FILE = "def a():\r\n    return 1\r\n\r\n\r\ndef b():\r\n    return 2\r\n"
NEW = FILE.replace("2", "3")


def started(target: str) -> tuple[Run, Run]:
    writing = Redraft.of(Scripted(target), find_template("chat")).writing(Request(FILE, "def b():\n    return 3\n"))
    return both_ways(writing.chunks)


def test_both_ways_write_the_same_and_only_one_is_drafted() -> None:
    vanilla, drafts = started(NEW.replace("\r", ""))
    laps = list(race((vanilla, drafts)))
    assert vanilla.text == drafts.text == NEW.replace("\r", "")
    assert first_difference(vanilla, drafts) is None
    assert len(vanilla.chunks) == len(vanilla.ids) > len(drafts.chunks)
    assert len(laps) == len(vanilla.chunks) + len(drafts.chunks) + 2
    assert vanilla.statistics().drafted == 0 < drafts.statistics().accepted


def test_who_had_less_of_the_engine_is_next() -> None:
    runs = started(NEW)
    before = {run.way: run.seconds for run in runs}
    for run, _ in race(runs):
        other = next(each for each in runs if each is not run)
        assert before[run.way] <= before[other.way] or other.is_done
        before[run.way] = run.seconds


def test_the_first_token_that_differs_is_found() -> None:
    chunk = {"drafted": 0, "accepted": 0, "forwards": 1, "prompt_tokens": 1}

    def run(ids: tuple[int, ...]) -> Run:
        def ask(sampling: Sampling) -> Iterator[Chunk]:
            yield Chunk((), ids, ("model",) * len(ids), (1.0,) * len(ids), finish="stop", **chunk)

        found = Run.start("token by token", ask, GREEDY)
        list(race([found]))
        return found

    assert first_difference(run((1, 2, 3)), run((1, 2, 3))) is None
    assert first_difference(run((1, 2, 3)), run((1, 5, 3))) == 1
    assert first_difference(run((1, 2, 3)), run((1, 2))) == 2


def test_what_was_written_is_judged_with_the_files_own_line_ends() -> None:
    writing = Redraft.of(Scripted(NEW.replace("\r", "")), find_template("chat")).writing(
        Request("\ufeff" + FILE, "def b():\n    return 3\n")
    )
    result = writing.result(list(writing.chunks()))
    assert (result.status, result.output, result.decided_by) == ("applied", "\ufeff" + NEW, "model")
