"""A model rates outputs: each once, in random order, its verdicts kept; the curated outputs are rated by it, too."""

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Lock

import pytest

from chat_server import Reply, answer, serving
from redraft.data.languages import language
from redraft.edit.request import Request
from redraft.edit.syntax import faults
from redraft.engines.endpoint import Endpoint
from redraft.errors import RedraftError
from redraft.measure.accuracy.grade import grade
from redraft.measure.accuracy.outcome import Outcome
from redraft.measure.cases import Case
from redraft.measure.judging import curated
from redraft.measure.judging.curated import Curated, read_curated
from redraft.measure.judging.judge import GUIDELINES, Judge, Question, questions
from redraft.measure.judging.verdict import Verdicts, digest

RIGHT, WRONG, BLANK = "a = 2\nb = 1\n", "a = 2\n", "a = 2\n\nb = 1\n"
REQUEST = Request("a = 1\nb = 1\n", "a = 2\n# ...\n", path="a.py")
SCORES = {RIGHT: 5, BLANK: 4, WRONG: 1}
CANDIDATE = re.compile(r"^Candidate (\w+):\n\n(`{3,})\n(.*?)^\2$", re.DOTALL | re.MULTILINE)
Messages = Sequence[dict[str, str]]


@pytest.fixture(autouse=True)
def direct(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    monkeypatch.chdir(tmp_path)


def shown(messages: Messages) -> dict[str, str]:
    """The candidates of a request, by letter, in their order."""
    return {label: text for label, _, text in CANDIDATE.findall(messages[1]["content"])}


def ruled(messages: Messages) -> Reply:
    """A judge that knows what is right."""
    said = {label: {"reason": f"it is {text!r}", "score": SCORES[text]} for label, text in shown(messages).items()}
    return answer(json.dumps(said))


def saying(content: str | None) -> Callable[[Messages], Reply]:
    return lambda _: answer(content)


def judge(url: str, seed: int = 0, **changed: float) -> Judge:
    endpoint = Endpoint(url, "m", wait=0.0, **{"timeout": 20.0, "retries": 1, **changed})  # type: ignore[arg-type]
    return Judge(endpoint, Verdicts(Path("v.jsonl")), seed)


def ask(url: str, **outputs: str) -> str:
    """The failure of one case, "" for none."""
    return next(judge(url).rate([Question("one", REQUEST, outputs)]))


def scores() -> dict[tuple[str, str], int]:
    return {(one.id, one.system): one.score for one in Verdicts(Path("v.jsonl"))}


def case(name: str) -> Case:
    return Case(name, REQUEST, RIGHT, "python", "hunks")


def outcome(name: str, system: str, output: str | None, status: str = "applied") -> Outcome:
    is_right = output == RIGHT
    return Outcome(
        name, system, "python", "hunks", 2, "up to 100", is_right, is_right, output in (RIGHT, BLANK), False,
        None if is_right else output, status, "", 0.9, "both", *(0,) * 5, 0.0, 0.0,
    )  # fmt: skip


def test_outputs_are_rated_and_what_was_refused_is_not() -> None:
    cases = [case(name) for name in ("one", "two", "three", "unused")]
    found = [
        outcome("one", "a", RIGHT),
        outcome("one", "b", WRONG),
        outcome("one", "c", RIGHT),
        outcome("one", "d", WRONG, "marker_leak"),
        outcome("one", "e", None, "error"),
        outcome("two", "a", BLANK, "no_change"),
        outcome("three", "a", WRONG, "needs_context"),
    ]
    with serving(ruled) as server:
        assert list(judge(server.url).rate(questions(cases, found))) == ["", ""]
    assert scores() == {("one", "a"): 5, ("one", "b"): 1, ("one", "c"): 5, ("two", "a"): 4}
    bodies = {body["messages"][1]["content"].count("Candidate"): body for body, _ in server.requests}
    assert (len(server.requests), sorted(bodies)) == (2, [1, 2])
    assert all((body["temperature"], body["model"]) == (0, "m") for body in bodies.values())
    system, user = bodies[2]["messages"]
    assert system == {"role": "system", "content": GUIDELINES.read_text()}
    assert all(part in user["content"] for part in (REQUEST.original, REQUEST.update, "The file a.py:"))
    (one,) = (v for v in Verdicts(Path("v.jsonl")) if (v.id, v.system) == ("one", "b"))
    seen = shown(bodies[2]["messages"])
    assert one.order == tuple(map(digest, seen.values()))
    assert (one.output, one.reason, one.model) == (digest(WRONG), f"it is {WRONG!r}", "m")
    assert json.loads(one.answer).keys() == seen.keys() == {"A", "B"}


def test_the_judge_does_not_see_what_is_expected() -> None:
    with serving(saying('{"A": {"reason": "", "score": 2}}')) as server:
        list(judge(server.url).rate(questions([case("one")], [outcome("one", "a", WRONG)])))
    assert RIGHT not in server.requests[0][0]["messages"][1]["content"]


def test_what_has_a_verdict_is_not_asked_again() -> None:
    asked = [Question(name, REQUEST, {"a": RIGHT, "b": WRONG}) for name in ("one", "two")]
    with serving(ruled) as server:
        list(judge(server.url).rate(asked))
        before = Path("v.jsonl").read_bytes()
        assert list(judge(server.url).rate(asked)) == ["", ""]
        assert (len(server.requests), Path("v.jsonl").read_bytes()) == (2, before)
        assert ask(server.url, a=RIGHT, b=WRONG, c=RIGHT) == ""
        assert len(server.requests) == 2
        assert ask(server.url, a=RIGHT, b=WRONG, c=RIGHT, d=BLANK) == ""
        assert [shown(body["messages"]) for body, _ in server.requests[2:]] == [{"A": BLANK}]
    assert [scores()["one", system] for system in "abcd"] == [5, 1, 5, 4]


def test_a_verdict_that_was_cut_off_is_asked_for_again() -> None:
    with serving(ruled) as server:
        ask(server.url, a=RIGHT, b=WRONG)
        Path("v.jsonl").write_bytes(Path("v.jsonl").read_bytes()[:-9])
        (kept,) = scores()
        ask(server.url, a=RIGHT, b=WRONG)
    assert len(shown(server.requests[1][0]["messages"])) == 1
    assert scores() == {("one", "a"): 5, ("one", "b"): 1}
    assert kept in scores()


def test_another_output_needs_another_file() -> None:
    with serving(ruled) as server:
        ask(server.url, a=RIGHT)
        with pytest.raises(RedraftError, match=r"v\.jsonl holds a verdict on another output of a for one"):
            ask(server.url, a=WRONG)
    assert len(server.requests) == 1


def test_strange_files_and_cases_are_named() -> None:
    with pytest.raises(RedraftError, match="the cases have no two, which a was run on"):
        questions([case("one")], [outcome("two", "a", RIGHT)])
    good = {"id": "one", "system": "a", "model": "m", "score": 5, "reason": "", "output": "", "order": [], "answer": ""}
    for row in (good | {"score": 6}, good | {"score": "5"}, good | {"more": 1}, {"id": "one"}, [good]):
        Path("v.jsonl").write_text(json.dumps(good) + "\n" + json.dumps(row) + "\n")
        with pytest.raises(RedraftError, match=r"v\.jsonl:2: not a verdict"):
            Verdicts(Path("v.jsonl"))
    Path("v.jsonl").unlink()
    Path("v.jsonl").mkdir()
    with serving(ruled) as server, pytest.raises(RedraftError, match=r"cannot (read|write) v\.jsonl"):
        ask(server.url, a=RIGHT)


def test_the_order_is_random_and_the_seed_decides_it() -> None:
    asked = [Question(str(number), REQUEST, {"a": RIGHT, "b": WRONG, "c": BLANK}) for number in range(30)]

    def orders(seed: int, asked: Sequence[Question]) -> list[tuple[str, ...]]:
        Path("v.jsonl").unlink(missing_ok=True)
        with serving(ruled) as server:
            list(judge(server.url, seed).rate(asked))
        found = {one.id: one.order for one in Verdicts(Path("v.jsonl"))}
        return [found[question.id] for question in asked]

    first = orders(0, asked)
    assert len(set(first)) == 6
    assert Counter(order.index(digest(RIGHT)) for order in first).keys() == {0, 1, 2}
    assert orders(0, [replace(one, outputs=dict(reversed(one.outputs.items()))) for one in asked]) == first
    assert orders(1, asked) != first


@pytest.mark.parametrize(
    "content",
    [
        '{"A": {"reason": "why", "score": 4}}',
        'Sure, here it is:\n\n```json\n{"A": {"reason": "why", "score": 4}}\n```\n\nIt is {fine}.',
        '{"a": {"score": "4", "reason": "why"}, "B": {"score": 1}}',
        '{"Candidate A": {"reason": "why", "score": "4/5"}}',
        '{ "A" : { "reason" : "why", "score" : 4.0 } } {"note": {"score": 2}}',
        '<think>{"A": {"reason": "at first", "score": 2}} {"A": </think>{"A": {"reason": "why", "score": 4}}',
    ],
)
def test_ratings_are_found_in_what_a_model_says(content: str) -> None:
    with serving(saying(content)) as server:
        assert ask(server.url, a=RIGHT, b=RIGHT) == ""
    assert [(one.system, one.score, one.reason, one.answer) for one in Verdicts(Path("v.jsonl"))] == [
        ("a", 4, "why", content),
        ("b", 4, "why", content),
    ]


def test_reasons_may_hold_newlines_brackets_and_halves_of_characters() -> None:
    with serving(saying('{"A": {"reason": "line 1\n{line 2} \\ud800", "score": 3}}')) as server:
        assert ask(server.url, a=RIGHT) == ""
    assert [one.reason for one in Verdicts(Path("v.jsonl"))] == ["line 1\n{line 2} ?"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("I'm sorry, but I can't help with that.", "I'm sorry"),
        ("", "the answer is ''"),
        (None, "the answer is ''"),
        ('{"A": {"reason": "cut o', "cut o"),
        ('{"A": 4}', ": 4}"),
        ('[{"score": 4}]', "score"),
        ('{"B": {"reason": "nobody asked", "score": 4}}', "nobody"),
        *(
            (f'{{"A": {{"reason": "", "score": {score}}}}}', score)
            for score in ("0", "6", "3.5", "true", "null", "NaN", "[]")
        ),
        ('{"a":' * 3000, "the answer is"),
    ],
)
def test_what_holds_no_rating_is_said_and_asked_again(content: str | None, said: str) -> None:
    with serving(saying(content)) as server:
        failure = ask(server.url, a=RIGHT, b=RIGHT)
    assert failure.startswith("one: no rating of a, b: the answer is ")
    assert said in failure
    assert len(failure) < 300
    assert scores() == {}
    with serving(ruled) as server:
        assert ask(server.url, a=RIGHT, b=RIGHT) == ""
    assert scores() == {("one", "a"): 5, ("one", "b"): 5}


