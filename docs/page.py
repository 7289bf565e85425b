"""In: the address of a server that runs. Out: docs/page.png: its page, after a race on one of the examples.

redraft serve --time-limit 3600 &
python docs/page.py http://localhost:8000 [EXAMPLE]
"""

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

_OUT = Path(__file__).with_name("page.png")
_CHROMIUM = "/usr/bin/chromium"
_PATIENCE = 3_600_000  # milliseconds


def main(url: str, example: str = "0") -> None:
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=_CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 1080}, color_scheme="light")
        page.set_default_timeout(_PATIENCE)
        page.goto(url)
        page.select_option("#example", example)
        page.click("#apply")
        page.locator("#apply:enabled").wait_for()
        page.screenshot(path=_OUT)
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
