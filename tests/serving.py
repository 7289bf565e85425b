"""In: settings, or the text that a scripted engine says. Out: a real server on loopback, for tests."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event, Thread, current_thread

import httpx2
from fastapi import FastAPI

from redraft.engines.abandon import before_forward
from redraft.serve.app import create_app
from redraft.serve.run import Server
from redraft.serve.service import Service
from redraft.serve.settings import Settings


@dataclass(frozen=True)
class Live:
    """A server that runs; `client` asks it."""

    url: str
    service: Service
    client: httpx2.Client


@contextmanager
def serving(settings: Settings) -> Iterator[Live]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        app: FastAPI = create_app(replace(settings, port=port))
        server = Server(app)
        thread = Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            url = f"http://127.0.0.1:{port}"
            with httpx2.Client(base_url=url, timeout=60) as client:
                yield Live(url, app.state.service, client)
        finally:
            server.should_exit = True
            thread.join()


def scripted(folder: Path, text: str, **settings: object) -> Settings:
    """Settings of a server whose engine says `text`."""
    (folder / "said").write_text(text)
    return replace(Settings(f"scripted:{folder / 'said'}"), **settings)  # type: ignore[arg-type]


class Busy:
    """Work that goes on forever, a forward at a time, until it is let go or abandoned."""

    def __init__(self) -> None:
        self.begun, self.opened, self.ended = Event(), Event(), Event()
        self.forwards, self.ended_in = 0, ""

    def __call__(self) -> Iterator[int]:
        try:
            while not self.opened.is_set():
                before_forward()
                self.forwards += 1
                self.begun.set()
                yield self.forwards
                self.opened.wait(0.001)
        finally:
            self.ended_in = current_thread().name
            self.ended.set()


def busy(live: Live) -> tuple[Busy, Thread]:
    """The server's engine busy until it is let go."""
    gate = Busy()

    async def run() -> None:
        async for _ in live.service.worker.stream("someone", gate):
            pass

    thread = Thread(target=lambda: asyncio.run(run()))
    thread.start()
    gate.begun.wait()
    return gate, thread