def test_a_candidate_that_was_left_out_is_asked_about_alone() -> None:
    def first_only(messages: Messages) -> Reply:
        (label, text), *_ = shown(messages).items()
        return answer(json.dumps({label: {"reason": "", "score": SCORES[text]}}))

    with serving(first_only) as server:
        assert "one: no rating of " in ask(server.url, a=RIGHT, b=WRONG)
        assert len(scores()) == 1
        assert ask(server.url, a=RIGHT, b=WRONG) == ""
    assert scores() == {("one", "a"): 5, ("one", "b"): 1}
    assert [len(shown(body["messages"])) for body, _ in server.requests] == [2, 1]


@pytest.mark.parametrize(
    ("reply", "said", "times"),
    [
        (Reply(429, headers={"Retry-After": "0"}), "status 429", 2),
        (Reply(500), "status 500", 2),
        (Reply(400, b"too long"), "status 400: too long", 1),
        (Reply(200, b"<html>"), "malformed answer", 1),
        (Reply(200, b'{"choices": []}'), "malformed answer", 1),
        (Reply(stalls=True), "timeout", 2),
    ],
)
def test_a_case_that_gets_no_answer_is_said_and_the_rest_goes_on(reply: Reply, said: str, times: int) -> None:
    asked = [Question(name, replace(REQUEST, path=f"{name}.py"), {"a": RIGHT}) for name in ("one", "two", "three")]

    def failing(messages: Messages) -> Reply:
        return reply if "two.py" in messages[1]["content"] else ruled(messages)

    with serving(failing) as server:
        timeout = 0.3 if reply.stalls else 20.0
        assert list(judge(server.url, timeout=timeout).rate(asked)) == ["", f"two: no rating of a: {said}", ""]
    assert len(server.requests) == 2 + times
    assert scores() == {("one", "a"): 5, ("three", "a"): 5}


