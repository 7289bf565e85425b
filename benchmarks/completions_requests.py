"""In: cases and what a model wrote for them. Out: how many requests the completions engine needs for each, and tokens.

    python benchmarks/completions_requests.py CASES OUTPUTS.json FOLDER OUT.jsonl

OUTPUTS is {case id: ids} as a server wrote them greedily, FOLDER has the tokenizer. A server on loopback says of each
token that it is the likeliest if the output has it there; so this counts requests, and needs no model. The last line of
standard output sums up.
"""

import json
import statistics
import sys
from collections.abc import Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from redraft.engines.completions import CompletionsEngine
from redraft.engines.endpoint import Endpoint
from redraft.engines.folder import open_folder
from redraft.engines.tokens import Tokens, read_tokens
from redraft.measure.asked import Asked
from redraft.measure.cases import read_cases

_OTHER = 1  # what the server would write after anything that it did not write itself


class Replaying(ThreadingHTTPServer):
    """A completions server that writes `output` after `prompt`."""

    prompt: list[int]
    output: list[int]
    tokens: Tokens
    end_ids: frozenset[int]
    streamed = 0

    def likeliest(self, sent: list[int]) -> list[int]:
        """What comes after each id that was sent, the last one included."""
        whole = [*self.prompt, *self.output]
        right = next((n for n, pair in enumerate(zip(sent, whole, strict=False)) if pair[0] != pair[1]), len(sent))
        return [whole[n + 1] if n + 1 <= right and n + 1 < len(whole) else _OTHER for n in range(len(sent))]


class Handler(BaseHTTPRequestHandler):
    server: Replaying

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.send_header("Connection", "close")
        self.end_headers()
        if not body.get("stream"):
            self.wfile.write(json.dumps(self.echoed(body["prompt"])).encode())
            return
        left = [*self.server.prompt, *self.server.output][len(body["prompt"]) :]
        try:
            for at, token in enumerate(left, 1):
                choice = {"text": self.server.tokens.decode([token]), "logprobs": columns([token], [token])}
                choice["finish_reason"] = self.reason() if at == len(left) else None
                self.wfile.write(f"data: {json.dumps({'choices': [choice]})}\n\n".encode())
                self.wfile.flush()
                self.server.streamed += 1
            self.wfile.write(b"data: [DONE]\n\n")
        except OSError:
            pass

    def echoed(self, sent: list[int]) -> dict[str, Any]:
        *inside, own = self.server.likeliest(sent)
        said = columns([*sent, own], [_OTHER, *inside, own])
        has_ended = own == self.server.output[-1] and len(sent) + 1 == len(self.server.prompt + self.server.output)
        choice = {"text": "", "logprobs": said, "finish_reason": self.reason() if has_ended else "length"}
        return {"choices": [choice], "usage": {"prompt_tokens": len(sent), "completion_tokens": 1}}

    def reason(self) -> str:
        """An output that was cut off has no end token."""
        return "stop" if self.server.output[-1] in self.server.end_ids else "length"

    def log_message(self, *_: Any) -> None:
        pass


def columns(sent: list[int], best: list[int]) -> dict[str, Any]:
    pairs = list(zip(sent, best, strict=True))
    return {
        "tokens": [f"token_id:{token}" for token in sent],
        "token_logprobs": [-0.1 if token == top else -5.0 for token, top in pairs],
        "top_logprobs": [{f"token_id:{t}": -0.1} | {f"token_id:{s}": -0.1 if s == t else -5.0} for s, t in pairs],
    }


def summary(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Of edits with what each took: how many, how many equal, the most requests, and medians."""
    counted = ("requests", "tokens", "written", "read")
    medians = {f"{name}_median": statistics.median(row[name] for row in rows) for name in counted}
    worst = max(row["requests"] for row in rows)
    return {"n": len(rows), "equal": sum(row["equal"] for row in rows), "requests_most": worst} | medians


def main(cases: Path, outputs: Path, folder: Path, out: Path) -> None:
    known, wanted = open_folder(folder), json.loads(outputs.read_text(encoding="utf-8"))
    tokens = read_tokens(folder / "tokenizer.json")
    asked, rows = Asked("apply", window=0), []
    with Replaying(("127.0.0.1", 0), Handler) as server, out.open("w", encoding="utf-8") as lines:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        server.tokens, server.end_ids = tokens, known.end_ids()
        engine = CompletionsEngine(Endpoint(f"http://127.0.0.1:{server.server_port}/v1", "m"), known, 8192)
        for case in (case for case in read_cases(cases) if case.id in wanted):
            prompt = asked.prompt(case.request)
            server.prompt = tokens.open(prompt.parts, prompt.messages)
            server.output = wanted[case.id]
            chunks = list(engine.generate(prompt))
            written = [token for chunk in chunks for token in chunk.ids]
            row = {"id": case.id, "equal": written == server.output, "tokens": len(written)}
            row |= {"requests": sum(chunk.forwards for chunk in chunks), "read": chunks[-1].prompt_tokens}
            row |= {"written": sum(chunk.completion_tokens or 0 for chunk in chunks), "prompt": len(server.prompt)}
            rows.append(row)
            lines.write(json.dumps(row) + "\n")
        server.shutdown()
    print(json.dumps(summary(rows)))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:5]))
