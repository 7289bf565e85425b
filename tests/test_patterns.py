"""Patterns taken over from an earlier run are those that Python compiles, and whatever the file holds, commands run."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from redraft import patterns
from redraft.patterns import remembered_patterns

PATTERNS = [
    (r"(?P<head>\w+)\s*=\s*(?P<value>.+)", 0),
    (r"(?<![.\w])(a|b(c)?)+?(?!\1)", re.IGNORECASE | re.MULTILINE),
    ("[^\\W\\d_à-ÿ\u4e00-\u9fff]{2,}", 0),
    (r"(?x) a  # letters" + "\n b", re.VERBOSE),
    (r"^(?:class|def)\b", re.ASCII),
    ("\u017f|K|[^\xdf]", re.IGNORECASE),
    *((rf"\s*{word}(?P<{word}>\d*)", re.DOTALL) for word in ("one", "two", "three", "four", "five", "six")),
]


def compiled() -> list[re.Pattern[str]]:
    re.purge()
    return [re.compile(pattern, flags) for pattern, flags in PATTERNS]


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REDRAFT_HOME", str(tmp_path))
    with remembered_patterns():
        compiled()
    return next((tmp_path / "compiled").glob("patterns-*"))


@pytest.mark.usefixtures("kept")
def test_what_is_taken_over_is_what_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    right = compiled()
    with remembered_patterns():
        with monkeypatch.context() as patched:
            patched.setattr("re._parser.parse", None)  # nothing is compiled again
            found = compiled()
        assert re.compile(rb"[a-f]+").fullmatch(b"cafe")  # bytes are compiled as ever
        with pytest.raises(re.error, match="unterminated"):
            re.compile("(")
    assert found == right
    for one, other in zip(found, right, strict=True):
        assert (one.groups, one.groupindex, one.flags) == (other.groups, other.groupindex, other.flags)
        for text in ("x = 1", "abcBC", "ÀB\u4e00de", "ab", "class A", "ß k \u017f", "  three33"):
            assert [m.groups() for m in one.finditer(text)] == [m.groups() for m in other.finditer(text)]
    re.purge()


def test_no_bit_of_the_file_is_trusted(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right, whole = compiled(), kept.read_bytes()
    for at in range(0, len(whole), len(whole) // 300 + 1):
        damaged = bytearray(whole)
        damaged[at] ^= 1 << at % 8
        kept.write_bytes(damaged)
        with remembered_patterns():
            assert compiled() == right
    re.purge()


@pytest.mark.parametrize("content", [b"", b"no such file", b"\xe9\x01\x00\x00\x00", b"i\x05\x00\x00\x00"])
def test_a_file_that_cannot_be_read_is_made_again(kept: Path, content: bytes) -> None:
    kept.write_bytes(content)
    with remembered_patterns():
        compiled()
    assert len(kept.read_bytes()) > 1000
    assert [path.name for path in kept.parent.iterdir()] == [kept.name]


def test_a_few_new_patterns_are_not_worth_another_file(kept: Path) -> None:
    before = kept.read_bytes()
    with remembered_patterns():
        re.compile("a pattern that nobody else has")
    assert kept.read_bytes() == before


def test_a_command_runs_where_nothing_can_be_kept(tmp_path: Path) -> None:
    taken = tmp_path / "file"
    taken.write_text("")
    found = subprocess.run(
        [sys.executable, "-m", "redraft", "--version"], env={"REDRAFT_HOME": str(taken)}, capture_output=True, text=True
    )
    assert (found.returncode, found.stderr) == (0, "")


def test_where_there_are_too_many_those_of_the_last_run_are_kept(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "_MOST", len(PATTERNS) + 5)
    with remembered_patterns():
        assert [re.compile(f"{number}x+").pattern for number in range(10)]
    assert {pattern for pattern, _ in patterns._read(kept)} == {f"{number}x+" for number in range(10)}


def test_patterns_are_compiled_where_the_user_has_no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(patterns, "home", homeless)
    with remembered_patterns():
        assert [each.pattern for each in compiled()] == [pattern for pattern, _ in PATTERNS]
