"""In: settings. Out: the application that answers requests; its routes come from the modules beside this one."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.cors import CORSMiddleware
from starlette.exceptions import HTTPException

from redraft import __version__
from redraft.errors import RedraftError
from redraft.serve import applying, chat, completions, editing, health, infill, next_edit, racing, warm
from redraft.serve.gate import Gate
from redraft.serve.page import routes as page
from redraft.serve.record import Recorder
from redraft.serve.refusals import on_error, on_http, on_malformed
from redraft.serve.service import open_service
from redraft.serve.settings import Settings

ROUTERS = (
    health.router,
    chat.router,
    completions.router,
    infill.router,
    next_edit.router,
    applying.router,
    editing.router,
    warm.router,
    racing.router,
    page.router,
)


def create_app(settings: Settings) -> FastAPI:
    """Opens the model; raises RedraftError where that fails."""
    service = open_service(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        service.close()

    # The pages that show the document would load scripts from elsewhere.
    app = FastAPI(title="redraft", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.service = service
    for router in ROUTERS:
        app.include_router(router)
    app.add_exception_handler(RedraftError, on_error)
    app.add_exception_handler(RequestValidationError, on_malformed)
    app.add_exception_handler(HTTPException, on_http)
    # The last one added is asked first.
    app.add_middleware(Gate, settings=settings)
    if settings.origins:
        app.add_middleware(CORSMiddleware, allow_origins=settings.origins, allow_methods=["*"], allow_headers=["*"])
    app.add_middleware(Recorder, meters=service.meters)
    return app
