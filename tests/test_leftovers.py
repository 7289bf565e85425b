"""Old lines beside their new versions, and removals that the words imply."""

import pytest

from redraft.edit.merge.context.imports import imported, without_old
from redraft.edit.merge.read import read

TS = """\
import { readFile, writeFile, stat } from "fs/promises";
import * as os from "os";
import pino from "pino";

export async function load(name) {
  await stat(name);
  return readFile(name);
}
"""


def first(file: str, update: str, path: str, asked: str = "") -> str:
    return read(file, update, path, asked).candidates[0].text


def test_an_import_of_names_that_a_new_one_brings_is_gone_wherever_it_stands() -> None:
    block = 'import * as os from "node:os";\nimport pino from "pino";\n\n'
    block += 'import { readFile, stat } from "node:fs/promises";\n'
    text = first(TS, f"The imports use the `node:` protocol:\n\n```ts\n{block}\n// ...\n```\n", "load.ts")
    assert text == block + TS[TS.index("\nexport") :]


def test_an_import_stays_where_a_name_of_it_is_still_used() -> None:
    after = ("import { readFile } from 'node:fs';", *TS.splitlines())
    assert without_old(TS.splitlines(), after, (), "", "load.ts") == after


def test_imports_below_conditions_stay() -> None:
    file = ("try:", "    from fast import loads", "except ImportError:", "    from slow import loads")
    after = (file[0], "    from faster import loads", *file[2:])
    assert without_old(file, after, (), "", "a.py") == after


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("import a, { b, c as d } from 'x';", {"a", "b", "d"}),
        ("import type { Row } from './row'", {"Row"}),
        ("const { a, b: c } = require('x');", {"a", "c"}),
        ("from a.b import c, d as e", {"c", "e"}),
        ("use std::fmt::{self, Display, Write as W};", {"Display", "W"}),
        ("use std::io::Read;", {"Read"}),
        ("import java.util.List;", {"List"}),
        ("import java.util.*;", set()),
        ("import os.path", set()),
        ("using System.Linq;", set()),
    ],
)
def test_names_that_imports_bring(line: str, names: set[str]) -> None:
    assert imported(line) == (names or ({"path"} if line == "import os.path" else set()))


RUN = """\
int run(int a, int b)
{
    // see the manual, page 12
    if (a > b && b > 0)
    {
        return a;
    }
    return b;
}
"""


def test_a_comment_that_moves_to_the_end_of_its_line_leaves_no_second_line() -> None:
    block = "    if (a > b && b > 0) // see the manual, page 12\n    {\n"
    text = first(RUN, f"The link moves to the end of the line in `run`:\n\n```c\n{block}```\n", "run.c")
    assert text == RUN.replace("    // see the manual, page 12\n", "").replace(
        "b > 0)", "b > 0) // see the manual, page 12"
    )


GO = """\
func send(parts []string, last bool) {
	start := len(parts)
	write(parts)
	if last && !contains(parts[start:]) {
		insertAt(parts, start)
	}
	flush()
}
"""


@pytest.mark.parametrize(
    ("words", "goes"), [("It no longer calls `insertAt`, so that is gone.", True), ("It is quicker.", False)]
)
def test_a_branch_goes_with_the_call_that_is_said_to_go_and_its_local_with_it(words: str, goes: bool) -> None:
    block = "func send(parts []string, final bool) {\n\twrite(parts)\n\tflush()\n}\n"
    text = first(GO, f"`send` says `final`. {words}\n\n```go\n{block}```\n", "send.go")
    assert (text == block) == goes
    assert ("insertAt" in text) != goes


JOB = '''\
def on_failure(job, error):
    """Writes a failed job down."""
    print(job, error)


def run(job):
    """Runs one job of the queue and says how it went."""
    try:
        return job()
    except OSError as error:
        on_failure(job, error)
'''
NEW_JOB = '''\
def report(job, error):
    """Logs a job that failed."""
    log.error("%s: %s", job, error)


def run(job):
    """Runs one job and says how it went."""
    try:
        return job()
    except OSError as error:
        report(job, error)
'''


@pytest.mark.parametrize(
    "words",
    [
        "Replace the `on_failure` function with this one, and call it from `run`:",
        "I've replaced `on_failure` with a `report` function:",
    ],
)
def test_what_is_replaced_by_something_new_is_gone_where_nothing_uses_it(words: str) -> None:
    text = first(JOB, f"{words}\n\n```python\n{NEW_JOB}```\n", "job.py")
    assert text == NEW_JOB.replace("one job and", "one job of the queue and")


def test_what_is_replaced_stays_where_something_uses_it() -> None:
    file = JOB + "\n\nhandlers = [on_failure]\n"
    words = "Replace the `on_failure` function with this one, and call it from `run`:"
    assert "def on_failure" in first(file, f"{words}\n\n```python\n{NEW_JOB}```\n", "job.py")


