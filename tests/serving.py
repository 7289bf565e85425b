"""In: settings, or the text that a scripted engine says. Out: a real server on loopback, for tests."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Thread

import httpx2
from fastapi import FastAPI

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
