"""In: seconds, and a number of requests. Out: how a server without a model holds out; a JSON object last.

`python benchmarks/serve_attack.py 60 3600`: 60 clients ask for edits of the set natural, for so many seconds without
and with four more who send the kinds that once took the longest; every answer has to be the one that is given alone.
Then so many requests come from eight clients, each twentieth about a large file and each fiftieth of such a kind:
`memory` is the server's in MB after each tenth of them.
"""

import asyncio
import json
import random
import sys
import time
from collections.abc import Sequence
from statistics import median, quantiles
from typing import Any

import httpx2
from growth.kinds import kinds
from serve_load import Crowd, Tally, answer, memory, serving

from redraft.edit.request import Request
from redraft.measure.sets.named import NATURAL, read_set

CLIENTS, WORST, EDITS, ASKING = 60, 4, 40, 8
SIGNS = 64_000  # of an edit of the worst kinds
LARGE = 2_500  # functions of a large file
_KEPT = ("original", "update", "instruction", "path")
Body = dict[str, Any]


def body_of(request: Request) -> Body:
    return {key: getattr(request, key) for key in _KEPT}


def large(number: int) -> Body:
    lines = "".join(f"def part_{number}_{at}(a):\n    return a * {at}\n\n\n" for at in range(LARGE))
    update = f"```python\n# ... existing code ...\n\ndef part_{number}_9(a):\n    return a + 9\n```\n"
    return {"original": lines, "update": update, "path": "a.py"}


async def worst(http: httpx2.AsyncClient, number: int, until: float) -> int:
    """How many edits a client got answers to that sends one long one after the other."""
    bodies, at = [body_of(kind.of(SIGNS)) for kind in kinds()[number::WORST]], 0
    while time.monotonic() < until:
        await http.post("/v1/apply", json=bodies[at % len(bodies)] | {"user": f"worst {number}"})
        at += 1
    return at


async def crowd(http: httpx2.AsyncClient, edits: Sequence[Body], seconds: float, attackers: int) -> Body:
    solo = [answer(await http.post("/v1/apply", json=edit)) for edit in edits]
    until = time.monotonic() + seconds
    asked = Crowd(http, edits, solo, tally := Tally(), until)
    sent = [worst(http, number, until) for number in range(attackers)]
    found = await asyncio.gather(*sent, *(asked.client(number) for number in range(CLIENTS)))
    times = [each for client in tally.seconds.values() for each in client]
    return {
        "attackers": attackers,
        "long_edits": sum(found[:attackers]),
        "answers": len(times),
        "wrong": tally.wrong,
        "lost": tally.lost,
        "p50": round(median(times), 3),
        "p95": round(quantiles(times, n=20)[-1], 3),
    }


async def soak(http: httpx2.AsyncClient, edits: Sequence[Body], process: int, count: int) -> Body:
    numbers, found, began = iter(range(count)), list[int](), time.monotonic()
    bad = [body_of(kind.of(SIGNS)) for kind in kinds()]

    async def client(name: int) -> None:
        order = random.Random(name)
        for number in numbers:
            body = large(number) if not number % 20 else bad[number // 50 % len(bad)] if not number % 50 - 1 else None
            await http.post("/v1/apply", json=(body or order.choice(edits)) | {"user": f"client {name}"})
            if not (number + 1) % (count // 10):
                found.append(memory(process))

    await asyncio.gather(*(client(name) for name in range(ASKING)))
    return {"requests": count, "seconds": round(time.monotonic() - began), "memory": found}


async def attacked(url: str, process: int, seconds: float, count: int) -> Body:
    edits = [body_of(case.request) for case in read_set(NATURAL).cases[:EDITS]]
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=None)
    async with httpx2.AsyncClient(base_url=url, timeout=600, limits=limits) as http:
        calm, crowded = [await crowd(http, edits, seconds, attackers) for attackers in (0, WORST)]
        found = {"calm": calm, "crowded": crowded, "p95_ratio": round(crowded["p95"] / calm["p95"], 2)}
        print(json.dumps(found), flush=True)
        return found | {"soak": await soak(http, edits, process, count)}


def main(seconds: str, count: str) -> None:
    with serving("--readers", "merge") as (url, process):
        print(json.dumps(asyncio.run(attacked(url, process, float(seconds), int(count)))))


if __name__ == "__main__":
    main(*sys.argv[1:])
