"""A full queue, clients that leave, a server that stops: who is served, who is sent away, and what is left of it."""

import asyncio
import json
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.serve.fair import FairQueue
from redraft.serve.meters import Meters
from redraft.serve.refusals import ClosingError, FullError, TimeLimitError
from redraft.serve.settings import Limits
from redraft.serve.worker import Worker
from serving import Busy, Live, busy, scripted, serving

WORDS = "word " * 400
CHAT = "/v1/chat/completions"
ASK = {"messages": [{"role": "user", "content": "go on"}]}


@given(st.lists(st.tuples(st.sampled_from("abc"), st.booleans())), st.integers(1, 6))
def test_a_fair_queue_takes_turns(steps: list[tuple[str, bool]], limit: int) -> None:
    queue: FairQueue[tuple[str, int]] = FairQueue(limit)
    waiting: list[tuple[str, int]] = []
    turns: list[str] = []
    for number, (client, takes) in enumerate(steps):
        if takes:
            job = queue.take()
            assert (job is None) == (not waiting)
            if job is not None:
                assert job == next(each for each in waiting if each[0] == job[0])
                others = {name for name, _ in waiting} - {job[0]}
                assert not turns or turns[-1] != job[0] or not others
                waiting.remove(job)
                turns.append(job[0])
        else:
            turns = []
            waiting.append((client, number))
            lost = queue.put(client, (client, number))
            assert (lost is None) == (len(waiting) <= limit)
            if lost is not None:
                counts = {name: sum(each[0] == name for each in waiting) for name, _ in waiting}
                assert counts[lost[0]] == max(counts.values())
                assert lost == [each for each in waiting if each[0] == lost[0]][-1]
                waiting.remove(lost)
        assert sorted(queue) == sorted(waiting)


@given(st.lists(st.floats(0.01, 9), min_size=2, max_size=5), st.integers(20, 60))
def test_who_asks_for_long_jobs_gets_as_much_time_and_no_more(costs: list[float], turns: int) -> None:
    queue, had = FairQueue[int](10), [0.0] * len(costs)
    for client in range(len(costs)):
        queue.put(str(client), client)
    for _ in range(turns):
        client = queue.take()
        assert client is not None
        queue.charge(str(client), costs[client])
        had[client] += costs[client]
        queue.put(str(client), client)
    assert max(had) - min(had) <= 2 * max(costs)


def in_worker(check: Callable[[Worker], object], **limits: float) -> None:
    worker = Worker("engine", Limits(**limits), Meters())  # type: ignore[arg-type]
    try:
        asyncio.run(check(worker))  # type: ignore[arg-type]
    finally:
        worker.close()


