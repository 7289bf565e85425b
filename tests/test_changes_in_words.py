"""Small changes that sentences tell: one piece of text by another, in the place or in what the sentences are about."""

import pytest

from redraft.edit.merge.read import read

FILE = """\
import { page } from "site";
import Chart from "./chart";

function load(name) {
  check(name);
  return fetch(name);
}

function store(name) {
  check(name);
  return send(Chart, name);
}
"""
TRIMMED = FILE.replace("fetch(name)", "fetch(name.trim())")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("In the line that fetches, replace `fetch(name)` by `fetch(name.trim())`.", TRIMMED),
        ("- `fetch(name)` becomes `fetch(name.trim())`", TRIMMED),
        ("- `fetch(name)` → `fetch(name.trim())`", TRIMMED),
        ("In `store`, replace `check(name)` by `test(name)`.", "test(name)".join(FILE.rsplit("check(name)", 1))),
        ("Two small edits in `load`:\n\n- Replace `check(name)` by `test(name)`.", FILE.replace("check", "test", 1)),
        ("Replace `check(name)` by `test(name)`.", FILE),
        ("You could replace `fetch(name)` by `fetch(name.trim())` some day.", FILE),
        (
            'Add `import { log } from "log";` below the line that imports `Chart`.',
            FILE.replace('chart";\n', 'chart";\nimport { log } from "log";\n'),
        ),
    ],
)
def test_a_sentence_beside_a_block_changes_one_piece_of_text(words: str, expected: str) -> None:
    block = '```js\nimport { page, site } from "site";\n```'
    found = read(FILE, f"The import grows:\n\n{block}\n\n{words}\n", "load.js").candidates[0].text
    assert found == expected.replace("{ page }", "{ page, site }")


def test_a_list_of_lines_to_delete_is_no_code_whatever_code_it_quotes() -> None:
    head, tail = "def load(path):\n", "    return rows\n"
    file = f"{head}    trace('load', path)\n    rows = parse(path)\n    trace(f'{{len(rows)}} rows')\n{tail}"
    said = (
        "Two lines are left over in `load`:\n\n"
        "- right above `rows = parse(path)`, delete the line `trace('load', path)`\n"
        "- before `return rows`, delete the line `trace(f'{len(rows)} rows')`\n\n"
        "Nothing else traces.\n"
    )
    assert (
        read(file, said, "load.py").candidates[0].text == "def load(path):\n    rows = parse(path)\n    return rows\n"
    )


@pytest.mark.parametrize(
    ("words", "is_gone"),
    [
        ("Delete everything from `function store(name) {` to the end of the file.", True),
        ("Remove all lines from `store` down to the very bottom of the module.", True),
        ("Keep everything from `store` to the end of the file, delete nothing.", False),
    ],
)
def test_all_down_to_the_end_of_the_file_goes(words: str, is_gone: bool) -> None:
    expected = FILE[: FILE.index("\nfunction store")] if is_gone else FILE
    answer = f"{words} It ends like this:\n\n```js\n{expected[expected.rindex('  check') :]}```\n"
    assert read(FILE, answer, "load.js").candidates[0].text == expected
