"""Blank lines: paraphrased ones are the file's, those that somebody speaks of are meant, and new code gets its own."""

from redraft.edit.merge.read import read

FILE = "a = first()\n\nb = second()\nc = third()\nd = last()\n"


def best(original: str, answer: str, path: str = "") -> str:
    return read(original, answer, path).candidates[0].text


def test_blank_lines_lost_or_won_in_the_paraphrase_are_those_of_the_file() -> None:
    answer = "The last one takes a limit:\n\n```\na = first()\nb = second()\n\nc = third()\nd = last(5)\n```\n"
    assert best(FILE, answer) == FILE.replace("last()", "last(5)")


def test_blank_lines_that_the_answer_speaks_of_are_meant() -> None:
    answer = "A limit, and an empty line less:\n\n```\na = first()\nb = second()\nc = third()\nd = last(5)\n```\n"
    assert best(FILE, answer) == "a = first()\nb = second()\nc = third()\nd = last(5)\n"


def test_a_sketch_without_a_word_is_faithful() -> None:
    sketch = "a = first()\nb = second()\nc = third()\nd = last(5)\n"
    assert best(FILE, sketch) == sketch


def test_the_blank_lines_around_a_note_of_deletion_are_one() -> None:
    file = "def a():\n    pass\n\ndef b():\n    pass\n\ndef c():\n    pass\n"
    answer = "`b` can go.\n\n```python\ndef a():\n    pass\n\n# b() is gone\n\ndef c():\n    pass\n```\n"
    assert best(file, answer, "x.py") == "def a():\n    pass\n\ndef c():\n    pass\n"


def test_what_stands_close_to_the_declaration_below_is_inserted_there() -> None:
    file = "mod one;\nmod two;\n\nuse one::First;\nuse two::Second;\n"
    answer = "```rust\nmod one;\nmod two;\n\nuse all::Zero;\nuse one::First;\nuse two::Second;\n```\n"
    assert best(file, f"One import more:\n\n{answer}", "lib.rs") == file.replace("use one", "use all::Zero;\nuse one")


def test_an_import_at_the_top_keeps_the_blank_line_that_is_shown_below_it() -> None:
    answer = "Import it first:\n\n```scss\n@import './colours';\n\n.box {\n  color: $accent;\n}\n```\n"
    assert best(".box {\n  color: red;\n}\n", answer, "box.scss") == (
        "@import './colours';\n\n.box {\n  color: $accent;\n}\n"
    )


def test_the_blank_line_above_what_is_replaced_or_wrapped_stays() -> None:
    file = (
        "def run(job):\n    start(job)\n    watch(job)\n\n    report = end(job)\n    send(report)\n    return report\n"
    )
    wrapped = "    with closing(job):\n        report = end(job)\n        send(report)\n    return report\n"
    answer = f"It is closed now:\n\n```python\n    start(job)\n    watch(job)\n{wrapped}```\n"
    assert best(file, answer, "run.py") == file[: file.index("    report")] + wrapped


def test_the_blank_line_beside_lines_that_go_stays() -> None:
    file = "use std::fs;\nuse std::rc::Rc;\n\nuse jobs::{Job, Queue};\n\nfn main() {\n    run(Job::new());\n}\n"
    answer = (
        "The default job is run, and `use std::rc::Rc` is gone:\n\n```rust\nuse std::fs;\nuse jobs::{Job, Queue};\n\n"
        "fn main() {\n    run(Job::default());\n}\n```\n"
    )
    expected = file.replace("use std::rc::Rc;\n", "").replace("new()", "default()")
    assert best(file, answer, "main.rs") == expected


def test_a_member_that_is_shown_apart_on_both_sides_stands_apart_among_close_ones() -> None:
    file = "class Jobs {\n\tadd(job) {\n\t\tthis.all.push(job);\n\t}\n\tlast() {\n\t\treturn this.all.at(-1);\n\t}\n}\n"
    new = "\n\tsize() {\n\t\treturn this.all.length;\n\t}\n\n"
    answer = f"A new method:\n\n```js\n\tadd(job) {{\n\t\t// ...\n\t}}\n{new}\tlast() {{\n\t\t// ...\n\t}}\n```\n"
    assert best(file, answer, "jobs.js") == file.replace("\tlast", f"{new}\tlast")


def test_no_blank_line_comes_above_the_end_of_a_condition() -> None:
    file = "all: build\n\tcp out lib\n\nifdef CI\ncheck: all\n\t./check\n\nlint:\n\t./lint\nendif\n"
    answer = "Below `lint`:\n\n```make\nlint:\n\t./lint\n\nstyle: all\n\t./style\nendif\n```\n"
    assert best(file, answer, "Makefile") == file.replace("endif", "\nstyle: all\n\t./style\nendif")
