"""What the sentence before a block says of its place: instead of a line, as one more overload, among the imports."""

from redraft.edit.merge.read import read

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
    diff = "-limit = 3\n+limit = 5\n\n# the name, then\n def run():\n     start()\n-    stop(limit)\n+    stop()\n"
    expected = file.replace("3", "5").replace("stop(limit)", "stop()")
    assert best(file, f"```python\n{diff}```\n", "run.py") == expected


def test_a_stretch_of_a_function_that_words_only_name_does_not_go_to_its_end() -> None:
    file = "def ready(box):\n    box.open()\n    assert box.lid == 'up'\n\n\ndef done(box):\n    box.open()\n"
    block = "    box.open()\n    lid = box.state()\n    assert lid == 'up'\n    assert lid.hinge\n"
    expected = file.replace("    box.open()\n    assert box.lid == 'up'\n", block)
    assert best(file, f"In `ready`, ask for the state once:\n\n```python\n{block}```\n", "box.py") == expected
