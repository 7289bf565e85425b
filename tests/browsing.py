"""In: a server. Out: its page in a headless Chromium, and what the browser complains of; skips where there is none."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

PATIENCE = 180_000  # milliseconds until a slow machine is given up


def browser_path() -> str:
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        pytest.skip("no browser: install Chromium (apt-get install chromium)")
    return found


@contextmanager
def browsing(url: str, **options: Any) -> Iterator[Any]:
    """The page, loaded; at its end it has to have been without errors and breaches of its policy."""
    playwright = pytest.importorskip("playwright.sync_api", reason="no playwright: pip install playwright")
    complaints: list[str] = []
    with playwright.sync_playwright() as driver:
        # Chromium's sandbox needs rights that containers lack.
        browser = driver.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        page = browser.new_context(**options).new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        page.goto(url)
        yield page
        browser.close()
    # A refused request is what some tests ask for, and Chromium logs each.
    complaints = [text for text in complaints if not text.startswith("Failed to load resource")]
    assert not complaints, complaints
