"""In: answers that leave lines of the file out without a marker. Out: what stays, and what goes."""

from redraft.edit.merge.read import read

SHOP = """\
class Shop:
    limit = 10
    name = "shop"

    def open(self):
        self.door = True

    def close(self):
        self.door = False

    def count(self):
        return len(self.items)
"""
DOOR = """\
package door

func Open(d *Door) error {
\tif d.locked {
\t\treturn errLocked
\t}
\td.open = true
\treturn nil
}

func Close(d *Door) {
\td.open = false
}

func Lock(d *Door) {
\td.locked = true
}
"""
SPEC = """\
describe "shop" do
  describe "opening" do
    it "opens the door" do
      expect(shop.door).to be_open
    end
  end

  describe "closing" do
    before { shop.close }

    it "closes the door" do
      expect(shop.door).to be_closed
    end
  end
end
"""


def first(file: str, answer: str, path: str, asked: str = "") -> str:
    return read(file, answer, path, asked).candidates[0].text


def test_members_between_the_head_and_the_changed_one_stay() -> None:
    answer = "Count twice:\n\n```python\nclass Shop:\n    def count(self):\n        return 2 * len(self.items)\n```\n"
    assert first(SHOP, answer, "shop.py") == SHOP.replace("return len", "return 2 * len")


def test_a_member_between_two_that_are_shown_stays() -> None:
    shown = "\td.open = true\n\treturn nil\n}\n\nfunc Lock(d *Door) {\n\td.locked = !d.locked\n}"
    answer = f"The lock is a toggle now.\n\n```go\n{shown}\n```\n"
    text = first(DOOR, answer, "door.go")
    assert "func Close(d *Door) {\n\td.open = false\n}\n" in text
    assert "d.locked = !d.locked" in text


def test_a_construct_goes_where_a_sentence_of_a_removal_names_it() -> None:
    shown = "\td.open = true\n\treturn nil\n}\n\nfunc Lock(d *Door) {"
    text = first(DOOR, f"`Close` is gone:\n\n```go\n{shown}\n```\n", "door.go", "Remove Close.")
    assert "Close" not in text
    assert "func Lock" in text


def test_what_follows_the_last_line_of_an_open_block_stays() -> None:
    shown = "func Open(d *Door) error {\n\tif d.locked || d.broken {"
    text = first(DOOR, f"A broken door does not open, either:\n\n```go\n{shown}\n```\n", "door.go")
    assert text == DOOR.replace("if d.locked {", "if d.locked || d.broken {")


def test_a_new_line_of_a_diff_takes_the_place_of_the_older_version() -> None:
    shown = " func Close(d *Door) {\n+\td.open = d.stuck\n }"
    text = first(DOOR, f"A stuck door stays open:\n\n```diff\n{shown}\n```\n", "door.go")
    assert text == DOOR.replace("d.open = false", "d.open = d.stuck")


def test_a_bracket_whose_partner_stays_is_not_lost() -> None:
    file = "class Door\n{\n    public void Open()\n    {\n        Locked = false;\n    }\n}\n"
    answer = (
        "Opening unlocks both:\n\n```csharp\n    public void Open()\n        Locked = Bolted = false;\n    }\n```\n"
    )
    assert first(file, answer, "Door.cs") == file.replace("Locked = false", "Locked = Bolted = false")


def test_nothing_goes_where_nothing_is_removed() -> None:
    file = "def run():\n    first()\n    second()\n    third()\n"
    answer = "Nothing is removed, `third` takes one:\n\n```python\ndef run():\n    first()\n    third(1)\n```\n"
    assert first(file, answer, "x.py") == file.replace("third()", "third(1)")


GATE = """\
const gate = {
  raise(by) {
    const top = Math.min(by, this.limit);
    this.height = top;
  },

  jam(why) {
    this.jammed = true;
    this.note(why);
    return this;
  },

  lower() {
    this.height = 0;
    this.note("down");
  },
};
"""
RAISED = "  raise(by) {\n    const top = Math.min(by, this.limit);\n    this.height = top;\n  },\n"


