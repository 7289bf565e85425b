"""In: cursortab's scenarios and a GGUF file. Out: seconds and forwards of llama.cpp's answers to the same prompts.

    python benchmarks/peers/next_edits.py SCENARIOS MODEL.gguf WAY OUT.jsonl [--asked fim|sweep] [--most 96]

A way is one of `llama_server.py`. Each prompt is asked twice, so that the second finds it read; the seconds that the
server itself tells of writing are kept, too. redraft ends what is written at a gap after its first statement, which the
server does not: compare what a token takes there, not what an answer does.
"""

import argparse
import json
import time
from pathlib import Path
from statistics import median
from typing import Any

from llama_server import completed, served

from redraft.engines.folder import open_folder
from redraft.engines.tokens import folder_tokens
from redraft.measure.next.scenarios import read_positions
from redraft.models.sized import merged_of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("scenarios", "model", "way", "out"):
        parser.add_argument(name)
    parser.add_argument("--asked", choices=("fim", "sweep"), default="sweep")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--most", type=int, default=96, help="tokens of an answer")
    given = parser.parse_args()
    tokens = folder_tokens(open_folder(merged_of().path))
    rows = list[dict[str, Any]]()
    with served(given.model, given.threads, given.way) as url, open(given.out, "w", encoding="utf-8") as out:
        for position in read_positions(Path(given.scenarios)):
            found = position.prompt(given.asked, lambda token: tokens.special(token) is not None)
            ids = tokens.open(found.prompt.parts, ())
            body = {"prompt": ids, "n_predict": given.most, "cache_prompt": True, "stop": [*found.ends]}
            seconds = []
            for _ in range(2):
                started = time.perf_counter()
                timings = completed(url, body)["timings"]
                seconds.append(time.perf_counter() - started)
            written, accepted = timings["predicted_n"], timings.get("draft_n_accepted", 0)
            row = {"id": position.id, "way": given.way, "prompt": len(ids), "tokens": written, "accepted": accepted}
            rows.append(row | {"cold": seconds[0], "warm": seconds[1], "writing": timings["predicted_ms"] / 1e3})
            print(json.dumps(rows[-1]), file=out, flush=True)
    written = sum(row["tokens"] for row in rows)
    forwards = written - sum(row["accepted"] for row in rows)
    print(f"{given.way}: {written} tokens, {written / forwards:.2f} a forward, ", end="")
    print(
        f"{median(row['cold'] for row in rows):.2f} s cold, {median(row['warm'] for row in rows):.2f} s warm, ", end=""
    )
    print(f"{1e3 * sum(row['writing'] for row in rows) / written:.1f} ms a token")


if __name__ == "__main__":
    main()
