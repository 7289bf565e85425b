"""What the sentence before a block says of its place: instead of a line, as one more overload, among the imports."""

import pytest

from redraft.edit.merge.read import read
from redraft.edit.words.hints import names_another_file

STORE = """\
using System;
using System.Linq;

class Store
{
    /// <summary>Reads a value.</summary>
    public int Get(string key)
    {
        return values[key];
    }

    /// <summary>Forgets all values.</summary>
    public void Clear()
    {
        values.Clear();
    }
}
"""


def best(original: str, answer: str, path: str) -> str:
    return read(original, answer, path).candidates[0].text


def test_an_overload_that_is_added_leaves_its_namesake() -> None:
    new = "    /// <summary>Reads a value.</summary>\n    public int Get(string key, int other)\n    {\n" + (
        "        return values.TryGetValue(key, out var found) ? found : other;\n    }\n"
    )
    answer = f"Add this overload after `Get`, before `Clear`:\n\n```csharp\n{new}```\n"
    assert best(STORE, answer, "Store.cs") == STORE.replace(
        "    /// <summary>Forgets", f"{new}\n    /// <summary>Forgets"
    )


def test_an_import_that_is_shown_alone_goes_to_the_imports() -> None:
    answer = (
        "Sum them:\n\n```csharp\n    public void Clear()\n    {\n        values.Clear();\n        log.Cleared();\n"
        "    }\n```\n\nThe file needs one directive more:\n\n```csharp\nusing Shop.Logs;\n```\n"
    )
    expected = STORE.replace("System.Linq;\n", "System.Linq;\nusing Shop.Logs;\n")
    expected = expected.replace("values.Clear();\n", "values.Clear();\n        log.Cleared();\n")
    assert best(STORE, answer, "Store.cs") == expected


def test_new_lines_take_the_place_of_the_line_that_is_said_to_be_replaced() -> None:
    answer = "`using System.Linq;` is replaced by:\n\n```csharp\nusing Shop.Queries;\n```\n"
    assert best(STORE, answer, "Store.cs") == STORE.replace("using System.Linq;", "using Shop.Queries;")


def test_a_comment_of_its_own_in_a_diff_is_a_word_to_the_reader() -> None:
    file = "limit = 3\nname = 'x'\n\n\ndef run():\n    start()\n    stop(limit)\n"
    diff = "-limit = 3\n+limit = 5\n\n# the name, then\ndef run():\n    start()\n-    stop(limit)\n+    stop()\n"
    expected = file.replace("3", "5").replace("stop(limit)", "stop()")
    assert best(file, f"```python\n{diff}```\n", "run.py") == expected


def test_a_stretch_of_a_function_that_words_only_name_does_not_go_to_its_end() -> None:
    file = "def ready(box):\n    box.open()\n    assert box.lid == 'up'\n\n\ndef done(box):\n    box.open()\n"
    block = "    box.open()\n    lid = box.state()\n    assert lid == 'up'\n    assert lid.hinge\n"
    expected = file.replace("    box.open()\n    assert box.lid == 'up'\n", block)
    assert best(file, f"In `ready`, ask for the state once:\n\n```python\n{block}```\n", "box.py") == expected


@pytest.mark.parametrize("said", ["Append this at the end of `{}`:", "At the bottom of `{}`, as the last check:"])
@pytest.mark.parametrize("path", ["checks/names.bats", "names.bats"])
def test_the_end_of_the_file_may_be_told_by_its_name(said: str, path: str) -> None:
    file = '@test "takes a name" {\n  run greet Ann\n  assert_ok "Ann"\n}\n\n@test "takes none" {\n  run greet\n}\n\n'
    new = '@test "keeps the case" {\n  CASE=kept run greet Ann\n  assert_ok "Ann"\n}\n'
    assert best(file, f"{said.format(path)}\n\n```bash\n{new}```\n", "checks/names.bats") == f"{file}{new}"