def test_what_a_job_returns_and_raises_comes_back() -> None:
    async def check(worker: Worker) -> None:
        assert await worker.run("a", lambda: 7) == 7
        with pytest.raises(ZeroDivisionError):
            await worker.run("a", lambda: 1 // 0)
        assert [item async for item in worker.stream("a", lambda: iter(range(5)))] == list(range(5))

    in_worker(check)


def test_a_stream_that_is_closed_ends_its_job_before_the_next_forward() -> None:
    async def check(worker: Worker) -> None:
        gate = Busy()
        stream = worker.stream("a", gate)
        await anext(stream)
        await stream.aclose()
        forwards = gate.forwards
        assert await worker.run("b", lambda: "free") == "free"
        assert gate.ended_in == "engine"
        assert gate.forwards <= forwards + 1

    in_worker(check)


def test_a_job_that_is_cancelled_while_it_waits_never_begins() -> None:
    async def check(worker: Worker) -> None:
        gate, late = Busy(), Busy()
        running = worker.stream("a", gate)
        await anext(running)
        waiting = asyncio.ensure_future(anext(worker.stream("b", late)))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        gate.opened.set()
        await running.aclose()
        assert await worker.run("c", lambda: 1) == 1
        assert late.forwards == 0

    in_worker(check)


def test_the_time_limit_ends_a_job_and_frees_the_worker() -> None:
    async def check(worker: Worker) -> None:
        gate = Busy()
        with pytest.raises(TimeLimitError):
            async for _ in worker.stream("a", gate):
                pass
        await worker.run("b", lambda: 1)
        assert gate.ended.is_set()

    in_worker(check, seconds=0.1)


def test_whoever_has_most_waiting_is_sent_away_first() -> None:
    async def check(worker: Worker) -> None:
        gate = Busy()
        running = worker.stream("a", gate)
        await anext(running)
        greedy = [asyncio.ensure_future(worker.run("greedy", lambda at=at: at)) for at in range(3)]
        await asyncio.sleep(0)
        modest = asyncio.ensure_future(worker.run("modest", lambda: "served"))
        await asyncio.sleep(0)
        with pytest.raises(FullError) as full:
            await greedy[2]
        assert int(full.value.headers["Retry-After"]) >= 1
        gate.opened.set()
        assert await modest == "served"
        assert [await each for each in greedy[:2]] == [0, 1]

    in_worker(check, waiting=3)


def test_a_worker_that_closes_refuses_what_waits_and_finishes_what_runs() -> None:
    async def check(worker: Worker) -> None:
        gate = Busy()
        running = worker.stream("a", gate)
        await anext(running)
        waiting = asyncio.ensure_future(worker.run("b", lambda: 1))
        await asyncio.sleep(0)
        worker.close()
        with pytest.raises(ClosingError):
            await waiting
        with pytest.raises(ClosingError):
            await worker.run("c", lambda: 1)
        gate.opened.set()
        async for _ in running:
            pass

    in_worker(check)


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    """Two requests wait at most, and the engine says each word in a forward of its own."""
    with serving(scripted(tmp_path, WORDS, limits=Limits(waiting=2, seconds=30))) as started:
        yield started


def head(route: str, body: bytes) -> bytes:
    lines = (
        f"POST {route} HTTP/1.1",
        "Host: localhost",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
    )
    return "".join(f"{line}\r\n" for line in (*lines, "")).encode()


def forwards(live: Live) -> float:
    """How many forwards the engine has made that wrote something."""
    page = live.client.get("/metrics").text
    return float(next(line for line in page.splitlines() if line.startswith("redraft_forwards_total ")).split()[1])


def test_over_the_limit_clients_are_told_when_to_come_back(live: Live) -> None:
    gate, thread = busy(live)
    with ThreadPoolExecutor(5) as pool:
        asked = [pool.submit(live.client.post, CHAT, json=ASK | {"user": "one"}) for _ in range(5)]
        while sum(each.done() for each in asked) < 3:
            time.sleep(0.005)
        gate.opened.set()
        said = [each.result() for each in asked]
    thread.join()
    assert sorted(each.status_code for each in said) == [200, 200, 429, 429, 429]
    assert all(int(each.headers["Retry-After"]) >= 1 for each in said if each.status_code == 429)
    assert {each.json()["error"]["code"] for each in said if each.status_code == 429} == {"rate_limit_exceeded"}


@pytest.mark.parametrize("stream", [False, True])
def test_a_client_that_leaves_frees_the_engine(live: Live, stream: bool) -> None:
    """Also while it waits for its turn: what it asked for is then never begun."""
    body = json.dumps(ASK | {"stream": stream}).encode()
    gate, thread = busy(live)
    with socket.create_connection((live.client.base_url.host, live.client.base_url.port)) as connection:
        connection.sendall(head(CHAT, body) + body)
        while not live.service.worker.length():
            time.sleep(0.005)
    while live.service.worker.length():
        time.sleep(0.005)
    gate.opened.set()
    thread.join()
    assert live.client.get("/healthz").status_code == 200
    assert forwards(live) == 0


@pytest.mark.parametrize("stream", [False, True])
def test_a_client_that_leaves_while_it_is_served_ends_its_generation(tmp_path: Path, stream: bool) -> None:
    words = [f"word{number}" for number in range(20_000)]
    with serving(scripted(tmp_path, " ".join(words))) as live:
        body = json.dumps(ASK | {"stream": stream}).encode()
        with socket.create_connection((live.client.base_url.host, live.client.base_url.port)) as connection:
            connection.sendall(head(CHAT, body) + body)
            while forwards(live) == 0:
                time.sleep(0.005)
        live.client.post("/v1/warm", json={"original": "its turn comes when the engine is free"})
        ended = forwards(live)
        assert 0 < ended < 2 * len(words) - 1
        live.client.post("/v1/warm", json={"original": "and nothing goes on behind it"})
        assert forwards(live) == ended
        assert "redraft_abandoned_total 1.0" in live.client.get("/metrics").text


def test_a_server_that_stops_finishes_what_runs_and_refuses_what_waits(live: Live) -> None:
    gate, thread = busy(live)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(live.client.post, CHAT, json=ASK)
        while not live.service.worker.length():
            time.sleep(0.005)
        live.service.close()
        said = waiting.result()
    assert (said.status_code, said.json()["error"]["code"]) == (503, "closing")
    assert not gate.ended.is_set()
    gate.opened.set()
    thread.join()


def test_a_slow_reader_holds_nobody_up(live: Live) -> None:
    with live.client.stream("POST", CHAT, json=ASK | {"stream": True}) as unread:
        assert live.client.post(CHAT, json=ASK).json()["choices"][0]["message"]["content"] == WORDS
        assert "".join(unread.iter_text()).endswith("data: [DONE]\n\n")


def test_many_clients_get_what_each_asked_for(live: Live) -> None:
    """Answers are never mixed up, whichever way each is asked for."""

    def edit(number: int) -> str:
        original = f"a = {number}\nb = {number}\n"
        body = {"original": original, "update": f"a = {number}\nb = {number + 1}\n", "user": f"{number}"}
        said = live.client.post("/v1/apply", json=body)
        while said.status_code == 429:
            said = live.client.post("/v1/apply", json=body)
        return said.json()["output"]

    with ThreadPoolExecutor(12) as pool:
        outputs = list(pool.map(edit, range(36)))
    assert outputs == [f"a = {number}\nb = {number + 1}\n" for number in range(36)]
