"""In: a folder of code-server and Chromium. Out: screenshots of the extension at work in a real VS Code; not in CI.

    npm install --prefix DIR code-server        # Node 22 or newer, its headers, libkrb5-dev
    python editors/vscode/drive.py DIR/node_modules/code-server SHOTS

With a third argument, a folder of files and answers (`NAME` and `NAME.md`), each answer is pasted into its file.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

HERE = Path(__file__).parent
SHOP = '''"""A shop."""


def total(items):
    return sum(item.price for item in items)


def count(items):
    return len(items)


def names(items):
    return [item.name for item in items]
'''
ANSWER = """Round the total and sort the names:

```python
def total(items):
    return round(sum(item.price for item in items), 2)

# ... existing code ...

def names(items):
    return sorted(item.name for item in items)
```
"""
OTHER = "In `nowhere.py`:\n\n```python\nclass Missing:\n    # ... existing code ...\n    gone = 1\n```\n"
SEVERAL = """In `shop.py`:

```python
def count(items):
    return sum(item.amount for item in items)
```

In `basket.py`:

```python
LIMIT = 20
```
"""


@contextmanager
def server(code: Path, folder: Path, said: Path) -> Iterator[str]:
    """A VS Code with nothing but the extension, on the files of a folder."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    data = folder.parent / "data"
    (data / "User").mkdir(parents=True)
    command = folder.parent / "redraft"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m redraft "$@"\n')
    command.chmod(0o755)
    (data / "User" / "settings.json").write_text(
        f'{{"redraft.path": "{command}", "redraft.engine": "scripted:{said}", "workbench.startupEditor": "none",'
        '"files.autoSave": "off",'
        '"security.workspace.trust.enabled": false, "chat.disableAIFeatures": true,'
        '"workbench.secondarySideBar.defaultVisibility": "hidden", "telemetry.telemetryLevel": "off"}'
    )
    entry = ["node", str(code / "out/node/entry.js"), "--user-data-dir", str(data), "--extensions-dir", f"{data}/e"]
    subprocess.run([*entry, "--install-extension", str(HERE / "redraft.vsix")], check=True)
    listening = ["--auth", "none", "--bind-addr", f"127.0.0.1:{port}", str(folder)]
    process = subprocess.Popen([*entry, *listening], start_new_session=True)
    try:
        yield f"http://127.0.0.1:{port}/?folder={folder}"
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()


class Window:
    def __init__(self, page: Page, shots: Path) -> None:
        self.page, self._shots, self._count = page, shots, 0

    def shot(self, name: str) -> None:
        self.page.wait_for_timeout(1500)
        self._count += 1
        self.page.screenshot(path=self._shots / f"{self._count:02}-{name}.png")

    def command(self, title: str) -> None:
        self.page.keyboard.press("F1")
        self.page.locator(".quick-input-widget input").fill(f">{title}")
        self.page.locator(".quick-input-list .monaco-list-row").first.wait_for()
        self.page.keyboard.press("Enter")

    def open(self, name: str) -> None:
        self.page.keyboard.press("Control+P")
        self.page.locator(".quick-input-widget input").fill(name)
        self.page.locator(".quick-input-list .monaco-list-row", has_text=name).first.wait_for()
        self.page.keyboard.press("Enter")
        self.page.locator(".tab.active", has_text=name).wait_for()
        self.page.locator(".editor-instance .view-lines").first.click()

    def copy(self, text: str) -> None:
        self.page.evaluate("text => navigator.clipboard.writeText(text)", text)

    def text(self, path: Path, wanted: str) -> None:
        """Saves, and waits until the file holds a text."""
        deadline = time.monotonic() + 180
        while wanted not in path.read_text():
            assert time.monotonic() < deadline, f"{path.name} has not {wanted!r}: {path.read_text()}"
            self.page.keyboard.press("Control+S")
            self.page.wait_for_timeout(1000)