def test_a_block_that_begins_with_two_lines_of_the_file_is_no_addition() -> None:
    file = "def load(path):\n    check(path)\n    rows = parse(path)\n    print(rows)\n    close()\n    return rows\n"
    block = "    check(path)\n    rows = parse(path)\n"
    block += "    if rows:\n        log(rows)\n    else:\n        fail()\n    close()\n"
    text = first(file, f"Then in `load`, after the check, the output is a log:\n\n```python\n{block}```\n", "load.py")
    assert text == "def load(path):\n" + block + "    return rows\n"


def test_what_moves_from_one_list_to_another_leaves_the_first() -> None:
    file = "FIRST = [\n    'alpha',\n    'beta',\n]\n\nSECOND = [\n    'gamma',\n    'delta-ray',\n]\n"
    block = "FIRST = [\n    'alpha',\n    'beta',\n    'delta-ray',\n]\n\nSECOND = [\n    'gamma',\n]\n"
    words = "`delta-ray` moves from `SECOND` to `FIRST`, and nothing else changes."
    assert first(file, f"{words}\n\n```python\n{block}```\n", "lists.py") == block


def test_lines_that_keep_what_a_replaced_call_held_come_instead_of_the_whole_call() -> None:
    file = "test('rows', async () => {\n  render()\n  await waitFor(() => {\n    expect(rows()).toBe(3)\n  })\n})\n"
    block = "  await act(() => tick(10))\n  expect(rows()).toBe(3)\n"
    text = first(file, f"Replace the `waitFor` at the end with:\n\n```js\n{block}```\n", "rows.test.js")
    assert text == f"test('rows', async () => {{\n  render()\n{block}}})\n"


def test_an_import_of_another_function_stays_and_so_does_an_alias_of_a_type() -> None:
    functions = ("def a():", "    import simplejson as json", "", "", "def b():", "    import json")
    before = (functions[0], "    pass", *functions[2:])
    assert without_old(before, functions, (), "", "a.py") == functions
    aliases = ("struct a {", "    using other = b;", "};", "struct c {", "    using other = d;", "};")
    assert without_old(aliases[:3], aliases, (), "", "a.cpp") == aliases


@pytest.mark.parametrize(
    ("path", "file", "new"),
    [
        ("a.py", "import logging.config\nimport os.path\n", "from app import config, path"),
        ("a.pl", "use LWP::Simple;\n", "use XML::Simple;"),
        ("A.hs", "import Data.Text\n", "import Prettyprinter.Text"),
        ("a.md", '```ts\nimport { z } from "zod";\n```\n\n```ts\n', 'import { z } from "zod/mini";'),
        ("a.js", "const text = `\nimport { Model } from './model';\n`;\n", "import { Model } from './orm';"),
    ],
)
def test_what_only_looks_like_an_import_of_the_same_name_stays(path: str, file: str, new: str) -> None:
    after = (*file.splitlines(), new)
    assert without_old(file.splitlines(), after, (), "", path) == after


def test_a_docstring_without_a_word_of_which_is_spoken_is_an_edit() -> None:
    head = 'def names(users):\n    """Return the unique names of all active users."""\n    found = []\n'
    head += "    for user in users:\n"
    file = f"{head}        if user.active:\n            found.append(user.name)\n    return found\n"
    new = f"{head}        found.append(user.name)\n    return found\n".replace(" active", "")
    text = f"`names` returns inactive ones, too:\n\n```python\n{new}```\n\nNothing else changes.\n"
    rest = "\n\ndef ages(users):\n    return [u.age for u in users]\n"
    assert first(file + rest, text, "a.py", "names() should include inactive users") == new + rest


def test_a_type_that_loses_a_modifier_is_edited_where_its_users_are_spoken_of() -> None:
    file = "pub struct Parser {\n    at: usize,\n}\n\npub fn parse(text: &str) -> usize {\n    text.len()\n}\n"
    new = "struct Parser {\n    at: usize,\n    line: usize,\n}\n"
    text = f"`Parser` is private to the module, and it keeps track of lines:\n\n```rust\n{new}```\n"
    asked = "Hide Parser from other modules and let it count lines"
    assert first(file, text, "a.rs", asked) == new + file[file.index("\npub fn") :]


def test_a_switched_default_is_an_edit() -> None:
    head = 'def connect(host, port=5432, ssl=True, retries=3):\n    """Connect to the database."""\n'
    rest = '    for _ in range(retries):\n        yield options\n    log.info("connected to %s", host)\n'
    other = '\n\ndef close(conn):\n    conn.close()\n    log.info("closed")\n'
    file = f'{head}    check(host)\n    options = {{"host": host, "port": port, "ssl": ssl}}\n{rest}{other}'
    new = f'{head}    options = {{"host": host or "localhost", "port": port, "ssl": ssl}}\n{rest}'.replace(
        "True", "False"
    )
    text = f"Here it is. Callers choose themselves whether to encrypt:\n\n```python\n{new}```\n"
    assert first(file, text, "a.py", "A missing host should mean the local machine rather than raise") == new + other


