"""Lines that an answer shows for orientation in other words than the file's stay; what is asked for does not."""

from redraft.edit.merge.judge.paraphrases import taken_back
from redraft.edit.merge.judge.signs import stretches
from redraft.edit.merge.lines.opened import left_open
from redraft.edit.merge.read import read
from redraft.edit.merge.reading import Reading
from redraft.edit.text.changes import LineChange

FILE = """final class Ledger implements Countable
{
    private array $rows = [];

    /** Adds a row at the end. */
    public function add(Row $row): void
    {
        $this->rows[] = $row;
    }

    public function count(): int
    {
        return count($this->rows);
    }

    public function describe(): string
    {
        return sprintf('%d rows in the ledger', $this->count());
    }
}
"""
ASKED = "Add a method `clear` to the ledger that drops all rows."
BEFORE = "I added `clear` below `count`:\n\n```php\n"
CLEAR = """
    public function clear(): void
    {
        $this->rows = [];
    }
"""


def answered(shown: str, asked: str = ASKED, before: str = BEFORE) -> Reading:
    return read(FILE, f"{before}{shown}```\n\nNothing else changes.\n", "src/Ledger.php", asked)


def test_a_head_without_a_word_of_which_nobody_speaks_may_be_the_files() -> None:
    shown = f"""class Ledger implements Countable
{{
    // ... existing code ...

    public function count(): int
    {{
        return count($this->rows);
    }}
{CLEAR}
    // ... existing code ...
}}
"""
    found = [each.text for each in answered(shown).candidates]
    assert any(text.startswith("final class Ledger implements Countable\n") and CLEAR in text for text in found)


def test_a_text_without_a_word_of_which_nobody_speaks_may_be_the_files() -> None:
    shown = f"""{CLEAR}
    public function describe(): string
    {{
        return sprintf('%d rows in ledger', $this->count());
    }}
}}
"""
    found = [each.text for each in answered(shown).candidates]
    assert any("'%d rows in the ledger'" in text and CLEAR in text for text in found)


def test_what_is_asked_for_is_no_slip() -> None:
    shown = """class Ledger implements Countable
{
    // ... existing code ...

    public function describe(): string
    {
        return sprintf('%d rows', $this->count());
    }
}
"""
    asked = "Ledger shouldn't be final any more, and describe should say the number of rows alone."
    text = (
        answered(shown, asked, "`Ledger` is not final any more, and `describe` is shorter:\n\n```php\n")
        .candidates[0]
        .text
    )
    assert text.startswith("class Ledger implements Countable\n")
    assert "sprintf('%d rows'," in text


def test_the_only_change_is_the_edit() -> None:
    shown = """    public function describe(): string
    {
        return sprintf('%d rows', $this->count());
    }
"""
    text = answered(shown, "Can this be shorter?", "Like this:\n\n```php\n").candidates[0].text
    assert "sprintf('%d rows'," in text


def test_changes_are_cut_at_versions_and_taken_back_one_by_one() -> None:
    before = ["def load(path):", "    rows = read(path)", "    return rows"]
    after = ["def load(path):", "    rows = read_all(path)", "    rows.sort()", "    return rows"]
    found = stretches(before, after)
    assert [taken_back(before, after, [each]) for each in found] == [
        ("def load(path):", "    rows = read(path)", "    rows.sort()", "    return rows"),
        ("def load(path):", "    rows = read_all(path)", "    return rows"),
    ]


CONF = """def load(path):
    with open(path) as stream:
        names = [
            line.strip()
            for line in stream
        ]
    count = len(names)
    if names == None:
        return []
    return names


def save(path, names):
    with open(path, "w") as stream:
        stream.write("\\n".join(names))
"""


def conf_answered(shown: str, asked: str, before: str) -> list[str]:
    found = read(CONF, f"{before}\n\n```python\n{shown}```\n", "conf.py", asked)
    return [each.text for each in found.candidates]


def test_a_line_paraphrased_right_above_what_is_asked_for_may_be_the_files() -> None:
    shown = (
        CONF.split("\n\n\n")[0]
        .replace("names == None", "names is None")
        .replace("return names", "return sorted(names)")
    )
    found = conf_answered(f"{shown}\n", "load should give the lines in order.", "`load` sorts what it gives back now:")
    wanted = CONF.replace("return names", "return sorted(names)")
    assert wanted in found


def test_a_change_shown_alone_between_markers_is_meant() -> None:
    shown = """def load(path):
    # ... existing code ...
    if names is None:
        return []
    # ... existing code ...


def save(path, names):
    with open(path, "w") as stream:
        stream.write("\\n".join(sorted(names)))
"""
    found = conf_answered(shown, "Sort the names in save.", "`save` writes the names in order:")
    assert "if names is None:" in found[0]
    assert "sorted(names)" in found[0]


SHELF = "shelf = Shelf(rows=3)\n\n\ndef close(door):\n    # the door, then\n    door.shut()\n    log(3)\n"


BERTHS = ["function pick(row)", "  local berth", "  local rank", "  berth, rank = find(row)", "  return berth", "end"]


ENTRIES = ["{", '  "name": "harbour",', '  "version": "1.0.3",', '  "license": "MIT",', '  "main": "index.js"', "}"]


def test_a_line_that_hardly_differs_is_a_change_of_its_own_beside_what_is_new() -> None:
    before = ["top", "- Fix a crash of `gsetttings` on start.", "end"]
    after = ["top", "- Fix a crash of `gsettings` on start.", "- Spell themes in capitals.", "end"]
    assert stretches(before, after) == [LineChange(1, 2, 1, 2), LineChange(2, 2, 2, 3)]
    deeper, shallower = (["call(", f"{lead}first,", f"{lead}second)"] for lead in ("      ", "    "))
    assert stretches(deeper, [*shallower, "done()"]) == [LineChange(n, n + 1, n, n + 1) for n in (1, 2)] + [
        LineChange(3, 3, 3, 4)
    ]
    assert stretches(["first(1)"], ["another = thing"]) == [LineChange(0, 1, 0, 1)]


def test_tags_of_templates_open_and_close_as_brackets_do() -> None:
    lines = ["{{- if .Draft }}", "{{ .Title }}", "{{- else }}", "{{- end }}", "{% for row in rows %}", "{% endfor %}"]
    assert not +left_open(lines)
    assert not -left_open(lines)
    assert -left_open(lines[1:4])
    assert +left_open(lines[:3])
    assert +left_open(lines[4:5])
