"""Outcomes become intervals, tables, pictures and a page that hostile texts cannot break."""

import json
import re
import sys
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.edit.request import Message, Request
from redraft.errors import RedraftError
from redraft.measure.accuracy.outcome import Outcome, read_outcomes
from redraft.measure.cases import Case
from redraft.measure.report import tables
from redraft.measure.report.difference import Change, changes, marks
from redraft.measure.report.failures import KINDS, failures
from redraft.measure.report.groups import BY_LANGUAGE, BY_SIZE
from redraft.measure.report.intervals import difference, interval
from redraft.measure.report.page import page
from redraft.measure.report.plots import frontier, looks_of
from redraft.measure.report.reliability import bins, scored
from redraft.measure.report.table import Table, markdown
from redraft.measure.report.write import report

HOSTILE = (
    "</script><script>alert(1)</script><img src=x onerror=alert(2)>\r\n\tx = '\u202eabc' \u05d0\u05d1 <!-- & \u2028\0"
)
ORIGINAL = f"a = 1\nb = 2\n{HOSTILE}\nend\n"
EXPECTED = f"a = 1\nb = 3\n{HOSTILE}\nend\n"


def outcome(name: str, system: str = "s", exact: bool = True, **changed: Any) -> Outcome:
    wrong = None if exact else "wrong\n"
    found = Outcome(
        name, system, "python", "hunks", 50, "up to 100", exact, exact, exact, not exact, wrong, "applied", "", 0.95,
        "both", 100, 60, 50, 40, 4, 2.0, 500.0, 0,
    )  # fmt: skip
    return replace(found, **changed)


def case(name: str, original: str = ORIGINAL, expected: str = EXPECTED) -> Case:
    request = Request(original, f"sketch {HOSTILE}", "do it", "a.py", (Message("user", "please"),))
    return Case(name, request, expected, "python", "hunks")


hits = st.lists(st.booleans(), max_size=60)


@given(hits)
def test_an_interval_holds_the_share_and_is_the_same_again(found: list[bool]) -> None:
    low, high = interval(found)
    assert 0 <= low <= high <= 1
    assert (low, high) == interval(found)
    assert not found or low <= sum(found) / len(found) <= high
    assert high - low > 0


@given(hits.filter(bool))
def test_an_interval_shrinks_with_the_number_of_cases(found: list[bool]) -> None:
    few, many = interval(found * 2), interval(found * 32)
    assert many[1] - many[0] < few[1] - few[0]


def test_an_interval_of_all_or_none_is_wilsons() -> None:
    assert interval([True] * 10) == (pytest.approx(0.7225, abs=1e-4), 1.0)
    assert interval([False] * 10) == (0.0, pytest.approx(0.2775, abs=1e-4))
    assert interval([]) == (0.0, 1.0)


def test_an_interval_of_many_cases_is_nearly_the_normal_one() -> None:
    low, high = interval([True] * 700 + [False] * 300)
    assert (low, high) == (pytest.approx(0.7 - 1.96 * 0.01449, abs=0.004), pytest.approx(0.7 + 0.0284, abs=0.004))


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=60))
def test_a_difference_holds_the_difference_and_sees_that_cases_are_the_same(pairs: list[tuple[bool, bool]]) -> None:
    one, other = [a for a, _ in pairs], [b for _, b in pairs]
    low, high = difference(one, other)
    assert -1 <= low < high <= 1
    assert (low, high) == difference(one, other)
    assert not pairs or low - 1e-9 <= (sum(one) - sum(other)) / len(pairs) <= high + 1e-9


def test_a_difference_of_pairs_is_narrower_than_that_of_shares() -> None:
    one = [True, False] * 100
    other = [True, False] * 98 + [False] * 4
    low, high = difference(one, other)
    assert high - low < 0.04 < interval(one)[1] - interval(one)[0]
    assert difference(one, one) == (pytest.approx(-0.0188, abs=1e-3), pytest.approx(0.0188, abs=1e-3))
    assert difference([True] * 9, [False] * 9)[1] == 1
    with pytest.raises(ValueError, match="shorter"):
        difference(one, one[1:])