def test_several_neighbours_that_a_block_repeats_stay_single() -> None:
    file = "# Settings:\n#\n#   * +size+: how many there are.\n#\n# == See also\n#\n# The guide.\nsize = 3\n"
    shown = "#   * +size+: how many there are.\n#\n#   * +depth+: how deep they are.\n#\n# == See also\n"
    expected = file.replace("are.\n", "are.\n#\n#   * +depth+: how deep they are.\n")
    assert best(file, f"Below `+size+`:\n\n```ruby\n{shown}```\n", "settings.rb") == expected


def test_a_file_of_the_same_name_in_another_folder_is_another() -> None:
    file = "use std::fmt;\n\npub struct Rose {\n    pub leaves: u8,\n}\n"
    new = file.replace("leaves: u8,", "leaves: u8,\n    pub thorns: u8,")
    more = "`src/drawing/rose.rs` has to count the thorns before the drawing and use them:"
    answer = f"```rust\n{new}```\n\n{more}\n\n```rust\nlet sharp = paint\n    .count(&rose.thorns)\n    .done();\n```\n"
    assert best(file, answer, "src/shapes/rose.rs") == new


@pytest.mark.parametrize(
    ("name", "is_another"), [("c.rs", False), ("b/c.rs", False), ("./c.rs", False), ("x/c.rs", True), ("d.rs", True)]
)
def test_a_path_is_that_of_a_file_where_it_ends_as_its_own(name: str, is_another: bool) -> None:
    assert names_another_file(f"Then in `{name}`:\n", "a/b/c.rs") == is_another


BATS = "setup() {\n  start\n}\n\n@test \"opens a box\" {\n  open box\n}\n\n@test 'closes it' {\n  close box\n}\n"
NEW = '@test "locks a box" {\n  lock box\n}\n'


@pytest.mark.parametrize("name", ['"opens a box"', "`opens a box`", 'the test "opens a box"'])
def test_a_new_test_stands_behind_the_whole_of_the_one_that_is_named(name: str) -> None:
    answer = f"Put this after {name}:\n\n```bash\n{NEW}```\n"
    assert best(BATS, answer, "box.bats") == BATS.replace("@test 'closes", f"{NEW}\n@test 'closes")


def test_code_between_two_ticks_may_hold_single_ticks() -> None:
    tests = 'describe "`open` alone" do\n  it { works }\nend\n\ndescribe "`close` alone" do\n  it { works }\nend\n'
    block = 'describe "both" do\n  it { works }\nend\n'
    answer = f'This goes right before ``describe "`close` alone" do``:\n\n```ruby\n{block}```\n'
    found = read(tests, answer, "files_spec.rb", "A spec for both.").candidates[0].text
    assert found == tests.replace('describe "`close`', f'{block}\ndescribe "`close`')


def test_what_the_imports_need_is_added_to_them() -> None:
    file = 'package rows\n\nimport (\n\t"fmt"\n\t"testing"\n)\n\nfunc TestRow(t *testing.T) {\n\tfmt.Println(1)\n}\n'
    block = 'func TestUpper(t *testing.T) {\n\tfmt.Println(strings.ToUpper("a"))\n}\n'
    said = 'You\'ll need `"strings"` in the import block too (between `"fmt"` and `"testing"`).'
    answer = f"Append this:\n\n```go\n{block}```\n\n{said}\n"
    found = read(file, answer, "rows_test.go", "Add a test.").candidates[0].text
    assert found == file.replace('"fmt"\n', '"fmt"\n\t"strings"\n') + f"\n{block}"


LOADER = """\
import os


def load(path):
    with open(path) as file:
        return file.read()


def save(path, text):
    with open(path, "w") as file:
        file.write(text)
"""
READ = "def read_text(path):\n    return Path(path).read_text()\n"


def test_a_sentence_that_only_tells_of_the_block_replaces_nothing() -> None:
    answer = f"A helper, at the end of the file:\n\n```python\n{READ}```\n\nThis uses `load` as its model.\n"
    assert best(LOADER, answer, "store.py") == f"{LOADER}\n\n{READ}"


SUITE = """\
describe('queue', () => {
  it('is empty', () => {
    expect(new Queue().size).toBe(0)
  })

  it('grows', () => {
    expect(filled(2).size).toBe(2)
  })
})
"""


