"""Short answers that show one line of several, or none: a new version takes a place, what is new has one, or doubt."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redraft.apply import load

NAMES = ("amber", "birch", "cobalt", "dune", "ember", "fjord", "grove", "heron")
names = st.lists(st.sampled_from(NAMES), min_size=3, max_size=3, unique=True)
few = settings(max_examples=10, deadline=None, derandomize=True)


def written(path: str, file: str, words: str, code: str, behind: str = "") -> str | None:
    """The new file, None where it is refused."""
    result = load(readers="merge").apply(file, f"{words}\n\n```\n{code}```\n{behind}", path=path)
    return result.output if result.status in ("applied", "no_change") else None


@few
@given(names, st.integers(2, 9), st.integers(11, 99))
def test_a_line_with_other_numbers_is_the_old_one(names: list[str], old: int, new: int) -> None:
    one, other, third = names
    file = f"{one}==1.{old}.0\n{other}==2.{old}\n{third}==3.1\n"
    assert written("requirements.txt", file, "Bump it:", f"{other}==2.{new}\n") == file.replace(f"2.{old}", f"2.{new}")


def test_where_words_add_a_line_with_other_numbers_may_be_either() -> None:
    file = "FROM alpine\nEXPOSE 8080\nCMD serve\n"
    assert written("Dockerfile", file, "Also add this:", "EXPOSE 8081\n") is None


@few
@given(names, st.integers(16, 20))
def test_the_first_line_with_other_numbers_above_one_that_stays(names: list[str], version: int) -> None:
    file = f"FROM node:{version}-alpine\nWORKDIR /{names[0]}\nCOPY . .\n"
    code = f"FROM node:22-alpine\nWORKDIR /{names[0]}\n# ... rest stays the same\n"
    assert written("Dockerfile", file, "It has reached its end of life:", code) == file.replace(f"{version}", "22", 1)


@few
@given(names)
def test_lines_below_what_is_shown_come_below_it(names: list[str]) -> None:
    one, other, new = names
    file = f"def main(app):\n    app.{one}('/a')\n    app.{other}('/b')\n    return app\n"
    code = f"    app.{one}('/a')\n    app.{other}('/b')\n    app.{new}('/c')\n"
    expected = file.replace("'/b')\n", f"'/b')\n    app.{new}('/c')\n")
    assert written("a.py", file, "Register it next to the others:", code) == expected


@pytest.mark.parametrize("below", ["    app.run(4)\n", "    limit = 4\n"])
def test_lines_below_what_is_shown_that_are_like_the_next_do_not_come_beside_it(below: str) -> None:
    file = f"def main(app):\n    app.start()\n{below}"
    found = written("a.py", file, "Try this:", f"    app.start()\n{below.replace('4', 'most')}")
    assert found in (None, file.replace("4", "most"))


@few
@given(names)
def test_what_is_shown_below_an_open_line_is_no_new_first_line(names: list[str]) -> None:
    one, other, _ = names
    file = f"def {one}(x):\n    total = x\n    for each in x:\n        total += each\n    return total\n"
    assert written("a.py", file, "Shorter:", f"def {one}(x):\n    {other}(x)\n") != file.replace(
        "(x):\n", f"(x):\n    {other}(x)\n", 1
    )


@pytest.mark.parametrize(
    ("path", "file", "code", "right"),
    [
        (".env", "A=1\nB=2\n", "C=3\n", "A=1\nB=2\nC=3\n"),
        ("a.json", '{\n  "a": 1\n}\n', '"b": true\n', '{\n  "a": 1,\n  "b": true\n}\n'),
        (
            "a.json",
            '{\n  "a": {\n    "b": 1\n  }\n}\n',
            '{\n  "c": {\n    "d": 2\n  }\n}\n',
            '{\n  "a": {\n    "b": 1\n  },\n  "c": {\n    "d": 2\n  }\n}\n',
        ),
    ],
)
def test_a_new_key_of_a_plain_file_comes_last(path: str, file: str, code: str, right: str) -> None:
    assert written(path, file, f"Add this to your `{path}`:", code) == right


@few
@given(names)
def test_members_of_an_object_that_are_not_shown_stay(names: list[str]) -> None:
    one, other, new = names
    file = f'{{\n  "{one}": {{\n    "a": 1,\n    "b": 2\n  }},\n  "{other}": 3\n}}\n'
    code = f'{{\n  "{one}": {{\n    "b": 2,\n    "{new}": 4\n  }}\n}}\n'
    expected = file.replace('"b": 2\n', f'"b": 2,\n    "{new}": 4\n')
    assert written("a.json", file, f"Set `{new}`:", code) in (expected, None)


@few
@given(names, st.sampled_from(["Rename it to `{}`:", "I'd call it `{}`:"]))
def test_what_words_rename_is_renamed_where_all_of_it_is_shown(names: list[str], words: str) -> None:
    old, new, caller = names
    file = f"def {old}(a):\n    return a + 1\n\n\ndef {caller}(a):\n    return {old}(a) * 2\n"
    said = f"`{old}` says little. " + words.format(new)
    assert written("a.py", file, said, file.replace(old, new)) == file.replace(old, new)
    only_head = f"def {new}(a):\n    return a + 1\n"
    assert written("a.py", file, said, only_head) is None  # the call keeps the old name


@few
@given(names)
def test_a_command_to_run_orders_nothing_of_the_file(names: list[str]) -> None:
    one, other, new = names
    file = f'source "https://{one}.org"\n\ngem "{one}"\ngem "{other}"\n'
    code = f'gem "{one}"\ngem "{other}"\ngem "{new}"\n'
    expected = f'{file}gem "{new}"\n'
    assert written("Gemfile", file, "Add it:", code, "\nThen run `bundle install`.\n") == expected


@few
@given(names)
def test_a_clause_comes_behind_its_like(names: list[str]) -> None:
    one, other, new = names
    clauses = [f"  def of(:{name}), do: {at}\n" for at, name in enumerate((one, other))]
    file = f"defmodule A do\n{''.join(clauses)}\n  def no(x), do: x\nend\n"
    code = f"{''.join(clauses)}  def of(:{new}), do: 9\n"
    expected = file.replace(clauses[1], f"{clauses[1]}  def of(:{new}), do: 9\n")
    assert written("a.ex", file, "One more clause:", code) == expected


@few
@given(names)
def test_an_import_that_brings_more_takes_the_place(names: list[str]) -> None:
    one, other, new = names
    file = f"import {{ {one} }} from 'a';\nimport {{ {other} }} from 'b';\n\n{one}({other});\n"
    code = f"import {{ {one}, {new} }} from 'a';\n\n// ...\n\n{one}({other});\n{new}();\n"
    expected = file.replace(f"{{ {one} }}", f"{{ {one}, {new} }}") + f"{new}();\n"
    assert written("a.ts", file, f"Call `{new}`, too:", code) == expected


def test_words_put_a_line_below_another_and_all_that_it_opens() -> None:
    file = "switch (a) {\n  case 'x':\n    return 1;\n  default:\n    return 0;\n}\n"
    code = "case 'y':\n  return 2;\n"
    expected = file.replace("return 1;\n", "return 1;\n  case 'y':\n    return 2;\n")
    assert written("a.ts", file, "Below the `case 'x'` line, put:", code) == expected


@few
@given(st.permutations(range(4)), st.integers(1, 3), st.sampled_from(["a.toml", "a.ini"]))
def test_keys_of_a_table_that_are_not_shown_stay(order: list[int], count: int, path: str) -> None:
    lines = [f"{name} = {number}" for number, name in enumerate(NAMES[:4])]
    head, end = "[project]\n", "\n[tool]\nline = 100\n"
    original = head + "".join(f"{line}\n" for line in lines) + end
    shown = order[:count]
    new = [line.replace("= ", "= 7") if at in shown else line for at, line in enumerate(lines)]
    block = head + "".join(f"{new[at]}\n" for at in sorted(shown))
    assert written(path, original, "Set these:", block) == head + "".join(f"{line}\n" for line in new) + end


def test_a_method_that_the_words_replace_takes_the_place_of_its_namesake() -> None:
    old = "    public void Withdraw(decimal amount)\n    {\n        Balance -= amount;\n    }\n"
    new = "    public bool Withdraw(decimal amount)\n    {\n        Balance -= amount;\n        return true;\n    }\n"
    original = f"public class Account\n{{\n    public decimal Balance {{ get; set; }}\n\n{old}}}\n"
    block = "".join(line[4:] for line in new.splitlines(keepends=True))
    words = "Replace the `Withdraw` method with this one:"
    assert written("A.cs", original, words, block) == original.replace(old, new)
