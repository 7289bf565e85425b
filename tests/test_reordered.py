"""In: answers that show lines of the file in another order. Out: the file's, unless another one means something."""

import pytest

from redraft.edit.merge.read import read

RULE = ".card {\n  color: black;\n  margin: 0;\n  padding: 4px;\n  border: none;\n}\n"
SWAPPED = "```css\n.card {\n  margin: 0;\n  color: black;\n  padding: 8px;\n  border: none;\n}\n```\n"
CALLS = "def run():\n    open_door()\n    ring_bell()\n    wait(3)\n    leave()\n"


def first(file: str, path: str, answer: str, asked: str = "") -> str:
    return read(file, answer, path, asked).candidates[0].text


@pytest.mark.parametrize("order", ["margin: 0;\n  color: black;", "color: black;\n  margin: 0;"])
def test_declarations_stand_as_in_the_file(order: str) -> None:
    shown = f"The padding is 8px now:\n\n```css\n.card {{\n  {order}\n  padding: 8px;\n  border: none;\n}}\n```\n"
    assert first(RULE, "a.css", shown) == RULE.replace("4px", "8px")


def test_imports_stand_as_in_the_file_beside_a_line_that_goes() -> None:
    file = "import sys\nimport os\nimport json\n\nprint(json, os, sys)\n"
    shown = "`sys` is not printed any more.\n\n```python\nimport os\nimport sys\nimport json\n\nprint(json, os)\n```\n"
    assert first(file, "a.py", shown) == file.replace(", sys)", ")")


def test_an_order_that_is_asked_for_is_meant() -> None:
    shown = f"The padding is 8px.\n\n{SWAPPED}"
    text = first(RULE, "a.css", shown, "Sort the declarations of the card, and make the padding 8px.")
    assert text.index("margin") < text.index("color")


def test_a_line_of_which_a_place_is_told_moves() -> None:
    shown = f"The margin comes first now, the padding is 8px.\n\n{SWAPPED}"
    text = first(RULE, "a.css", shown)
    assert text.index("margin") < text.index("color")


def test_calls_stand_as_shown() -> None:
    said = "It waits for 5 seconds."
    shown = f"{said}\n\n```python\ndef run():\n    ring_bell()\n    open_door()\n    wait(5)\n    leave()\n```\n"
    text = first(CALLS, "a.py", shown)
    assert text.index("ring_bell") < text.index("open_door")


@pytest.mark.parametrize(
    ("path", "line", "other"),
    [
        ("a.py", "from box import lid, lock", "from box import lock, lid"),
        ("a.ts", "import { lid, lock as bar } from 'box'", "import { lock as bar, lid } from 'box'"),
    ],
)
def test_the_names_of_an_import_stand_as_in_the_file(path: str, line: str, other: str) -> None:
    file = f"{line}\n\nlid = 1\nlock = 2\n"
    shown = f"The lock is 3 now:\n\n```\n{other}\n\nlid = 1\nlock = 3\n```\n"
    assert first(file, path, shown) == file.replace("2", "3")
    sorts = "Sort the names of the import, and make the lock 3."
    assert first(file, path, shown, sorts) == file.replace("2", "3").replace(line, other)


def test_an_import_with_its_names_the_other_way_round_is_another() -> None:
    file = "from box import lid as lock\n\nlid = 1\n"
    shown = "The lid is 3:\n\n```python\nfrom box import lock as lid\n\nlid = 3\n```\n"
    assert "lock as lid" in first(file, "a.py", shown)


LAYOUT = """\
<layout>
    <Text
        android:id="@+id/one"
        android:gravity="center"
        android:color="@color/menu"
        android:background="?selectable"
        />
    <Text
        android:id="@+id/two"
        android:gravity="center"
        android:color="@color/menu"
        android:background="?selectable"
        />
</layout>
"""


def test_attributes_stay_in_order_beside_one_that_changes() -> None:
    one, two = LAYOUT.replace("?selectable", "@drawable/tab").split("    <Text\n")[1:]
    gravity, color = ('        android:gravity="center"\n', '        android:color="@color/menu"\n')
    shown = "".join("    <Text\n" + text.removesuffix("</layout>\n") for text in (one, two))
    shown = shown.replace(gravity + color, color + gravity)
    answer = f"Swap the background of both texts:\n\n```xml\n{shown}```\n\nNothing else is different.\n"
    assert first(LAYOUT, "menu.xml", answer) == LAYOUT.replace("?selectable", "@drawable/tab")


def test_attributes_that_are_said_to_be_swapped_are() -> None:
    page = 'call:\n  name: "a"\n  group: "b"\n  limit: 3\n'
    answer = 'Swap `name` and `group`, raise the limit:\n\n```yaml\ncall:\n  group: "b"\n  name: "a"\n  limit: 4\n```\n'
    expected = 'call:\n  group: "b"\n  name: "a"\n  limit: 4\n'
    assert first(page, "call.yaml", answer) == expected


def test_an_import_retold_in_another_place_is_the_files() -> None:
    file = 'import { b } from "./b";\nimport { c } from "./c";\nimport * as a from "./a";\n\n'
    file += "export const run = () => {\n  start(a, b);\n  return c.old;\n};\n"
    shown = "import * as a from './a';\nimport { b } from './b';\nimport { c } from './c';\n\n"
    shown += "export const run = () => {\n  start(a, b);\n  return c.fresh;\n};\n"
    answer = f"The toggle group runs `fresh` now. Fixed file:\n\n```ts\n{shown}```\n"
    assert first(file, "run.ts", answer) == file.replace("old", "fresh")


def test_what_opens_and_closes_stands_as_shown() -> None:
    file = '<main>\n  {{ if comments }}\n  <div class="talk">\n    {{ list }}\n  </div>\n  {{ end }}\n</main>\n'
    shown = '<main>\n  <div class="talk">\n  {{ if comments }}\n    {{ rows }}\n  {{ end }}\n  </div>\n</main>\n'
    assert first(file, "page.html", f"The list is `rows` now. The new file:\n\n```html\n{shown}```\n") == shown


def test_names_of_an_import_and_entries_with_calls_stand_as_in_the_file() -> None:
    file = 'import { pick, drop } from "./stores";\n\nexport const all = {\n  one: pick(),\n  two: drop(),\n'
    file += "  six: old(),\n};\n"
    shown = 'import { drop, pick } from "./stores";\n\nexport const all = {\n  two: drop(),\n  one: pick(),\n'
    shown += "  six: fresh(),\n};\n"
    answer = f"`fresh` is used now:\n\n```js\n{shown}```\n"
    assert first(file, "all.js", answer) == file.replace("old", "fresh")
