"""What the tools for agents say about sketches is so: each advice, followed, is applied as it was meant."""

import re
from pathlib import Path

import pytest

from redraft.apply import load
from redraft.mcp.descriptions import EDIT_FILE
from redraft.mcp.workspace import Edit, Workspace

CART = """\
import json


class Cart:
    def __init__(self, items):
        self.items = items

    def total(self):
        return sum(item.price for item in self.items)

    def clear(self):
        self.items = []
        self.count = 0
        self.note = ""


def read(path):
    with open(path) as file:
        return json.load(file)
"""
PAGE = "<ul>\n  <li>one</li>\n  <li>two</li>\n  <li>three</li>\n</ul>\n"
SCRIPT = "function a() {\n  return 1;\n}\n\nfunction b() {\n  return 2;\n}\n"
FOLLOWED = {
    "the example": (
        "cart.py",
        re.findall(r"```python\n(.*?)```", EDIT_FILE, re.DOTALL)[0],
        CART.replace("total(self)", "total(self, discount=0)").replace("self.items)\n\n", "self.items) - discount\n\n"),
    ),
    "a whole function": (
        "cart.py",
        "def read(path):\n    return json.loads(path.read_text())\n",
        CART[: CART.index("def read")] + "def read(path):\n    return json.loads(path.read_text())\n",
    ),
    "lines around": (
        "cart.py",
        "# ... existing code ...\n    def clear(self):\n        self.items = []\n        self.count = 1\n"
        '        self.note = ""\n# ... existing code ...\n',
        CART.replace("count = 0", "count = 1"),
    ),
    "two changes": (
        "cart.py",
        "import json\nimport os\n# ... existing code ...\n        self.items = []\n        self.count = None\n"
        '        self.note = ""\n'
        "# ... existing code ...\n",
        CART.replace("import json\n", "import json\nimport os\n").replace("count = 0", "count = None"),
    ),
    "deleted lines": (
        "cart.py",
        "# ... existing code ...\n    def clear(self):\n        self.items = []\n"
        '        self.note = ""\n# ... existing code ...\n',
        CART.replace("        self.count = 0\n", ""),
    ),
    "added lines": (
        "page.html",
        "<!-- ... existing code ... -->\n  <li>two</li>\n  <li>two and a half</li>\n  <li>three</li>\n"
        "<!-- ... existing code ... -->\n",
        PAGE.replace("two</li>\n", "two</li>\n  <li>two and a half</li>\n"),
    ),
    "another language": (
        "a.js",
        "// ... existing code ...\nfunction b() {\n  return 3;\n}\n",
        SCRIPT.replace("2", "3"),
    ),
}


@pytest.mark.parametrize("name", FOLLOWED)
def test_a_sketch_as_advised_is_applied_as_meant(name: str, tmp_path: Path) -> None:
    path, update, expected = FOLLOWED[name]
    (tmp_path / path).write_text({"cart.py": CART, "page.html": PAGE, "a.js": SCRIPT}[path])
    (outcome,) = Workspace(tmp_path, load(readers="merge")).edit([Edit(path, update)])
    assert (outcome.status, outcome.reason) == ("applied", "")
    assert (tmp_path / path).read_text() == expected
