"""In: what happens in a server. Out: its figures as Prometheus reads them."""

import os

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from redraft.engines import Chunk
from redraft.result import Result

SHARED = "PROMETHEUS_MULTIPROC_DIR"  # the folder in which several processes keep their figures together
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)


class Meters:
    """The counters of one server process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        kept = self.registry
        self.requests = Counter("redraft_requests", "Requests by route and status", ("route", "status"), registry=kept)
        self.seconds = Histogram(
            "redraft_request_seconds", "From request to last byte", ("route",), buckets=_SECONDS, registry=kept
        )
        self.waiting = Gauge(
            "redraft_waiting_jobs", "Jobs that wait", ("queue",), multiprocess_mode="livesum", registry=kept
        )
        self.waited = Histogram(
            "redraft_waited_seconds", "Until a job's turn", ("queue",), buckets=_SECONDS, registry=kept
        )
        self.abandoned = Counter("redraft_abandoned", "Jobs that nobody waited for any longer", registry=kept)
        self.edits = Counter("redraft_edits", "Edits by status and reader", ("status", "decided_by"), registry=kept)
        self.prompt = Counter("redraft_prompt_tokens", "Tokens of prompts", registry=kept)
        self.completion = Counter("redraft_completion_tokens", "Tokens written", registry=kept)
        self.drafted = Counter("redraft_drafted_tokens", "Tokens proposed by drafts", registry=kept)
        self.accepted = Counter("redraft_accepted_tokens", "Drafted tokens that the model agreed with", registry=kept)
        self.forwards = Counter("redraft_forwards", "Forward passes that wrote something", registry=kept)

    def count_chunk(self, chunk: Chunk) -> None:
        written = len(chunk.ids) if chunk.completion_tokens is None else chunk.completion_tokens
        self._count(written, chunk.drafted, chunk.accepted, chunk.forwards)
        if chunk.finish:
            self.prompt.inc(chunk.prompt_tokens)

    def count_result(self, result: Result) -> None:
        self.edits.labels(result.status, result.decided_by).inc()
        self.prompt.inc(result.prompt_tokens)
        self._count(result.completion_tokens, result.drafted, result.accepted, result.forwards)

    def _count(self, completion: int, drafted: int, accepted: int, forwards: int) -> None:
        self.completion.inc(completion)
        self.drafted.inc(drafted)
        self.accepted.inc(accepted)
        self.forwards.inc(forwards)

    def page(self) -> bytes:
        """The figures of this process; where several answer requests, of all of them."""
        if SHARED not in os.environ:
            return generate_latest(self.registry)
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry)
