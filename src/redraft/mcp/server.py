"""In: a workspace. Out: the tools by which a coding agent edits its files, over stdio or HTTP."""

import socket
from collections.abc import Sequence
from typing import Annotated

import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import BaseModel, Field
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from redraft import __version__
from redraft.access import has_key, is_loopback, is_ours
from redraft.connections import connections
from redraft.edit.guard.check import WRITTEN
from redraft.mcp.descriptions import (
    ALL,
    EDIT_FILE,
    EDIT_FILES,
    INSTRUCTION,
    INSTRUCTIONS,
    LINE,
    NEW,
    NEW_FILE,
    OLD,
    PATH,
    REPAIR_EDIT,
    UPDATE,
)
from redraft.mcp.workspace import Edit, Outcome, Replaced, Workspace

PATH_OF_MCP = "/mcp"
_MOST = 200  # files of one call
_WRITES = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False)


class FileEdit(BaseModel):
    """What became of one file."""

    path: Annotated[str, Field(description="The file, as seen from the root.")]
    status: Annotated[str, Field(description="applied or no_change; all others are refusals, and nothing is written.")]
    written: Annotated[bool, Field(description="Whether the file on disk has changed.")]
    confidence: Annotated[
        float | None, Field(description="How often edits like this one were right, 0 to 1; 0 where it is refused.")
    ]
    reason: Annotated[str, Field(description="Why it was not written, or what is to be known though it was.")]
    diff: Annotated[str, Field(description="A unified diff of what was written, or would be.")]
    vanished: Annotated[
        list[str], Field(description="Lines that go though the update does not show them: look whether they should.")
    ]
    ask_again: Annotated[str, Field(description="Of a refused edit: the lines in question, and how to send it again.")]
    way_on: Annotated[str, Field(description="Of a refused edit: how the user may have a model decide it.")]
    healed: Annotated[list[str], Field(description="Slips of the update that were mended before it was applied.")]


class FileEdits(BaseModel):
    """What became of several files: all are written, or none."""

    written: bool
    files: list[FileEdit]


class Sketch(BaseModel):
    """An edit of one file."""

    path: Annotated[str, Field(description=PATH)]
    update: Annotated[str, Field(description=UPDATE)]
    instruction: Annotated[str, Field(description=INSTRUCTION)] = ""
    new_file: Annotated[bool, Field(description=NEW_FILE)] = False


DryRun = Annotated[bool, Field(description="Only say what would be done; nothing is written.")]


def server(workspace: Workspace) -> MCPServer:
    """The tools `edit_file`, `edit_files`, `repair_edit`; a refusal is an error of the tool, which the agent reads."""
    made = MCPServer("redraft", version=__version__, instructions=INSTRUCTIONS, log_level="WARNING")

    @made.tool(title="Edit a file", description=EDIT_FILE, annotations=_WRITES)
    def edit_file(
        path: Annotated[str, Field(description=PATH)],
        update: Annotated[str, Field(description=UPDATE)],
        instruction: Annotated[str, Field(description=INSTRUCTION)] = "",
        new_file: Annotated[bool, Field(description=NEW_FILE)] = False,
        dry_run: DryRun = False,
    ) -> Annotated[CallToolResult, FileEdit]:
        outcomes = workspace.edit([Edit(path, update, instruction, new_file)], dry_run)
        return _answer(outcomes, _structured(outcomes[0]))

    @made.tool(title="Edit several files", description=EDIT_FILES, annotations=_WRITES)
    def edit_files(
        edits: Annotated[list[Sketch], Field(min_length=1, max_length=_MOST)], dry_run: DryRun = False
    ) -> Annotated[CallToolResult, FileEdits]:
        outcomes = workspace.edit(
            [Edit(each.path, each.update, each.instruction, each.new_file) for each in edits], dry_run
        )
        files = [_structured(outcome) for outcome in outcomes]
        return _answer(outcomes, FileEdits(written=any(each.written for each in outcomes), files=files))

    @made.tool(title="Repair an edit", description=REPAIR_EDIT, annotations=_WRITES)
    def repair_edit(
        path: Annotated[str, Field(description=PATH)],
        old_string: Annotated[str, Field(description=OLD)],
        new_string: Annotated[str, Field(description=NEW)],
        replace_all: Annotated[bool, Field(description=ALL)] = False,
        line: Annotated[int, Field(description=LINE, ge=0)] = 0,
        dry_run: DryRun = False,
    ) -> Annotated[CallToolResult, FileEdit]:
        outcome = workspace.repair(path, Replaced(old_string, new_string, replace_all, line or None), dry_run)
        return _answer([outcome], _structured(outcome))

    return made


def _structured(outcome: Outcome) -> FileEdit:
    return FileEdit.model_validate(outcome, from_attributes=True)


def _answer(outcomes: Sequence[Outcome], structured: BaseModel) -> CallToolResult:
    """In words for the agent, and as data; an error where anything was refused."""
    is_error = any(outcome.status not in WRITTEN for outcome in outcomes)
    text = "\n".join(map(_told, outcomes))
    return CallToolResult(
        content=[TextContent(type="text", text=text)],
        structured_content=structured.model_dump(mode="json"),
        is_error=is_error,
    )


def _told(outcome: Outcome) -> str:
    if outcome.status not in WRITTEN:
        said = f"{outcome.path}: refused, nothing written ({outcome.status}): {outcome.reason}"
        return "\n".join(filter(None, (said, outcome.way_on, outcome.ask_again)))
    sure = "" if outcome.confidence is None else f" (confidence {outcome.confidence:.2f})"
    done = "written" if outcome.written else "would be written" if outcome.diff else "no change"
    said = outcome.reason if outcome.reason and not outcome.written else done
    note = f"\nnote: {outcome.reason}" if outcome.reason and outcome.written else ""
    mended = f"\nmended: {', '.join(outcome.healed)}" if outcome.healed else ""
    gone = "".join(f"\nwarning: gone, and not shown in the update: {line}" for line in outcome.vanished)
    return f"{outcome.path}: {said}{sure}{note}{mended}{gone}\n{outcome.diff}"


class Gate:
    """Lets in only requests that have the key; without one, only those that name this machine."""

    def __init__(self, app: ASGIApp, host: str, key: str) -> None:
        self._app, self._host, self._key = app, host, key

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope) if scope["type"] == "http" else Headers()
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif self._key and not has_key(headers.get("authorization"), self._key):
            refusal = JSONResponse({"error": "this server needs its key"}, 401, {"WWW-Authenticate": "Bearer"})
            await refusal(scope, receive, send)
        elif not self._key and not is_ours(headers.get("host", ""), self._host):
            await JSONResponse({"error": "this server answers only to its own name"}, 421)(scope, receive, send)
        else:
            await self._app(scope, receive, send)


def application(made: MCPServer, host: str, key: str) -> ASGIApp:
    """Streamable HTTP; on loopback only under the names of this machine, so that no page in a browser reaches it."""
    names = [f"{name}:*" for name in ("127.0.0.1", "localhost", "[::1]", host)] if is_loopback(host) else []
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=bool(names),
        allowed_hosts=names,
        allowed_origins=[f"http://{name}" for name in names],
    )
    app: ASGIApp = made.streamable_http_app(streamable_http_path=PATH_OF_MCP, transport_security=security, host=host)
    return Gate(app, host, key)


def run_http(made: MCPServer, host: str, key: str, listening: socket.socket) -> None:
    config = uvicorn.Config(
        application(made, host, key),
        http=connections(),
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=5,
    )
    uvicorn.Server(config).run([listening])
