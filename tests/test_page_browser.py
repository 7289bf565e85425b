"""The page in a real browser: races, hunks, keys, files of all kinds, and what goes wrong said plainly."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from browsing import browsing
from fetched import needs_small
from redraft.serve.settings import Limits, Settings
from serving import scripted, serving

pytestmark = pytest.mark.slow

FILE = "def a():\n    return 1\n\n\ndef b():\n    return 2\n\n\ndef c():\n    return 3\n"
ANSWER = "```python\ndef a():\n    return 10\n\n\n# ... existing code ...\n\n\ndef c():\n    return 30\n```\n"
NEW = FILE.replace("return 1", "return 10").replace("return 3", "return 30")
TINY = ("x = 1\ny = 2\nz = 3\n", "```python\nx = 1\ny = 20\nz = 3\n```\n")


def fill(page: Any, editor: str, text: str) -> None:
    """Puts a text in an editor as a person pastes it."""
    page.locator(f"#{editor} .cm-content").focus()
    page.keyboard.press("ControlOrMeta+a")
    # Typing over a selection, Chromium itself tries to style what is new, and complains that it may not.
    page.keyboard.press("Delete")
    page.keyboard.insert_text(text)


def give(page: Any, file: str = FILE, answer: str = ANSWER, path: str = "a.py") -> None:
    page.fill("#path", path)
    fill(page, "file", file)
    fill(page, "answer", answer)


def finished(page: Any) -> None:
    page.locator("#apply:enabled").wait_for()


def lanes(page: Any) -> list[str]:
    return [lane.inner_text() for lane in page.locator("pre.output").all()]


def result(page: Any, folder: Path) -> str:
    """What the page lets people download."""
    with page.expect_download() as started:
        page.click("#download")
    started.value.save_as(folder / "got")
    return (folder / "got").read_bytes().decode()


@needs_small
def test_a_race_of_the_embedded_model_from_paste_to_file(tmp_path: Path) -> None:
    with serving(Settings()) as live, browsing(live.url) as page:
        give(page, *TINY)
        page.click("#apply")
        finished(page)
        assert page.locator(".lane.finished").count() == 2
        vanilla, drafts = lanes(page)
        assert vanilla == drafts
        assert " as fast: " in page.inner_text("#speed-up")
        assert "token for token the same text" in page.inner_text("#speed-up")
        assert page.locator("#timeline rect.accepted").count() >= 1
        assert page.inner_text("#verdict") == "Applied"
        assert result(page, tmp_path) == TINY[0].replace("2", "20")
        assert page.locator("#whose option").all_inner_texts() == ["As decided", "As the model wrote it"]


def test_hunks_are_taken_and_left(tmp_path: Path) -> None:
    with serving(scripted(tmp_path, NEW)) as live, browsing(live.url) as page:
        give(page)
        page.click("#apply")
        finished(page)
        assert page.locator("#diff .hunk .confidence").count() == 2
        assert re.fullmatch(r"\d+% sure", page.locator("#diff .confidence").first.inner_text())
        assert result(page, tmp_path) == NEW
        page.locator("#diff .take").first.click()
        assert page.inner_text("#taken") == "1 of 2 hunks taken"
        assert result(page, tmp_path) == FILE.replace("return 3", "return 30")
        page.click("#leave-all")
        assert result(page, tmp_path) == FILE
        page.click("#take-all")
        page.click("#use")
        assert page.locator("#file .cm-line").all_inner_texts()[1] == "    return 10"
        assert page.locator("#result").is_hidden()


def test_origins_are_told_apart(tmp_path: Path) -> None:
    with serving(scripted(tmp_path, NEW.replace("30", "31"))) as live, browsing(live.url) as page:
        give(page)
        page.click("#apply")
        finished(page)
        drafts = page.locator(".lane").nth(1)
        assert "return 10" in "".join(drafts.locator("span.sketch").all_inner_texts())
        assert "def b()" in "".join(drafts.locator("span.file").all_inner_texts())
        assert "31" in "".join(drafts.locator("span.model").all_inner_texts())
        assert page.locator(".lane").nth(0).locator("pre span:not(.model)").count() == 0


def test_a_race_by_keyboard_alone(tmp_path: Path) -> None:
    with serving(scripted(tmp_path, NEW)) as live, browsing(live.url) as page:

        def tab_to(selector: str) -> None:
            for _ in range(60):
                page.keyboard.press("Tab")
                if page.locator(f"{selector}:focus").count():
                    return
            raise AssertionError(f"{selector} cannot be reached by Tab")

        tab_to("#path")
        page.keyboard.type("a.py")
        tab_to("#file .cm-content")
        page.keyboard.insert_text(FILE)
        tab_to("#tab-answer")
        tab_to("#answer .cm-content")
        page.keyboard.insert_text(ANSWER)
        page.keyboard.press("ControlOrMeta+Enter")
        finished(page)
        tab_to("#next")
        page.keyboard.press("Enter")
        page.locator('[data-hunk="0"] button:focus').wait_for()
        page.keyboard.press("Space")
        assert page.inner_text("#taken") == "1 of 2 hunks taken"
        assert page.locator('[data-hunk="0"] button:focus').get_attribute("aria-pressed") == "false"
        tab_to('[data-hunk="1"] button')
        page.keyboard.press("Space")
        assert page.inner_text("#taken") == "0 of 2 hunks taken"


NASTY = '<img src=x onerror=pwned()><script>pwned()</script></textarea><svg onload=pwned()>" onfocus=pwned() x="${1}'


def test_no_text_becomes_markup(tmp_path: Path) -> None:
    said = f"# {NASTY}\nx = 2  # {NASTY}\n"
    with serving(scripted(tmp_path, said)) as live, browsing(live.url) as page:
        page.evaluate("void (window.pwned = () => { window.isPwned = true })")
        give(page, f"# {NASTY}\nx = 1\n", f"```python\n# {NASTY}\nx = 2  # {NASTY}\n```\n", f"{NASTY}.py")
        page.click("#apply")
        finished(page)
        assert lanes(page)[1].rstrip("\n") == said.rstrip("\n")
        assert NASTY in page.inner_text("#diff")
        assert page.locator("[onerror], [onload], [onfocus], iframe, script:not([src]), img[src]").count() == 0
        give(page, "x = 1\n", f"```python\nx = '{NASTY}\n```\n", f"{NASTY}.py")
        page.click("#apply")
        finished(page)
        assert "Refused" in page.inner_text("#verdict")
        assert page.evaluate("window.isPwned") is None


def test_a_file_of_10_000_lines_is_edited_without_drawing_it_all(tmp_path: Path) -> None:
    lines = [f"value_{number} = {number}" for number in range(10_000)]
    text = "\n".join(lines) + "\n"
    (tmp_path / "large.py").write_text(text)
    answer = "```python\n# ... existing code ...\nvalue_7000 = 'seven thousand'\n# ... existing code ...\n```\n"
    new = text.replace("= 7000\n", "= 'seven thousand'\n")
    with serving(scripted(tmp_path, new)) as live, browsing(live.url) as page:
        page.locator("#file-input").set_input_files(tmp_path / "large.py")
        page.locator("#file .cm-line", has_text="value_0").wait_for()
        assert page.input_value("#path") == "large.py"
        fill(page, "answer", answer)
        page.click("#apply")
        finished(page)
        assert page.locator("#error").is_hidden()
        assert result(page, tmp_path) == new
        assert page.locator("#file .cm-line, #diff .cm-line").count() < 300
        assert page.evaluate("document.querySelectorAll('*').length") < 5_000


@needs_small
def test_cancelling_frees_the_engine() -> None:
    lines = "".join(
        f"def f{number}(first, second):\n    return first * {number} + second\n\n\n" for number in range(35)
    )
    answer = lines.replace("return first", "return 2 * first")
    with serving(Settings(limits=Limits(seconds=3600))) as live, browsing(live.url) as page:
        give(page, lines, answer)
        page.click("#apply")
        page.locator(".lane pre span").first.wait_for()
        page.keyboard.press("Escape")
        finished(page)
        assert page.inner_text("#status") == "Cancelled"
        assert page.locator(".lane.stopped").count() >= 1
        # The engine does one thing at a time, and the race would have kept it for minutes.
        body = {"model": "embedded", "prompt": "x", "max_tokens": 1}
        assert live.client.post("/v1/completions", json=body, timeout=60).status_code == 200


def test_a_refusal_says_why_and_takes_nothing(tmp_path: Path) -> None:
    with serving(scripted(tmp_path, FILE)) as live, browsing(live.url) as page:
        give(page, answer="```python\ndef b():\n    return (\n```\n")
        page.locator("#with-race").uncheck()
        page.click("#apply")
        finished(page)
        assert page.inner_text("#verdict") == "Refused: syntax broken"
        assert "line 3 of the answer" in page.inner_text("#message")
        assert page.inner_text("#taken").startswith("0 of")
        assert result(page, tmp_path) == FILE


def test_a_refusal_that_a_model_could_decide_says_how_to_have_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REDRAFT_HOME", str(tmp_path))
    file = "def a(x):\n    check(x)\n    return x\n\n\ndef b(x):\n    check(x)\n    return x\n"
    with serving(Settings()) as live, browsing(live.url) as page:
        give(page, file, "```python\n# ...\n    check(x)\n    log(x)\n    return x\n# ...\n```\n")
        page.locator("#with-race").uncheck()
        page.click("#apply")
        finished(page)
        assert page.inner_text("#verdict") == "Refused: needs context"
        assert "To go on: a model could decide: redraft model get small" in page.inner_text("#message")


def test_what_is_missing_is_asked_for_where_it_goes(tmp_path: Path) -> None:
    with serving(scripted(tmp_path, FILE)) as live, browsing(live.url) as page:
        page.click("#apply")
        assert "Paste what the chat model answered" in page.inner_text("#error")
        assert page.locator("#answer .cm-content:focus").count() == 1
        page.locator("#file-input").set_input_files(
            {"name": "a.bin", "mimeType": "application/octet-stream", "buffer": b"\xff\0"}
        )
        page.get_by_text("a.bin is not text in UTF-8").wait_for()


def test_a_key_is_asked_for_and_kept_nowhere(tmp_path: Path) -> None:
    with serving(scripted(tmp_path, NEW, key="secret")) as live, browsing(live.url) as page:
        page.get_by_text("This server needs an API key").wait_for()
        assert page.locator("#key:focus").count() == 1
        page.keyboard.type("wrong")
        page.keyboard.press("Enter")
        page.get_by_text("Wrong API key").wait_for()
        page.fill("#key", "secret")
        give(page)
        page.click("#apply")
        finished(page)
        assert page.locator(".lane.finished").count() == 2
        stored = "JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie, location.href])"
        assert "secret" not in json.dumps(page.evaluate(stored))


def test_a_server_that_has_gone_is_named(tmp_path: Path) -> None:
    with serving(scripted(tmp_path, NEW)) as live, browsing(live.url) as page:
        give(page)
        page.route("**/v1/**", lambda route: route.abort())
        page.click("#apply")
        page.get_by_text("the server cannot be reached").wait_for()


def test_line_ends_of_a_file_from_windows_stay(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(FILE.replace("\n", "\r\n").encode())
    with serving(scripted(tmp_path, NEW)) as live, browsing(live.url) as page:
        page.locator("#file-input").set_input_files(tmp_path / "a.py")
        page.locator("#file .cm-line", has_text="def a").wait_for()
        fill(page, "answer", ANSWER)
        page.click("#apply")
        finished(page)
        assert result(page, tmp_path) == NEW.replace("\n", "\r\n")
        page.locator("#diff .take").nth(1).click()
        assert result(page, tmp_path) == FILE.replace("return 1", "return 10").replace("\n", "\r\n")


@pytest.mark.parametrize("width", [360, 1400])
def test_nothing_is_wider_than_the_screen(tmp_path: Path, width: int) -> None:
    with (
        serving(scripted(tmp_path, NEW)) as live,
        browsing(live.url, viewport={"width": width, "height": 800}, reduced_motion="reduce") as page,
    ):
        give(page)
        page.click("#apply")
        finished(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


AXE = Path(__file__).parent.parent / "web/node_modules/axe-core/axe.min.js"


@pytest.mark.skipif(not AXE.exists(), reason="no axe-core: npm --prefix web ci")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_it(tmp_path: Path, scheme: str) -> None:
    """Names, roles, contrasts: what axe-core finds fault with."""

    def faults() -> list[str]:
        page.evaluate(f"() => {{ {AXE.read_text()} }}")
        found = page.evaluate("axe.run(document)")["violations"]
        return [f"{fault['id']}: {fault['nodes'][0]['html']}" for fault in found]

    with serving(scripted(tmp_path, NEW)) as live, browsing(live.url, color_scheme=scheme) as page:
        assert faults() == []
        give(page)
        page.click("#apply")
        finished(page)
        page.locator("#diff .take").first.click()
        assert faults() == []
        page.click("#tab-instruction")
        assert faults() == []


def test_selected_lines_are_edited_by_an_instruction(tmp_path: Path) -> None:
    with serving(scripted(tmp_path, "    return 20\n")) as live, browsing(live.url) as page:
        give(page)
        page.locator("#file .cm-line", has_text="return 2").click()
        page.keyboard.press("ControlOrMeta+k")
        assert page.locator("#instruction:focus").count() == 1
        assert (page.input_value("#first"), page.input_value("#last")) == ("6", "6")
        page.keyboard.type("return ten times as much")
        page.keyboard.press("ControlOrMeta+Enter")
        finished(page)
        assert page.inner_text("#verdict") == "Not checked: look at it"
        assert page.locator("#verdict.unsure").count() == 1
        assert page.locator("#race").is_hidden()
        assert result(page, tmp_path) == FILE.replace("return 2", "return 20")
        page.fill("#last", "99")
        page.click("#apply")
        assert "Say which lines, from 1 to" in page.inner_text("#error")


def test_a_dropped_file_is_opened_by_its_name(tmp_path: Path) -> None:
    drop = """() => {
        const data = new DataTransfer();
        data.items.add(new File(["x = 1\\n"], "dropped.py"));
        const target = document.querySelector("#file .cm-content");
        for (const type of ["dragover", "drop"])
            target.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    }"""
    with serving(scripted(tmp_path, NEW)) as live, browsing(live.url) as page:
        page.evaluate(drop)
        page.locator("#file .cm-line", has_text="x = 1").wait_for()
        assert page.input_value("#path") == "dropped.py"
        assert page.locator("#file .cm-line").all_inner_texts()[0] == "x = 1"
