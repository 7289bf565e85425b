"""Files are reported by size class."""

import pytest

from redraft.data.sizes import bucket


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        (1, "up to 100"),
        (100, "up to 100"),
        (101, "100-400"),
        (400, "100-400"),
        (401, "400-1,000"),
        (2500, "1,000-2,500"),
        (2501, "over 2,500"),
    ],
)
def test_bucket(lines: int, name: str) -> None:
    assert bucket("x\n" * lines) == bucket("x\n" * (lines - 1) + "x") == name