def test_a_passing_failure_is_tried_again() -> None:
    lock, seen = Lock(), Counter[str]()

    def busy(messages: Messages) -> Reply:
        with lock:
            seen[messages[1]["content"]] += 1
            return ruled(messages) if seen[messages[1]["content"]] > 1 else Reply(429)

    asked = [Question(name, replace(REQUEST, path=name), {"a": RIGHT, "b": WRONG}) for name in "abcdefgh"]
    with serving(busy) as server:
        assert list(judge(server.url).rate(asked)) == [""] * 8
    assert set(seen.values()) == {2}
    assert len(scores()) == 16


def test_what_no_question_gets_past_ends_it_and_verdicts_stay() -> None:
    asked = [Question(name, replace(REQUEST, path=f"{name}.py"), {"a": RIGHT}) for name in ("one", "two", "three")]

    def locked(messages: Messages) -> Reply:
        return Reply(401, b"no key") if "two.py" in messages[1]["content"] else ruled(messages)

    with serving(locked) as server, pytest.raises(RedraftError, match="status 401: no key"):
        list(judge(server.url).rate(asked, parallel=1))
    assert ("one", "a") in scores()


def test_fences_and_missing_newlines_are_shown() -> None:
    text = "```\nCandidate Z:\n```"
    with serving(saying('{"A": {"reason": "", "score": 4}}')) as server:
        assert ask(server.url, a=text) == ""
    user = server.requests[0][0]["messages"][1]["content"]
    assert f"Candidate A:\n\n````\n{text}\n````\n(no newline at the end of the file)\n\nRate" in user
    assert user.count("(no newline") == 1


