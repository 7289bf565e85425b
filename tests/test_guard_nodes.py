"""What the guards see in the declarations, brackets and lines of a file before and after an edit."""

import pytest

from redraft.edit.guard.brackets import imbalance
from redraft.edit.guard.declared import duplicates
from redraft.edit.guard.exact import exact_fault
from redraft.edit.guard.faults import new_faults
from redraft.edit.guard.leaks import leaked
from redraft.edit.outline import Outline, outline

PYTHON = """import os


class Store:
    limit = 10

    @property
    def size(self):
        return 1

    @size.setter
    def size(self, value):
        self.rows = value

    def flush(self):
        total = 1
        return total


def load(path):
    return {"a": [1, 2]}
"""
SCRIPT = """export function open(path: string): Store;
export function open(path: string, mode: Mode): Store {
  return new Store(path);
}

const options = {
  path: "a",
  retry: () => {
    return 1;
  },
};

describe("store", () => {
  it("opens", () => {
    expect(open("(")).toBe(1);
  });
});
"""
C = """int flush(int deep);

#ifdef FAST
int size(void) { return 1; }
#else
int size(void) { return 2; }
#endif

int flush(int deep) {
    return deep;
}
"""
GO = "package a\n\nfunc init() {\n\tb()\n}\n\nfunc init() {\n\tc()\n}\n"
CSS = ".a {\n  color: red;\n}\n\n.b {\n  margin: 0;\n}\n"
JAVA = "class A {\n  void f() {\n    g();\n  }\n}\n"
CLASS = "class A {\n  get a() {\n    return 1;\n  }\n}\n"
FILES = {"a.py": PYTHON, "a.ts": SCRIPT, "a.c": C, "a.go": GO, "a.css": CSS, "A.java": JAVA, "a.js": CLASS}


def read(text: str, path: str) -> Outline:
    return outline(text.split("\n"), path)


def both(path: str, old: str, new: str, text: str = "") -> tuple[Outline, Outline]:
    text = text or FILES[path]
    assert old in text
    return read(text, path), read(text.replace(old, new, 1), path)


def names(found: Outline, places: list[int]) -> list[str]:
    return [found.nodes[at].name for at in places]


@pytest.mark.parametrize("path", FILES)
def test_an_unchanged_file_raises_nothing(path: str) -> None:
    before = read(FILES[path], path)
    assert new_faults(before, before, path) == []
    assert imbalance(before, before) is None
    assert duplicates(before, before) == leaked(before, before) == []


@pytest.mark.parametrize(
    ("path", "old", "new", "line"),
    [
        ("a.py", "        return total\n", "        return total\n      x = 1\n", 17),
        ("a.py", "def load(path):\n    return", "def load(path):\nreturn", 20),
        ("a.ts", "  },\n};", "  },\n}};", 10),
        ("a.go", "\tb()\n}", "\tb()\n", 6),
        ("a.css", "  margin: 0;\n}", "  margin: 0;\n", 6),
    ],
)
def test_what_can_no_longer_be_read_is_found(path: str, old: str, new: str, line: int) -> None:
    before, after = both(path, old, new)
    found = new_faults(before, after, path)
    assert found
    assert abs(found[0] - line) <= 1


def test_a_file_with_a_fault_elsewhere_is_still_checked() -> None:
    text = SCRIPT.replace("const options", "const const options")
    before, after = both("a.js", 'describe("store", () => {', 'describe("store", () => {{', text)
    assert before.faults
    assert new_faults(before, before, "a.js") == []
    assert new_faults(before, after, "a.js") != []


def test_macros_alone_break_no_c() -> None:
    before, after = both("a.c", "int flush(int deep) {", "API(int) flush(int deep) EXPORT {")
    assert new_faults(before, after, "a.c") == []


@pytest.mark.parametrize(
    ("path", "before", "after", "line"),
    [
        ("a.json", '{"a": 1}', '{\n"a" 1\n}', 1),
        ("a.toml", "a = 1", "a = 1\na = 2", 1),
        ("a.xml", "<a><b/></a>", "<a>\n<b>\n</a>", 2),
        ("a.py", "def f():\n    return 1\n", "def f():\n\nx = 1\n", 2),
        ("a.py", "try:\n    a()\nexcept E:\n    b()\n", "try:\n    a()\nb()\n", 2),
    ],
)
def test_an_exact_parser_knows_better(path: str, before: str, after: str, line: int) -> None:
    assert exact_fault(before.split("\n"), after.split("\n"), path) == line
    assert exact_fault(after.split("\n"), after.split("\n"), path) is None
    assert exact_fault(before.split("\n"), before.split("\n"), path) is None


def test_brackets_in_strings_and_comments_need_no_partner() -> None:
    for old, new in (('"a"', '"(a"'), ('"a"', '"a" /* ( */'), ('"a",', '"a", // {'), ('"a"', "`[${1}`")):
        before, after = both("a.ts", old, new)
        assert imbalance(before, after) is None, new
    before, after = both("a.ts", '"a"', '("a"')
    assert imbalance(before, after) == 6


