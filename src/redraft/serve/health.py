"""In: nothing. Out: whether the server is up, its figures, and the model that it serves."""

import time

from fastapi import APIRouter, Response
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel

from redraft.serve.caller import Serving

router = APIRouter()
_STARTED = int(time.time())


class Health(BaseModel):
    status: str
    engine: str
    has_model: bool


class ModelCard(BaseModel):
    id: str
    object: str = "model"
    created: int
    owned_by: str = "redraft"


class ModelList(BaseModel):
    object: str = "list"
    data: list[ModelCard]


@router.get("/healthz")
async def healthz(service: Serving) -> Health:
    """Up; `has_model` says whether edits in doubt can be decided, and chat be answered."""
    return Health(status="ok", engine=service.name, has_model=service.model is not None)


@router.get("/metrics", response_class=Response)
async def metrics(service: Serving) -> Response:
    """The server's figures, as Prometheus reads them."""
    return Response(service.meters.page(), media_type=CONTENT_TYPE_LATEST)


@router.get("/v1/models")
async def models(service: Serving) -> ModelList:
    """The one model; requests may call it anything."""
    return ModelList(data=[ModelCard(id=service.name, created=_STARTED)])