def test_a_file_is_called_by_its_path_or_its_name() -> None:
    file = 'greet() {\n  echo "hello $1"\n}\n\npart() {\n  echo "bye $1"\n}\n'
    new = 'shout() {\n  echo "HELLO $1"\n}\n'
    for said in ("Append this to the end of `lib/greet.sh`:", "Am Ende von `greet.sh`:"):
        assert best(file, f"{said}\n\n```bash\n{new}```\n", "lib/greet.sh") == f"{file}\n{new}"


SETUP = """\
int main(int argc, char** argv) {
  Options options = parse(argc, argv);
  check(std::abs(start(options)) < 0.5);
  check(stop(options));
  return 0;
}

int other(Options options) {
  check(std::abs(start(options)) < 0.5);
  return 1;
}
"""


def test_a_line_with_all_names_of_one_takes_its_place_in_what_is_named() -> None:
    line = "  check(std::abs(start(options)) < std::numeric_limits<double>::epsilon());\n"
    expected = SETUP.replace("  check(std::abs(start(options)) < 0.5);\n", line, 1)
    assert best(SETUP, f"In `main`:\n\n```cpp\n{line}```\n", "main.cpp") == expected


def test_a_line_that_shares_but_a_call_is_one_more() -> None:
    line = "  check(pause(options, argc));\n"
    assert "check(stop(options));" in best(SETUP, f"Add a check to `main`:\n\n```cpp\n{line}```\n", "main.cpp")


def test_a_tag_alone_with_one_attribute_more_is_the_one_it_names() -> None:
    page = '<template>\n  <main>\n    <user-list v-else :items="users">\n      <p>All</p>\n    </user-list>\n'
    page += '    <user-list :items="guests" />\n  </main>\n</template>\n'
    tag = '    <user-list v-else ref="list" :items="users">'
    answer = f"Give `user-list` a `ref`:\n\n```vue\n{tag}\n```\n"
    expected = page.replace('    <user-list v-else :items="users">', tag)
    assert best(page, answer, "Users.vue") == expected


def test_what_a_sentence_says_is_used_so_is_left_out_whatever_words_stand_before_it() -> None:
    file = "use std::env;\n\n#[derive(Debug)]\npub enum Event {\n    Open { at: usize },\n}\n"
    block = "    Open { at: usize },\n    Shut { at: usize },\n}\n"
    use = "From the door you'd use it like this:\n\n```rust\nlog!(Shut { at: self.at });\n```\n"
    answer = f"Add the variant at the end of `Event`:\n\n```rust\n{block}```\n\n{use}"
    expected = file.replace("    Open { at: usize },\n}\n", block)
    assert best(file, answer, "log.rs") == expected


def test_an_example_that_has_no_place_is_left_out_beside_a_block_that_has_one() -> None:
    file = "export class Box {\n  get() {\n    return this.value;\n  }\n}\n"
    block = "export class Box {\n  get() {\n    return this.value ?? 0;\n  }\n}\n"
    said = "As it goes through `get()`, it is watched like any other read:"
    use = f"{said}\n\n```ts\nconst x = box(2);\nwatch(() => x);\n```\n"
    assert best(file, f"An empty box is 0 now:\n\n```ts\n{block}```\n\n{use}", "box.ts") == block


JOBS = """\
jobs:
  lint:
    steps:
      - name: Get
        uses: get@v1
      - run: lint
  test:
    steps:
      - name: Get
        uses: get@v1
      - run: test
"""
STEP = "      - name: Get\n        uses: get@v2\n"


@pytest.mark.parametrize("said", ["So that all checks pass:", "Each user is served, `get` is fixed:"])
def test_who_speaks_of_all_else_changes_one_place(said: str) -> None:
    assert best(JOBS, f"{said}\n\n```yaml\n{STEP}```\n", "jobs.yml").count("get@v2") < 2


def test_what_is_said_to_be_in_one_place_changes_there_alone() -> None:
    answer = f"Inside `lint`, as both of us said:\n\n```yaml\n{STEP}```\n"
    assert best(JOBS, answer, "jobs.yml") == JOBS.replace("get@v1", "get@v2", 1)
