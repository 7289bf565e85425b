"""A block that is indented otherwise as a whole is meant in the indentation of its place."""

from redraft.edit.merge.read import read

FILE = """\
namespace shop {
    class Basket {
        int items;

        void add(int count) {
            items += count;
            log(items);
        }

        void clear() { items = 0; }
    };
}
"""


def best(original: str, answer: str, path: str) -> str:
    return read(original, answer, path).candidates[0].text


def test_the_outermost_line_tells_how_far_a_block_is_moved_where_inner_lines_are_moved_by_the_edit() -> None:
    answer = (
        "Only positive numbers count:\n\n```cpp\nclass Basket {\n    int items;\n\n    void add(int count) {\n"
        "        if (count > 0) {\n            items += count;\n            log(items);\n        }\n    }\n\n"
        "    // clear stays as it is\n};\n```\n"
    )
    old = "            items += count;\n            log(items);\n"
    new = "            if (count > 0) {\n                items += count;\n                log(items);\n            }\n"
    assert best(FILE, answer, "basket.cpp") == FILE.replace(old, new)


def test_a_declaration_without_its_body_takes_the_indentation_of_its_block() -> None:
    answer = (
        "One more method:\n\n```cpp\nvoid add(int count) { ... }\n\nint size() { return items; }\n\n"
        "void clear() { items = 0; }\n```\n"
    )
    expected = FILE.replace("        void clear", "        int size() { return items; }\n\n        void clear")
    assert best(FILE, answer, "basket.cpp") == expected