def drive(window: Window, folder: Path) -> None:
    page, shop = window.page, folder / "shop.py"
    window.open("shop.py")

    window.copy(ANSWER)
    page.keyboard.press("Control+V")
    page.locator(".view-line", has_text="sorted(").wait_for()
    window.shot("pasted")
    page.locator(".post-edit-widget").click()
    window.shot("ways-to-paste")
    page.keyboard.press("Escape")
    assert page.locator(".view-line", has_text="existing").count() == 0, "it was pasted as text"
    page.keyboard.press("Control+Z")
    window.text(shop, SHOP)

    window.command("redraft: Apply Answer from Clipboard")
    page.locator(".bulk-edit-panel .monaco-list-row", has_text="sorted(").click()
    window.shot("preview")
    row = page.locator(".bulk-edit-panel .monaco-list-row", has_text="sorted(")
    row.locator("input[type=checkbox], .edit-checkbox").click()
    window.shot("one-hunk-left")
    page.get_by_role("button", name="Apply", exact=True).first.click()
    window.text(shop, "round(")
    assert "sorted(" not in shop.read_text()
    window.shot("applied")

    window.command("redraft: Undo Last Apply")
    window.text(shop, "return sum(item.price")
    window.shot("undone")

    window.copy(SEVERAL)
    window.command("redraft: Apply Answer from Clipboard")
    page.locator(".bulk-edit-panel .monaco-list-row", has_text="basket.py").wait_for()
    window.shot("several-files")
    page.get_by_role("button", name="Discard", exact=True).first.click()
    assert shop.read_text() == SHOP

    window.open("shop.py")
    window.copy(OTHER)
    window.command("redraft: Apply Answer from Clipboard")
    page.locator(".notification-list-item", has_text="redraft:").first.wait_for()
    window.shot("refused")
    page.keyboard.press("Escape")
    window.command("Notifications: Clear All Notifications")

    window.open("shop.py")
    page.keyboard.press("Control+Home")
    for _ in range(4):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Home")
    page.keyboard.press("Shift+ArrowDown")
    window.command("redraft: Edit Selection")
    page.locator(".quick-input-widget input").fill("skip what is free")
    page.keyboard.press("Enter")
    page.locator(".notification-list-item", has_text="take the new lines").wait_for()
    window.shot("proposed")
    page.get_by_role("button", name="Accept", exact=True).click()
    page.locator(".tab", has_text="shop.py: redraft").wait_for(state="detached")
    window.text(shop, "if item.price")
    window.shot("accepted")


def suggest(window: Window, folder: Path) -> None:
    """The next edit at the cursor, elsewhere, and after a pause in typing."""
    page, shop, settings = window.page, folder / "shop.py", folder.parent / "data" / "User" / "settings.json"

    def says(old: str, new: str) -> None:
        """A server that makes one line of the file another, and the cursor behind `len(items)`."""
        (folder.parent / "said").write_text(shop.read_text().replace(old, new))
        window.command("Developer: Reload Window")
        page.wait_for_timeout(8000)
        page.locator(".statusbar-item", has_text="redraft").wait_for()
        window.open("shop.py")
        page.keyboard.press("Control+Home")
        for _ in range(8):
            page.keyboard.press("ArrowDown")
        page.keyboard.press("End")

    says("return len(items)", "return len(items) + 1")
    page.keyboard.press("Control+Alt+J")
    page.locator(".ghost-text-decoration, .ghost-text", has_text="+").first.wait_for()
    window.shot("ghost-text")
    page.keyboard.press("Tab")
    window.text(shop, "return len(items) + 1")

    says("A shop", "The shop")
    before = shop.read_text()
    page.keyboard.press("Control+Alt+J")
    page.locator(".statusbar-item", has_text="Tab for the next edit, line 1").wait_for()
    window.shot("next-edit-elsewhere")
    page.keyboard.press("Tab")
    window.shot("next-edit-gone-to")
    window.text(shop, before)
    page.keyboard.press("Tab")
    window.text(shop, "The shop")

    settings.write_text(settings.read_text().replace("{", '{"redraft.suggest": true,', 1))
    says("The shop", "A shop")
    page.keyboard.type("0")
    page.locator(".statusbar-item", has_text="Tab for the next edit").wait_for()
    window.shot("next-edit-after-a-pause")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    window.text(shop, "return len(items) + 10 ")


def paste(window: Window, folder: Path) -> None:
    """Each answer of the folder into its file; what is refused is pasted as text."""
    for answer in sorted(folder.glob("*.*.md")):
        window.open(answer.stem)
        window.copy(answer.read_text())
        window.page.keyboard.press("Control+V")
        window.page.locator(".tab.active.dirty").wait_for()
        window.shot(answer.stem)
        window.command("Compare Active File with Saved")
        window.page.locator(".monaco-diff-editor").wait_for()
        window.shot(f"{answer.stem}-changes")
        window.command("View: Revert and Close Editor")
        window.command("View: Revert and Close Editor")


def main(code: Path, shots: Path, files: Path | None) -> None:
    shots.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home) / "project"
        folder.mkdir()
        (folder / "shop.py").write_text(SHOP)
        (folder / "basket.py").write_text('"""A basket."""\n\nLIMIT = 10\n')
        if files is not None:
            shutil.copytree(files, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.md"))
        said = Path(home) / "said"
        said.write_text("    return sum(item.price for item in items if item.price)\n")
        os.environ["REDRAFT_STATE"] = f"{home}/state"
        with server(code, folder, said) as url, sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            context = browser.new_context(viewport={"width": 1280, "height": 800})
            context.grant_permissions(["clipboard-read", "clipboard-write"])
            page: Any = context.new_page()
            page.set_default_timeout(180_000)
            deadline = time.monotonic() + 180
            while True:
                try:
                    page.goto(url)
                    break
                except Exception:
                    if time.monotonic() > deadline:
                        raise
                    time.sleep(2)
            window = Window(page, shots)
            try:
                page.locator(".statusbar-item", has_text="redraft").wait_for()
                if files is None:
                    drive(window, folder)
                    suggest(window, folder)
                else:
                    paste(window, files)
            except BaseException:
                page.screenshot(path=shots / "failed.png")
                raise
            finally:
                browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]), Path(sys.argv[3]) if len(sys.argv) > 3 else None)
