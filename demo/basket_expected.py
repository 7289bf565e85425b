"""What a customer has chosen, and what it costs."""

from dataclasses import dataclass, field


@dataclass
class Line:
    """One article of an order."""

    name: str
    price: int
    quantity: int = 1

    @property
    def total(self) -> int:
        return self.price * self.quantity


@dataclass
class Basket:
    """The lines of an order that is not placed yet; prices are in cents."""

    lines: list[Line] = field(default_factory=list)
    shipping: int = 490

    def add(self, name: str, price: int, quantity: int = 1) -> None:
        """Put an article into the basket."""
        self.lines.append(Line(name, price, quantity))

    def remove(self, name: str) -> None:
        """Take all lines of an article out again."""
        self.lines = [line for line in self.lines if line.name != name]

    def goods(self) -> int:
        """What all articles cost together."""
        return sum(line.total for line in self.lines)

    def is_free(self) -> bool:
        """Whether the order is large enough to be sent free of charge."""
        return self.goods() >= 5000

    def total(self) -> int:
        """What the customer pays."""
        return self.goods() + (0 if self.is_free() else self.shipping)

    def receipt(self) -> str:
        """The order, a line for each article."""
        rows = [f"{line.quantity} x {line.name}: {line.total / 100:.2f}" for line in self.lines]
        rows.append(f"shipping: {self.shipping / 100:.2f}")
        rows.append(f"total: {self.total() / 100:.2f}")
        return "\n".join(rows)