def test_a_text_without_a_grammar_is_checked_by_its_brackets() -> None:
    text = "class A {\n  def f() {\n    b()\n  }\n}\n"
    before, after = both("a.groovy", "  }\n", "", text)
    assert new_faults(before, after, "a.groovy") == [0]
    assert new_faults(before, after, "a.txt") == []


def test_tags_of_a_page_need_a_partner() -> None:
    text = "<div>\n  <ul>\n    <li>a\n  </ul>\n  <br>\n</div>\n"
    before, after = both("a.html", "  </ul>\n", "", text)
    assert new_faults(before, after, "a.html") == [1]
    before, after = both("a.html", "  <br>\n", "  <br>\n  <hr>\n", text)
    assert new_faults(before, after, "a.html") == []


@pytest.mark.parametrize(
    ("path", "old", "new", "twice"),
    [
        ("a.py", "def load(path):", "def load(path):\n    return 1\n\n\ndef load(path):", ["load"]),
        ("a.py", "    def flush(self):", "    def flush(self):\n        pass\n\n    def flush(self):", ["flush"]),
        ("a.ts", '  it("opens"', '  it("opens", () => {\n  });\n\n  it("opens"', ["opens"]),
        ("a.ts", '  path: "a",', '  path: "b",\n  path: "a",', ["path"]),
        ("a.c", "int flush(int deep) {", "int flush(int deep) {\n    return 1;\n}\n\nint flush(int deep) {", ["flush"]),
        ("a.css", ".b {", ".a {\n  color: blue;\n}\n\n.b {", [".a"]),
        ("a.css", ".b {", ".a {\n  padding: 0;\n}\n\n.b {", []),
        ("a.go", "\nfunc init", "\nfunc init() {\n}\n\nfunc init", []),
        ("a.ts", "mode: Mode)", "mode?: Mode)", []),
        ("a.py", "    limit = 10", "    limit = 10\n    limit = limit + 1", []),
        ("a.py", "import os", "if x:\n    def f(): pass\nelse:\n    def f(): pass", []),
        ("a.py", "def load(path):", "def load(path, deep):\n    return 1\n\n\ndef load(path):", ["load"]),
        ("a.go", "\nfunc init", "\nfunc (s *A) b() {\n}\n\nfunc (s *B) b() {\n}\n\nfunc init", []),
        ("A.java", "void f() {", "void f(int a) {\n  }\n\n  void f() {", []),
        ("A.java", "void f() {", "void f() {\n  }\n\n  void f() {", ["f"]),
        ("a.js", "get a() {", "get a() {\n  }\n\n  set a(b) {", []),
    ],
)
def test_a_second_declaration_is_found(path: str, old: str, new: str, twice: list[str]) -> None:
    before, after = both(path, old, new)
    assert names(after, duplicates(before, after)) == twice


@pytest.mark.parametrize(
    ("path", "old", "new", "kinds"),
    [
        ("a.py", "        total = 1\n", "-        total = 1\n+        total = 2\n", ["sign", "sign"]),
        ("a.py", "        total = 1\n", "        - total = 1\n", ["sign"]),
        ("a.py", "        total = 1\n", "        total = (1\n            + 2)\n", []),
        ("a.py", "def load", "@@ -1,2 +1,2 @@\ndef load", ["header"]),
        ("a.py", "def load", "*** Update File: a.py\ndef load", ["header"]),
        ("a.py", "def load", "<<<<<<< HEAD\ndef load", ["conflict"]),
        ("a.py", "def load", "```python\ndef load", ["fence"]),
        ("a.py", "def load", '"""\n```\nx\n```\n"""\n\ndef load', []),
        ("a.py", "def load", "# ... existing code ...\ndef load", ["marker"]),
        ("a.py", "def load", "# flush() was removed\ndef load", ["deletion"]),
        ("a.py", "def load", "# Removes the cache of rows when it is full.\ndef load", []),
        ("a.css", ".b {", "/* rest of the file unchanged */\n.b {", ["marker"]),
    ],
)
def test_lines_of_an_answer_are_found(path: str, old: str, new: str, kinds: list[str]) -> None:
    before, after = both(path, old, new)
    assert [leak.kind for leak in leaked(before, after)] == kinds


def test_lists_and_what_the_file_has_are_no_leaks() -> None:
    before, after = both("a.md", "- a\n", "- a\n- b\n", "- a\n")
    assert leaked(before, after) == []
    before, after = both("a.yml", "  - a\n", "  - a\n  - b\n", "x:\n  - a\n")
    assert leaked(before, after) == []
    text = "# ... existing code ...\n" + PYTHON
    before, after = both("a.py", "total = 1", "total = 2", text)
    assert leaked(before, after) == []