def test_an_import_goes_where_a_function_brings_the_name_that_only_it_had() -> None:
    file = "use std::fmt;\n\nuse store::{Row, Table};\n\nfn load() -> Table {\n    Table::of(Row::new())\n}\n"
    new = "use std::fmt;\nuse store::Table;\n\n"
    load = "fn load() -> Table {\n    use store::Row;\n\n    Table::of(Row::new())\n}\n"
    after = (new + load).splitlines()
    old = (*after[:2], "use store::{Row, Table};", *after[2:])
    assert without_old(file.splitlines(), old, after, "", "load.rs") == tuple(after)


@pytest.mark.parametrize(
    ("path", "file", "shown", "new"),
    [
        (
            "run.sh",
            'for one in $all; do\n  # the one that is meant\n  if [ -n "$given" ]; then\n    name="$given"\n  else\n'
            '    name=${all[${#all[@]} - 1]}\n  fi\n  start "$name"\ndone\n',
            '  # the one that is meant\n  if [ -n "$given" ]; then\n    name="$given"\n  else\n'
            '    name="$(newest "$one")"\n  fi\n',
            'for one in $all; do\n  # the one that is meant\n  if [ -n "$given" ]; then\n    name="$given"\n  else\n'
            '    name="$(newest "$one")"\n  fi\n  start "$name"\ndone\n',
        ),
        (
            "shop.ex",
            'defmodule Shop do\n  @moduledoc """\n  Sells what is there.\n\n  Call `Shop.sell/1`:\n\n'
            "      Shop.sell(:tea)\n\n  Or all at once:\n\n      Shop.close()\n"
            '  """\n  def sell(item), do: Till.add(item)\nend\n',
            '  @moduledoc """\n  Sells what is there now.\n\n  Call `Shop.sell/1`:\n\n      Shop.sell(:tea)\n\n  """\n',
            'defmodule Shop do\n  @moduledoc """\n  Sells what is there now.\n\n  Call `Shop.sell/1`:\n\n'
            '      Shop.sell(:tea)\n\n  """\n  def sell(item), do: Till.add(item)\nend\n',
        ),
        (
            "view.swift",
            "class View {\n    var size: Size? {\n        guard let frame = frame else { return nil }\n"
            "        return frame.size\n    }\n\n    init() {}\n}\n",
            "    lazy var size: Size? = {\n        guard let frame = frame else { return nil }\n"
            "        // ... unchanged ...\n    }()\n",
            "class View {\n    lazy var size: Size? = {\n        guard let frame = frame else { return nil }\n"
            "        return frame.size\n    }()\n\n    init() {}\n}\n",
        ),
    ],
)
def test_what_is_shown_up_to_its_end_ends_once(path: str, file: str, shown: str, new: str) -> None:
    answer = f"The newest one counts:\n\n```\n{shown}```\n"
    assert read(file, answer, path, "Take the newest, and drop the second example.").candidates[0].text == new


def test_another_branch_below_the_end_of_one_stays() -> None:
    file = "if (a) {\n  b();\n}\nelse {\n  c();\n}\nd();\n"
    answer = "`b` is called twice:\n\n```js\nif (a) {\n  b();\n  b();\n}\n```\n"
    assert read(file, answer, "a.js", "Call `b` twice").candidates[0].text == file.replace("b();\n", "b();\n  b();\n")


SLIDER = """\
import Part from './part.js';
import document from 'global/document';
import assign from 'assign';

class Slider extends Part {
  begin() {
    this.on(document, 'move');
  }

  end() {
    this.off(document, 'move');
  }
}
"""


@pytest.mark.parametrize(
    ("words", "goes"),
    [
        ("The `global/document` import isn't needed any more.", True),
        ("That makes the import of `document` superfluous.", True),
        ("I left the `global/document` import alone, it is unused now.", False),
        ("Nothing else is new.", False),
    ],
)
def test_an_import_of_which_words_have_no_need_goes_where_nothing_uses_it(words: str, goes: bool) -> None:
    new = SLIDER.replace("(document", "(this.bar")
    gone = new.replace("import document from 'global/document';\n", "")
    imports, methods = (gone if goes else new).split("\nclass Slider extends Part {\n")
    shown = f"{imports}\n// ...\n\n{methods[:-2]}" if goes else methods[:-2]
    text = read(SLIDER, f"It listens to `this.bar`. {words}\n\n```js\n{shown}```\n", "slider.js").candidates[0].text
    assert text == (gone if goes else new)


def test_an_old_branch_goes_across_a_blank_line() -> None:
    old = "  if (!entry.empty && limit != 0)\n    entries.push(entry);\n"
    new = "  if (entries && !entry.empty)\n    entries->push(entry);\n"
    file = f"void Log::keep(Entry entry) {{\n  count++;\n\n{old}\n  flush();\n}}\n"
    answer = f"`keep`, at its end:\n\n```cpp\n{new}\n  flush();\n```\n\n`entries` may be null now.\n"
    assert read(file, answer, "log.cc").candidates[0].text == file.replace(old, new)
