// In: nothing. Out: edits to try: those of the package and of the demonstration in a terminal.

import basketAnswer from "../../demo/basket.md?raw";
import basket from "../../demo/basket.py?raw";
import inventory from "../../demo/inventory.py?raw";
import inventoryAnswer from "../../demo/update.md?raw";
import card from "../../src/redraft/examples/comment/TemperatureCard.tsx?raw";
import cardAnswer from "../../src/redraft/examples/comment/update.md?raw";
import average from "../../src/redraft/examples/type-hints/calculate_average.py?raw";
import averageAnswer from "../../src/redraft/examples/type-hints/update.md?raw";

export interface Example {
  name: string;
  path: string;
  file: string;
  answer: string;
}

export const EXAMPLES: readonly Example[] = [
  { name: "Basket: a method in Python", path: "basket.py", file: basket, answer: basketAnswer },
  { name: "Inventory: several places", path: "inventory.py", file: inventory, answer: inventoryAnswer },
  { name: "Type hints", path: "calculate_average.py", file: average, answer: averageAnswer },
  { name: "A comment in TSX", path: "TemperatureCard.tsx", file: card, answer: cardAnswer },
];
