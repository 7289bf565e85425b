"""Keeps rows."""

import os
from typing import Any

# How many rows are kept.
LIMIT = 10
COLOURS = {
    "red": 1,
    "blue": {
        "light": 2,
    },
}


@dataclass
class Store:
    # The rows.
    rows: list[Any] = []

    @property
    def size(self) -> int:
        return len(self.rows)

    async def flush(
        self,
        deep: bool = False,
    ) -> dict[str, int]:
        """Write all."""

        def inner() -> None:
            pass

        total = 1
        return {
            "total": total,
        }


def open_store(path: str) -> Store:
    return Store()


if __name__ == "__main__":
    open_store("a")