def test_what_a_request_names_in_the_sentence_above_goes() -> None:
    answer = f"Done:\n\n```js\n{RAISED}\n  lower() {{\n    // ...\n  }},\n```\n"
    expected = GATE.replace(GATE[GATE.index("  jam") : GATE.index("  lower")], "")
    assert first(GATE, answer, "gate.js", "Nothing calls `jam(why)`. Drop it.") == expected


def test_a_function_of_which_no_removal_speaks_outlasts_one_of_something_else() -> None:
    new = RAISED.replace("    const top = Math.min(by, this.limit);\n", "").replace("= top", "= by")
    answer = f"I removed the local `top`:\n\n```js\n{new}\n  lower() {{\n    // ...\n  }},\n```\n"
    expected = GATE.replace(RAISED, new)
    assert first(GATE, answer, "gate.js", "Drop `top` in `raise`; `jam` has none.") == expected


def test_the_last_part_of_a_dotted_name_is_a_name() -> None:
    file = '[tasks.build]\nrun = "make"\n\n[tasks.check]\nrun = "make check"\n\n[tasks.ship]\nrun = "make ship"\n'
    assert first(file, "I removed `check`.\n", "tasks.toml") == file.replace(
        '[tasks.check]\nrun = "make check"\n\n', ""
    )
    twice = file.replace("tasks.ship", "slow.check")
    assert not read(twice, "I removed `check`.\n", "tasks.toml").candidates


def test_directives_at_the_margin_between_shown_lines_go_as_others_do() -> None:
    file = (
        "<ul>\n  <li>{{ first }}</li>\n{% for row in rows %}\n{% if row.open %}\n  <li>{{ row.name }}</li>\n"
        "{% endif %}\n{% endfor %}\n  <li>{{ last }}</li>\n</ul>\n"
    )
    block = "  <li>{{ first }}</li>\n  {{ entries(rows) }}\n  <li>{{ last }}</li>\n"
    answer = f"A macro lists the rows:\n\n```html\n{block}```\n"
    assert first(file, answer, "list.html", "use the macro for the rows") == f"<ul>\n{block}</ul>\n"


DOCUMENTED = """\
// Size counts the rows of a table.
//
//  table.Size(ctx, all)
//
// It is never negative.
func Size(ctx Context, all bool) int {
\treturn count(ctx, all)
}

// Close ends the use of a table.
func Close(ctx Context) {
\tend(ctx)
}
"""


def test_a_comment_goes_on_as_in_the_file_above_a_changed_head() -> None:
    head = "func Size(ctx Context, all, new bool)"
    shown = f"// Size counts the rows of a table.\n{head} int {{\n\treturn count(all)\n}}\n"
    answer = f"`Size` is called so now:\n\n```go\n{shown}```\n"
    text = read(DOCUMENTED, answer, "t.go", "Change `Size`").candidates[0].text
    assert f"never negative.\n{head}" in text


def test_a_version_takes_the_place_of_the_one_in_the_thing_that_is_shown_whatever_its_digits() -> None:
    parts = "".join(
        f"  <part>\n    <name>{name}</name>\n    <v>{v}</v>\n    <kind>x</kind>\n  </part>\n"
        for name, v in (("one", "0.8.0"), ("two", "1.12.0"), ("three", "3.0.1"))
    )
    shown = "<!-- ... -->\n<part>\n    <name>one</name>\n    <v>0.9.1</v>\n    <kind>x</kind>\n</part>\n"
    file = f"<parts>\n{parts}</parts>\n"
    answer = f"Change the version of the part:\n\n```xml\n{shown}```\n"
    assert read(file, answer, "parts.xml").candidates[0].text == file.replace("0.8.0", "0.9.1")