SMALL = [
    outcome("1"),
    outcome("2", exact=False, equal_but_whitespace=True, equal_as_trees=True, silent_error=False, violations=2),
    outcome("3", exact=False, bucket="100-400", language="go", confidence=0.5, seconds=6.0, violations=3),
    outcome("4", status="needs_context", confidence=0.0, style="", forwards=8),
    outcome("1", "s+vanilla", seconds=4.0, chars_per_second=250.0, confidence=None, cost=0.25),
    outcome("3", "s+vanilla", bucket="100-400", seconds=30.0, chars_per_second=50.0, confidence=None, cost=0.5),
    outcome(
        "4", "s+vanilla", exact=False, silent_error=False, status="error", output=None, seconds=99.0, confidence=None
    ),
]


def rows(table: Table) -> list[dict[str, str]]:
    return [dict(zip(table.header, row, strict=True)) for row in table.rows]


def test_the_overall_table_by_hand() -> None:
    one, vanilla = rows(tables.overall(SMALL))
    assert one["exact"].startswith("25.0% (0.0-")
    assert (one["equal but for whitespace"], one["equal as trees"]) == ("2 (50.0%)", "2 (50.0%)")
    assert (one["silent errors"], one["refused"], one["errors"]) == ("1 (25.0%)", "1 (25.0%)", "0 (0.0%)")
    assert (one["applied with low confidence"], vanilla["applied with low confidence"]) == ("1 (25.0%)", "-")
    assert (one["violations"], one["cost"], vanilla["cost"]) == ("5", "-", "$0.7500")
    assert (one["forwards, median"], one["output tokens, mean"], one["characters/s, median"]) == ("4", "60", "500")
    assert (vanilla["edits"], vanilla["errors"], vanilla["characters/s, median"]) == ("3", "1 (33.3%)", "150")
    assert "bits per byte, mean" not in one
    (told,) = rows(tables.overall([outcome("1", bits_per_byte=0.5), outcome("2", bits_per_byte=1.0)]))
    assert told["bits per byte, mean"] == "0.750"
    assert "cost" not in told


def test_the_other_tables_by_hand() -> None:
    (beside,) = rows(tables.differences(SMALL))
    assert (beside["common edits"], beside["only it is exact"], beside["only s is exact"]) == ("3", "1", "0")
    assert beside["difference"].startswith("+33.3 (+0.0 to +")
    small, large = tables.grouped(SMALL, BY_SIZE).rows
    assert (small[:2], large[:2]) == (["up to 100", "3"], ["100-400", "1"])
    assert small[3].endswith(" of 2")
    assert [row[0] for row in tables.grouped(SMALL, BY_LANGUAGE).rows] == ["go", "python"]
    first, second, *_ = tables.speed(SMALL).rows
    assert first == ["up to 100", "s", "3", "2.000", "2.000", "500"]
    assert second == ["up to 100", "s+vanilla", "2", "4.000", "4.000", "250"]
    assert tables.speed_ups(SMALL).rows == [["s", "2", "3.50x"]]
    assert [row[:4] for row in tables.calibration(SMALL).rows] == [
        ["s", "to 0.5", "1", "0.500"],
        ["s", "to 0.95", "2", "0.950"],
    ]


def test_only_tables_with_rows_are_shown_and_sets_where_there_are_several() -> None:
    alone = [table.title for table in tables.tables([outcome("1", confidence=None)])]
    assert alone == [
        "Overall",
        "What the guards say",
        *(f"Exact by {what}" for what in ("size class, lines", "language", "style of the sketch")),
        "Speed",
    ]
    both = tables.tables([outcome("1", set="a"), outcome("2", set="b")])
    assert [row[0] for table in both if table.title == "Exact by set" for row in table.rows] == ["a", "b"]


def test_what_the_guards_say_is_counted() -> None:
    found = tables.statuses(SMALL)
    assert found.header == ["system", "applied", "needs_context", "error", "refused, and right"]
    assert found.rows == [["s", "3", "1", "0", "1"], ["s+vanilla", "2", "0", "1", "0"]]


def test_markdown_cells_stay_cells() -> None:
    table = Table("T", "note", None, ("a", "b"), [["x|y", "<b>\n1"]])
    assert markdown([table]) == "## T\n\nnote\n\n| a | b |\n|---|---:|\n| x\\|y | &lt;b&gt; 1 |\n"


