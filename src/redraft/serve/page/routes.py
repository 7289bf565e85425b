"""In: requests for the page and its parts. Out: these, from memory, with a policy that lets nothing else in."""

import mimetypes
import secrets
from importlib.resources import files

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, Response

from redraft.serve.refusals import RefusalError

router = APIRouter(include_in_schema=False)

_STATIC = files(__package__) / "static"
_HTML = (_STATIC / "index.html").read_text("utf-8")
# Names are looked up here and never on the disk.
_PARTS = {part.name: part.read_bytes() for part in (_STATIC / "page").iterdir()}
_NONCE = "NONCE"  # where vite.config.ts has it stand
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_A_YEAR = "public, max-age=31536000, immutable"  # the names change with the contents


@router.get("/")
def page() -> HTMLResponse:
    """The page; the nonce is for the styles that its editors make."""
    nonce = secrets.token_urlsafe(16)
    headers = {**_HEADERS, "Content-Security-Policy": _policy(nonce), "Cache-Control": "no-store"}
    return HTMLResponse(_HTML.replace(f'nonce="{_NONCE}"', f'nonce="{nonce}"'), headers=headers)


@router.get("/page/{name}")
def part(name: str) -> Response:
    if name not in _PARTS:
        raise RefusalError(404, "the page has no such part")
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return Response(_PARTS[name], media_type=kind, headers={**_HEADERS, "Cache-Control": _A_YEAR})


def _policy(nonce: str) -> str:
    """Scripts and connections of this server alone; text can never become markup or code."""
    allowed = {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": f"'self' 'nonce-{nonce}'",
        "img-src": "'self'",
        "connect-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
    }
    return "; ".join(f"{what} {who}" for what, who in allowed.items())
