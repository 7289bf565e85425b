"""The stock of a small warehouse: what lies on the shelves, what is promised to orders, and what to buy again."""

import json
import logging
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

log = logging.getLogger(__name__)


class StockError(Exception):
    """The stock cannot do what was asked of it."""


@dataclass
class Item:
    """One article and how many pieces of it there are."""

    sku: str
    name: str
    on_hand: int = 0
    reserved: int = 0
    reorder_at: int = 5
    counted_on: str = ""

    @property
    def available(self) -> int:
        """Pieces that no order has claimed yet."""
        return self.on_hand - self.reserved

    @property
    def is_low(self) -> bool:
        return self.available <= self.reorder_at


@dataclass
class Movement:
    """One change of the stock, for the journal."""

    sku: str
    quantity: int
    reason: str
    day: str


class Inventory:
    """All items by their stock number, saved to a file of JSON on request."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.items: dict[str, Item] = {}
        self.journal: list[Movement] = []

    def load(self) -> None:
        """Read the saved state; a missing file is an empty warehouse."""
        if not self.path.exists():
            return
        saved = json.loads(self.path.read_text(encoding="utf-8"))
        self.items = {row["sku"]: Item(**row) for row in saved["items"]}
        self.journal = [Movement(**row) for row in saved["journal"]]

    def save(self) -> None:
        """Write the whole state."""
        state = {
            "items": [asdict(item) for item in self.items.values()],
            "journal": [asdict(movement) for movement in self.journal],
        }
        self.path.write_text(json.dumps(state, indent=2), encoding="utf-8")

    def add_item(self, sku: str, name: str, reorder_at: int = 5) -> Item:
        """Enter a new article with an empty shelf."""
        if sku in self.items:
            raise StockError(f"{sku} is already in the inventory")
        item = Item(sku, name, reorder_at=reorder_at)
        self.items[sku] = item
        return item

    def find(self, sku: str) -> Item:
        try:
            return self.items[sku]
        except KeyError:
            raise StockError(f"there is no item {sku}") from None

    def receive(self, sku: str, quantity: int) -> int:
        """Put delivered pieces on the shelf; the new number of pieces."""
        if quantity <= 0:
            raise StockError("a delivery has at least one piece")
        item = self.find(sku)
        item.on_hand += quantity
        self._note(sku, quantity, "received")
        return item.on_hand

    def reserve(self, sku: str, quantity: int) -> None:
        """Promise pieces to an order."""
        if quantity <= 0:
            raise StockError("a reservation has at least one piece")
        item = self.find(sku)
        if quantity > item.available:
            missing = quantity - item.available
            raise StockError(f"{missing} pieces of {sku} are missing")
        item.reserved += quantity
        log.info("reserved %d pieces of %s", quantity, sku)

    def release(self, sku: str, quantity: int) -> None:
        """Give reserved pieces back."""
        item = self.find(sku)
        item.reserved = max(item.reserved - quantity, 0)
        log.info("released %d pieces of %s", quantity, sku)

    def ship(self, sku: str, quantity: int) -> None:
        """Send out pieces that were reserved before."""
        item = self.find(sku)
        if quantity > item.reserved:
            raise StockError(f"only {item.reserved} pieces of {sku} are reserved")
        item.reserved -= quantity
        item.on_hand -= quantity
        self._note(sku, -quantity, "shipped")

    def count(self, sku: str, quantity: int) -> int:
        """Correct the books after somebody counted; the difference to what was expected."""
        item = self.find(sku)
        difference = quantity - item.on_hand
        item.on_hand = quantity
        item.counted_on = date.today().isoformat()
        if difference:
            self._note(sku, difference, "counted")
        return difference

    def to_order(self) -> list[Item]:
        """Items that have to be bought, the scarcest first."""
        low = [item for item in self.items.values() if item.is_low]
        return sorted(low, key=lambda item: item.available)

    def turnover(self, sku: str, since: str) -> int:
        """How many pieces of an item went out since a day."""
        shipped = 0
        for movement in self.journal:
            if movement.sku == sku and movement.reason == "shipped" and movement.day >= since:
                shipped -= movement.quantity
        return shipped

    def _note(self, sku: str, quantity: int, reason: str) -> None:
        self.journal.append(Movement(sku, quantity, reason, date.today().isoformat()))


def report(inventory: Inventory) -> str:
    """One line an item, for the morning mail."""
    lines = []
    for item in sorted(inventory.items.values(), key=lambda item: item.name):
        mark = "!" if item.is_low else " "
        lines.append(f"{mark} {item.sku:<10} {item.name:<30} {item.available:>6}")
    return "\n".join(lines)


def main() -> None:
    inventory = Inventory(Path("inventory.json"))
    inventory.load()
    print(report(inventory))


if __name__ == "__main__":
    main()