def test_bins_hold_what_is_written_and_has_a_confidence() -> None:
    found = bins(scored([*SMALL, outcome("5", confidence=1.0), outcome("6", confidence=0.96)]))
    assert [(each.name, each.said, each.share) for each in found] == [
        ("to 0.5", 0.5, 0.0),
        ("to 0.95", 0.95, 1.0),
        ("to 0.97", 0.96, 1.0),
        ("to 1", 1.0, 1.0),
    ]


values = st.tuples(st.integers(0, 9), st.integers(0, 9))


@given(st.lists(values, min_size=1))
def test_the_frontier_holds_all_that_nothing_beats(points: list[tuple[int, int]]) -> None:
    best = frontier(points)
    beaten = {
        at for at, (x, y) in enumerate(points) if any((u > x and v >= y) or (u >= x and v > y) for u, v in points)
    }
    assert sorted(best) == sorted(set(range(len(points))) - beaten)
    assert [points[at][0] for at in best] == sorted(points[at][0] for at in best)


def test_every_system_has_a_look_of_its_own() -> None:
    looks = looks_of([outcome("1", f"system {n}") for n in range(50)])
    assert len({(look.colour, look.marker) for look in looks.values()}) == 50
    (look,) = looks_of([outcome("1", "$x$\ud800" + "y" * 99)]).values()
    assert look.name.startswith(r"\$x\$?yyy")
    assert len(look.name) < 60


def lines_of(text: str) -> list[str]:
    """As page.js does it."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def changed(before: str, found: Sequence[Change]) -> str:
    result, at, old = [], 0, lines_of(before)
    for change in found:
        result += [*old[at : change.start], *change.lines]
        at = change.end
    return "".join([*result, *old[at:]])


texts = st.text("ab \n\r\U0001f600", max_size=40)


@given(texts, texts)
def test_changes_make_one_text_of_the_other(before: str, after: str) -> None:
    found = changes(before, after)
    assert changed(before, found) == after
    assert bool(found) == (before != after)


def unmarked(text: str, spans: Sequence[int]) -> str:
    units = text.encode("utf-16-le", "surrogatepass")
    edges = [0, *spans, len(units) // 2]
    kept = [units[2 * start : 2 * end] for start, end in zip(edges[::2], edges[1::2], strict=True)]
    return b"".join(kept).decode("utf-16-le", "surrogatepass")


@given(st.text("ab .\U0001f600\ud800", max_size=20), st.text("ab .\U0001f600\ud800", max_size=20))
def test_what_is_not_marked_is_the_same_in_both_lines(old: str, new: str) -> None:
    spans = marks(old, new)
    assert spans is None or unmarked(old, spans[0]) == unmarked(new, spans[1])


def test_words_are_marked() -> None:
    assert marks("return old(x)\n", "return new(x)\n") == ([7, 10], [7, 10])
    assert marks("\U0001f600 = old", "\U0001f600 = new") == ([5, 8], [5, 8])
    assert marks("entirely", "different") is None
    assert marks("a" * 5000, "a" * 4999) is None


def test_the_worst_failures_come_first_and_texts_are_there_once() -> None:
    wrong = [
        outcome("e", exact=False, silent_error=False, status="error", output=None),
        outcome("r", exact=False, silent_error=False, status="needs_context"),
        outcome("k", status="syntax_broken"),
        outcome("t", exact=False, silent_error=False, equal_as_trees=True),
        outcome("w", exact=False),
        outcome("w", "other", exact=False, output=EXPECTED + "more"),
        outcome("fine"),
    ]
    found = failures(wrong, {name: case(name) for name in ("w", "k", "e", "fine")})
    assert [each["kind"] for each in found["failures"]] == [KINDS[0], *KINDS]
    assert sorted(found["cases"]) == ["e", "k", "w"]
    silent, other, trees, right, refused, error = found["failures"]
    assert (silent["system"], other["system"]) == ("s", "other")
    assert (right["output"], error["output"], trees["output"], refused["output"]) == ([], None, "wrong\n", "wrong\n")
    assert changed(EXPECTED, [Change(*each) for each in other["output"]]) == EXPECTED + "more"


def data_of(text: str) -> Any:
    (block,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    return json.loads(block)


def hostile_page() -> tuple[str, dict[str, Any]]:
    bad = outcome(
        "x</script>", f"s{HOSTILE}", exact=False, output="\ud800" + EXPECTED + "y" * 100_000, language=HOSTILE
    )
    found = failures([bad], {bad.id: case(bad.id)})
    return page(HOSTILE, HOSTILE, tables.tables([bad]), {"pareto": b"PNG"}, found), found


def test_the_page_refers_to_nothing_outside() -> None:
    text, _ = hostile_page()
    outside = text.replace(data_block(text), "")
    referred = re.findall(r"<[^>]*\b(?:src|href|action|srcset)=[\"']?([^\"'\s>]*)", outside)
    assert [each[:10] for each in referred] == ["#failures", "data:image"]
    assert not re.search(r"<link|<iframe|<object|<base|@import|url\(|https?://", outside)


def data_block(text: str) -> str:
    return text[text.index('<script type="application/json"') :].partition("</script>")[0]


def test_hostile_texts_stay_texts() -> None:
    text, found = hostile_page()
    assert data_of(text) == json.loads(json.dumps(found))
    assert not re.search(r"[<>&]", data_block(text).partition(">")[2])
    assert re.findall(r"<(script|img)\b", text) == ["img", "script", "script"]
    assert text.count("<!--") == 0
    assert "alert(1)" in text


def test_the_page_lets_run_its_own_script_alone() -> None:
    text, _ = hostile_page()
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)
    for kind, content in (("script", script), ("style", style)):
        digest = b64encode(sha256(content.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy.replace("&#43;", "+")
    assert "default-src 'none'" in policy
    assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|setAttribute", script)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of several systems, with failures, hostile names, a case whose texts are missing"""
    out = tmp_path_factory.mktemp("report") / "new" / "folder"
    strange = outcome("5", HOSTILE + "$\ud800", exact=False, output=HOSTILE, message=f"at '{HOSTILE}'", language="$<b>")
    cases = {name: case(name) for name in ("1", "3", "5")}
    report([*SMALL, strange], cases, out)
    return out