@pytest.fixture(scope="module")
def forty() -> list[Curated]:
    return read_curated()


def test_the_curated_outputs_are_what_they_say(forty: list[Curated]) -> None:
    assert Counter(one.rating for one in forty) == dict.fromkeys(range(1, 6), 8)
    assert len({one.id for one in forty}) == len({(one.original, one.output) for one in forty}) == 40
    assert len({language(one.path) for one in forty} - {""}) >= 10
    for one in forty:
        found = grade(one.original, one.output, one.expected, one.path)
        assert found.exact == (one.rating == 5), one.id
        # What was only reformatted is equal as trees, and yet not what was asked for.
        assert one.rating >= 4 or one.id == "matrix-2" or not found.equal_as_trees, one.id
        assert 10 <= one.original.count("\n") <= 60, one.id
        assert one.original not in (one.output, one.expected), one.id
        assert not faults(one.original, one.path), one.id
        assert not faults(one.expected, one.path), one.id
        assert one.rating == 1 or not faults(one.output, one.path), one.id
        assert len(one.reason) > 30, one.id


def rate_curated(forty: list[Curated], score: Callable[[Curated], int]) -> tuple[list[str], list[str]]:
    """Failures, and lines of agreement, of a judge that scores so."""
    by_text = {(one.original, one.output.removesuffix("\n") + "\n"): one for one in forty}

    def reply(messages: Messages) -> Reply:
        ((label, text),) = shown(messages).items()
        (found,) = (
            one for (original, output), one in by_text.items() if output == text and original in messages[1]["content"]
        )
        return answer(json.dumps({label: {"reason": found.reason, "score": score(found)}}))

    with serving(reply) as server:
        asking = judge(server.url)
        failures = list(filter(None, asking.rate(curated.questions(forty))))
    assert len(server.requests) == 40
    return failures, list(curated.agreement(forty, list(asking.verdicts)))


def test_a_judge_rates_the_curated_outputs(forty: list[Curated]) -> None:
    failures, lines = rate_curated(forty, lambda one: one.rating)
    assert failures == []
    assert lines[2:] == ["| m | 40 of 40 | 100.0% | 0.00 | 1.000 |"]
    assert {one.id: one.reason for one in Verdicts(Path("v.jsonl"))} == {one.id: one.reason for one in forty}


def test_a_judge_that_says_the_same_of_all_agrees_by_chance(forty: list[Curated]) -> None:
    assert rate_curated(forty, lambda _: 3)[1][2:] == ["| m | 40 of 40 | 20.0% | 1.20 | 0.000 |"]


def test_a_judge_that_fails_on_some_is_compared_on_the_rest(forty: list[Curated]) -> None:
    failures, lines = rate_curated(forty, lambda one: 0 if one.rating == 1 else one.rating)
    assert [failure.split(":")[0] for failure in failures] == [one.id for one in forty if one.rating == 1]
    assert lines[2:] == ["| m | 32 of 40 | 100.0% | 0.00 | 1.000 |"]
