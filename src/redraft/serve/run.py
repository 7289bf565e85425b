"""In: settings. Out: a server that listens until it is told to stop, then finishes what it has begun."""

import socket
from collections.abc import Sequence
from typing import cast

import uvicorn
from fastapi import FastAPI

from redraft.errors import RedraftError
from redraft.serve.app import create_app
from redraft.serve.record import log_to_stderr
from redraft.serve.settings import Settings

_GRACE = 30  # seconds that what runs has to finish once the server is told to stop
_CONNECTIONS = 1000


class Server(uvicorn.Server):
    """Refuses what waits as soon as it is told to stop, so that only what runs has to be waited for."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        cast(FastAPI, self.config.app).state.service.close()
        await super().shutdown(sockets)


def serve(settings: Settings) -> None:
    """Runs until it is interrupted; raises RedraftError where it cannot listen or open the model."""
    sockets = [_listening(settings)]
    log_to_stderr()
    run(settings, sockets)


def run(settings: Settings, sockets: Sequence[socket.socket]) -> None:
    config = uvicorn.Config(
        create_app(settings),
        log_config=None,
        access_log=False,
        server_header=False,
        limit_concurrency=_CONNECTIONS,
        timeout_graceful_shutdown=_GRACE,
    )
    Server(config).run(list(sockets))


def _listening(settings: Settings) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
        return socket.create_server((settings.host, settings.port), family=family, backlog=2048)
    except (OSError, OverflowError) as error:
        raise RedraftError(f"cannot listen on {settings.host}:{settings.port}: {error}") from error
