"""In: settings. Out: a server that listens until it is told to stop, then finishes what it has begun."""

import os
import signal
import socket
import sys
import tempfile
from collections.abc import Sequence
from multiprocessing import get_context
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess
from typing import Any

import uvicorn
from fastapi import FastAPI

from redraft.connections import connections
from redraft.errors import RedraftError
from redraft.serve.app import create_app
from redraft.serve.meters import SHARED
from redraft.serve.record import LOG, log_to_stderr
from redraft.serve.settings import Settings

_GRACE = 30  # seconds that what runs has to finish once the server is told to stop
_CONNECTIONS = 1000


class Server(uvicorn.Server):
    """Refuses what waits as soon as it is told to stop, so that only what runs has to be waited for."""

    def __init__(self, app: FastAPI, **config: Any) -> None:
        seconds = app.state.service.settings.limits.head_seconds
        super().__init__(uvicorn.Config(app, http=connections(seconds), **(_CONFIG | config)))
        self.service = app.state.service

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.service.close()
        await super().shutdown(sockets)


_CONFIG = {
    "log_config": None,
    "access_log": False,
    "server_header": False,
    "limit_concurrency": _CONNECTIONS,
    "timeout_graceful_shutdown": _GRACE,
}


def serve(settings: Settings) -> None:
    """Runs until it is interrupted; raises RedraftError where it cannot listen or open the model."""
    with _listening(settings) as listening:
        log_to_stderr()
        if settings.workers == 1:
            server = Server(create_app(settings))
            _tell(listening)
            server.run([listening])
        else:
            _tell(listening)
            _serve_together(settings, listening)


def _tell(listening: socket.socket) -> None:
    host, port = listening.getsockname()[:2]
    name = f"[{host}]" if ":" in host else host
    LOG.info("listening", extra={"fields": {"url": f"http://{name}:{port}"}})


def _serve_together(settings: Settings, listening: socket.socket) -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    with tempfile.TemporaryDirectory(prefix="redraft-figures-") as folder:
        os.environ[SHARED] = folder
        spawn = get_context("spawn")
        _together([spawn.Process(target=work, args=(settings, listening)) for _ in range(settings.workers)])


def _together(processes: Sequence[SpawnProcess]) -> None:
    """All run until one ends or this one is told to end; raises RedraftError in the first case."""
    try:
        for process in processes:
            process.start()
        wait([process.sentinel for process in processes])
        raise RedraftError("one of the processes that answer requests has ended, so that all of them do")
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.join()


def work(settings: Settings, listening: socket.socket) -> None:
    """One of several processes that answer requests, each with a model of its own."""
    log_to_stderr()
    _share_processors(settings.workers)
    try:
        app = create_app(settings)
    except RedraftError as error:
        sys.exit(f"redraft: {error}")
    Server(app).run([listening])


def _share_processors(workers: int) -> None:
    """So that the models of all processes together use each core once; where no model is installed none does."""
    # numpy reads it when it is imported.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", str(max(1, (os.cpu_count() or 1) // workers)))
    try:
        import torch
    except ModuleNotFoundError:
        return
    torch.set_num_threads(max(1, torch.get_num_threads() // workers))


def _listening(settings: Settings) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
        return socket.create_server((settings.host, settings.port), family=family, backlog=2048)
    except (OSError, OverflowError) as error:
        raise RedraftError(f"cannot listen on {settings.host}:{settings.port}: {error}") from error
