"""In: answers that resemble slips and orders, and mean what they show. Out: what they show."""

import pytest

from redraft.edit.merge.read import read


def first(file: str, answer: str, path: str, asked: str = "") -> str:
    return read(file, answer, path, asked).candidates[0].text


CACHE = (
    'import x from "x";\n\nlet cache;\n\nexport function get(key, options = {}) {\n  return x.get({ cache: key });\n}\n'
)


def test_a_declaration_that_a_diff_removes_goes_though_a_key_has_its_name() -> None:
    answer = (
        '```diff\n import x from "x";\n \n-let cache;\n-\n export function get(key, options = {}) {\n'
        "-  return x.get({ cache: key });\n+  return x.get({ cache: key, options });\n }\n```\n"
    )
    assert first(CACHE, answer, "a.js") == CACHE.replace("let cache;\n\n", "").replace("key })", "key, options })")


def test_a_declaration_gives_way_to_an_import_of_its_name() -> None:
    file = "let logger;\n\nexport function run() {\n  logger.info(1);\n}\n"
    answer = '```diff\n-let logger;\n+import logger from "./logger.js";\n \n export function run() {\n```\n'
    assert first(file, answer, "a.js") == file.replace("let logger;", 'import logger from "./logger.js";')


def test_a_value_is_set_again_where_it_was_another_in_between() -> None:
    file = (
        "def test_toggle(lamp):\n    lamp.enabled = True\n    first = lamp.state\n    lamp.enabled = False\n"
        '    second = lamp.state\n    assert (first, second) == ("on", "off")\n'
    )
    new = file.replace(
        '    assert (first, second) == ("on", "off")',
        '    lamp.enabled = True\n    assert (first, second, lamp.state) == ("on", "off", "on")',
    )
    assert first(file, f"It is switched on again at the end:\n\n```python\n{new}```\n", "test_lamp.py") == new


@pytest.mark.parametrize("words", ["Make sure not to delete:", "Be careful not to remove:", "Nothing else is to go:"])
def test_a_list_of_what_has_to_stay_deletes_nothing(words: str) -> None:
    file = "def load():\n    return 1\n\n\ndef save():\n    return 2\n\n\ndef main():\n    return load()\n"
    answer = f"```python\ndef main():\n    return save()\n```\n\n{words}\n\n- `load`\n- `save`\n"
    assert first(file, answer, "a.py") == file.replace("return load()", "return save()")


def test_headings_go_down_a_level_together() -> None:
    file = "# Box\n\n## Install\n\nRun it.\n\n## Usage\n\nOpen it.\n"
    shown = "### Install\n\nRun it.\n\n### Usage\n\nOpen it.\n"
    assert (
        first(file, f"Both headings go one level down:\n\n```markdown\n{shown}```\n", "README.md")
        == f"# Box\n\n{shown}"
    )


def test_one_of_several_alike_changes_where_the_others_are_only_compared() -> None:
    one = "def test_{}(client):\n    r = client.get('/{}')\n    assert r.status == 200\n"
    file = "\n\n".join(one.format(name, name) for name in ("a", "b", "c"))
    answer = (
        "The last assertion has to be different from what is in the other tests:\n\n"
        "```python\n    assert r.status == 404\n```\n"
    )
    assert first(file, answer, "test_pages.py") == "404".join(file.rsplit("200", 1))


def test_a_block_around_blank_lines_of_a_broken_file_is_read() -> None:
    file = '{\n  "dependencies": {\n    "a": "1"\n  },\n  "devDependencies": {\n    "b": "1"\n  }\n}\n'
    answer = (
        '```json\n{\n  "dependencies": {\n    // ... existing dependencies ...\n  },\n  "devDependencies"0 {\n```\n'
    )
    read(file, answer, "package.json")


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("main.rs", "    let _ = sender.send(Event::Started);", "    let _ = remove_file(&path);"),
        ("Makefile", "\tmake test CC=gcc", "\tmake clean all CC=clang"),
    ],
)
def test_lines_that_set_no_name_stand_beside_each_other(path: str, old: str, new: str) -> None:
    head, below = ("fn main() {", "    run_all();") if path == "main.rs" else ("all:", "\techo done")
    file = f"{head}\n{old}\n{below}\n" + "}\n" * (path == "main.rs")
    assert first(file, f"```\n{new}\n{below}\n```\n", path) == file.replace(old, f"{old}\n{new}")
