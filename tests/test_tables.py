"""In: tables of old and new code in an answer. Out: the file with the rows carried out, all or none."""

from redraft.edit.merge.read import read

_FILE = """{
  "engines": {"node": ">=16"},
  "dependencies": {
    "left": "^1.2.0",
    "right": "^1.2.0"
  }
}
"""
_TESTS = """defmodule SignTest do
  defmodule Plain do
    adapter fn env -> env end
  end

  defmodule Signed do
    adapter fn env -> env end
  end

  test "signs" do
    reply = Signed.get("/sign", key: "a") |> Signed.read()
    assert reply == "a"
  end
end
"""


def _read(text: str, answer: str, path: str) -> str | None:
    found = read(text, answer, path).candidates
    return found[0].text if found else None


def test_each_row_names_the_line_that_it_changes() -> None:
    answer = """Two dependencies change:

| Package | Current | New |
| --- | --- | --- |
| `"left"` | `"^1.2.0"` | `"^2.0.0"` |
| `"right"` | `"^1.2.0"` | `"^1.4.1"` |

Run `npm install` afterwards."""
    expected = _FILE.replace('"left": "^1.2.0"', '"left": "^2.0.0"').replace('"right": "^1.2.0"', '"right": "^1.4.1"')
    assert _read(_FILE, answer, "package.json") == expected


def test_a_row_may_name_several_declarations_or_cut_a_line_short() -> None:
    answer = """Adapters return tuples now.

| where | old | new |
|---|---|---|
| `Plain` and `Signed` | `env -> env` | `env -> {:ok, env}` |
| "signs" | `reply = Signed.get(...) ...` | `{:ok, reply} = Signed.get("/sign", key: "a") |> Signed.read()` |

The assertions stay."""
    expected = _TESTS.replace("env -> env", "env -> {:ok, env}").replace("    reply =", "    {:ok, reply} =")
    assert _read(_TESTS, answer, "test/sign_test.exs") == expected


def test_no_row_is_carried_out_where_one_has_no_place_or_several() -> None:
    table = """The versions:

| before | after |
|---|---|
| `>=16` | `>=20` |
| `{}` | `"^2.0.0"` |
"""
    for old in ('"^1.2.0"', '"^9.9.9"'):
        assert _read(_FILE, table.format(old), "package.json") in (None, _FILE)


def test_a_table_beside_code_only_describes_it() -> None:
    answer = """The node version:

```json
  "engines": {"node": ">=20"},
```

| what | before | after |
|---|---|---|
| `engines` | `node` | `bun` |
"""
    assert _read(_FILE, answer, "package.json") == _FILE.replace(">=16", ">=20")
