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