def test_a_report_is_a_page_tables_pictures_and_records(whole: Path) -> None:
    pictures = {f"{name}.png" for name in ("pareto", "by_size", "by_language", "by_style", "calibration", "speed")}
    assert {path.name for path in whole.iterdir()} == {"index.html", "tables.md", "records.jsonl", *pictures}
    text = (whole / "index.html").read_text(encoding="utf-8")
    for name in pictures:
        content = (whole / name).read_bytes()
        assert content.startswith(b"\x89PNG")
        assert b64encode(content).decode() in text
    assert len(data_of(text)["failures"]) == 5
    assert sorted(data_of(text)["cases"]) == ["3", "5"]


def test_records_and_tables_hold_no_texts(whole: Path) -> None:
    published = read_outcomes(whole / "records.jsonl")
    assert [(found.id, found.exact) for found in published[:4]] == [(found.id, found.exact) for found in SMALL[:4]]
    assert {(found.output, found.message) for found in published} == {(None, "")}
    assert "wrong" not in (whole / "records.jsonl").read_text() + (whole / "tables.md").read_text()
    assert "<script" not in (whole / "tables.md").read_text()


def test_one_system_without_failures_confidences_and_texts(tmp_path: Path) -> None:
    (tmp_path / "calibration.png").write_bytes(b"of an earlier report")
    report([outcome("1", confidence=None, set="natural")], {}, tmp_path)
    text = (tmp_path / "index.html").read_text()
    assert "Edits of natural" in text
    assert "None: every edit is written and exact." in text
    assert data_of(text) == {"cases": {}, "failures": []}
    assert b64encode(b"of an earlier report").decode() not in text


def test_errors_alone_have_a_page_too(tmp_path: Path) -> None:
    failed = outcome(
        "1", exact=False, silent_error=False, status="error", output=None, seconds=0.0, chars_per_second=0.0
    )
    report([failed], {}, tmp_path)
    assert "The texts of the cases are not at hand" in (tmp_path / "index.html").read_text()
    assert not (tmp_path / "pareto.png").exists()


def test_bad_input_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RedraftError, match="no records"):
        report([], {}, tmp_path)
    with pytest.raises(RedraftError, match="the case 1 is there 2 times for s: give each record once"):
        report([outcome("1"), outcome("2"), outcome("1")], {}, tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(RedraftError, match=r"cannot write .*file"):
        report([outcome("1")], {}, tmp_path / "file")
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(RedraftError, match=r"pip install 'redraft\[plot\]'"):
        report([outcome("1")], {}, tmp_path)
