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


def test_of_two_ways_to_move_a_block_the_one_that_puts_lines_beside_their_neighbours_is_right() -> None:
    file = (
        "class Mail {\n    void send() {\n        Letter letter = write();\n        post.take(letter);\n"
        "        log.add(letter);\n        return;\n    }\n}\n"
    )
    answer = (
        "Both may be missing:\n\n```java\nvoid send() {\n  Letter letter = write();\n  if (post != null) {\n"
        "    post.take(letter);\n  }\n  if (log != null) {\n    log.add(letter);\n  }\n  return;\n}\n```\n"
    )
    old = "        post.take(letter);\n        log.add(letter);\n"
    new = (
        "        if (post != null) {\n            post.take(letter);\n        }\n"
        "        if (log != null) {\n            log.add(letter);\n        }\n"
    )
    assert best(file, answer, "Mail.java") == file.replace(old, new)


def test_lines_that_are_still_in_blanks_where_others_have_become_the_tabs_of_the_file_do_so_too() -> None:
    file = 'const sizes = {\n\twide: {\n\t\tleft: 1,\n\t\tright: "auto"\n\t},\n\tslim: 2\n};\n'
    answer = 'Bump it:\n\n```js\nconst sizes = {\n  wide: {\n    ...\n    right: "none"\n  },\n```\n'
    assert best(file, answer, "sizes.js") == file.replace("auto", "none")


def test_a_version_of_a_line_between_lines_that_stay_is_indented_as_there() -> None:
    file = "@mixin box($width) {\n  margin: #{$width}px;\n}\n\n.box {\n  color: red;\n}\n"
    answer = "In `em`:\n\n```scss\n@mixin box($width) {\n      margin: #{$width}em;\n}\n```\n"
    assert best(file, answer, "box.scss") == file.replace("px", "em")
