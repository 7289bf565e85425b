"""The page that the server has at `/`: built from these sources, open to everybody, closed to code from elsewhere."""

import hashlib
import json
import re
from pathlib import Path

import pytest

from serving import scripted, serving

ROOT = Path(__file__).parent.parent
STATIC = ROOT / "src/redraft/serve/page/static"
SOURCES = ("web", "demo", "src/redraft/examples")
MOST_BYTES = 1_200_000


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def files_in(folder: Path) -> list[Path]:
    skipped = {"node_modules", "__pycache__"}
    return [path for path in folder.rglob("*") if path.is_file() and not skipped & set(path.parts)]


def test_the_page_was_built_from_these_sources() -> None:
    paths = sorted((path.relative_to(ROOT).as_posix(), path) for top in SOURCES for path in files_in(ROOT / top))
    lines = "".join(f"{digest(path)}  {name}\n" for name, path in paths)
    built = json.loads((STATIC / "built.json").read_text())
    assert hashlib.sha256(lines.encode()).hexdigest() == built["sources"], "run make page, and commit what it writes"


def test_the_built_files_are_those_that_were_built() -> None:
    built = json.loads((STATIC / "built.json").read_text())["files"]
    paths = [path for path in files_in(STATIC) if path.name != "built.json"]
    assert {path.relative_to(STATIC).as_posix(): digest(path) for path in paths} == built
    assert sum(path.stat().st_size for path in paths) < MOST_BYTES


def test_what_is_bundled_comes_with_its_licence() -> None:
    licences = (STATIC / "LICENSES.md").read_text()
    package = json.loads((ROOT / "web/package.json").read_text())
    assert all(f"## {name} - {version} (" in licences for name, version in package["dependencies"].items())


def test_the_lock_names_no_place_to_download_from() -> None:
    lock = json.loads((ROOT / "web/package-lock.json").read_text())
    packages = [package for name, package in lock["packages"].items() if name]
    assert all("integrity" in package and "resolved" not in package for package in packages)


def test_the_page_lets_in_nothing_from_elsewhere(tmp_path: Path) -> None:
    with serving(scripted(tmp_path, "a\n")) as live:
        first, second = live.client.get("/"), live.client.get("/")
        policy = first.headers["content-security-policy"]
        nonce = re.search(r"'nonce-([\w-]{20,})'", policy)
        assert nonce is not None
        assert nonce[1] not in second.text
        assert f'nonce="{nonce[1]}"' in first.text
        for part in ("default-src 'none'", "script-src 'self';", "frame-ancestors 'none'", "trusted-types 'none'"):
            assert part in policy
        assert "unsafe" not in policy
        assert not re.search(r"<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|https?:", first.text)
        assert first.headers["x-content-type-options"] == "nosniff"
        for name in re.findall(r'"\./(page/[^"]+)"', first.text):
            assert live.client.get(f"/{name}").status_code == 200


@pytest.mark.parametrize("name", ["no.js", "..%2fbuilt.json", "%2e%2e/index.html", "../../app.py", ".", ""])
def test_no_name_reaches_the_disk(tmp_path: Path, name: str) -> None:
    with serving(scripted(tmp_path, "a\n")) as live:
        assert live.client.get(f"/page/{name}").status_code == 404


def test_the_page_needs_no_key_and_what_it_asks_does(tmp_path: Path) -> None:
    with serving(scripted(tmp_path, "a\n", key="secret")) as live:
        page = live.client.get("/", headers={"Accept": "text/html"})
        assert page.status_code == 200
        part = re.findall(r'"\./(page/[^"]+)"', page.text)[0]
        assert live.client.get(f"/{part}").status_code == 200
        assert live.client.get("/pages").status_code == 401
        refused = live.client.post("/v1/race", json={"original": "b\n", "update": "a\n"})
        assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")
