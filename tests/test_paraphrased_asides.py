"""In: answers that paraphrase comments, spaces at line ends, a byte-order mark. Out: the file's, unless meant."""

import pytest

from redraft.edit.merge.read import read

FILE = """# Reads rows.
def load(path):
    # Rows without a key are skipped.
    rows = parse(path)
    return rows


def close(file): 
    file.close()
"""
ANSWER = """{said}

```python
# Loads all the rows.
def load(path):
    # Skip rows that have no key.
    rows = parse(path)
    return sorted(rows)
```
"""


def likeliest(answer: str) -> str:
    return read(FILE, answer, "rows.py").candidates[0].text


def test_comments_beside_code_that_stays_are_those_of_the_file() -> None:
    assert likeliest(ANSWER.format(said="Sorted now:")) == FILE.replace("return rows", "return sorted(rows)")


@pytest.mark.parametrize("said", ["Sorted now, and the comments say what happens:", "The docblock, too:"])
def test_comments_are_the_change_where_somebody_speaks_of_them(said: str) -> None:
    new = FILE.replace("return rows", "return sorted(rows)").replace("# Reads rows.", "# Loads all the rows.")
    assert likeliest(ANSWER.format(said=said)) == new.replace(
        "# Rows without a key are skipped.", "# Skip rows that have no key."
    )


def test_a_comment_with_a_word_that_is_spoken_of_is_meant() -> None:
    comment = "# Reads rows in their order."
    answer = ANSWER.format(said="`load` returns them in order:").replace("# Loads all the rows.", comment)
    new = FILE.replace("return rows", "return sorted(rows)").replace("# Reads rows.", comment)
    assert likeliest(answer) == new


def test_a_byte_order_mark_that_is_copied_with_the_file_is_none_of_its_lines() -> None:
    new = FILE.replace("return rows", "return sorted(rows)")
    assert likeliest(f"The complete file:\n\n```python\n\ufeff{new}```\n") == new


SHELL = """\
PORT=8080 ## where it listens, if nobody's there

# Ask the tracker about open tickets before
# anything else is closed.
for host in $HOSTS; do
  close "${host}:$PORT" # don't wait
done
open "$FIRST"
"""


def of_shell(block: str, said: str = "It opens the last one, and says so:", asked: str = "Open the last one.") -> str:
    return read(SHELL, f"{said}\n\n```bash\n{block}```\n", "hosts.sh", asked).candidates[0].text


def test_comments_at_the_end_of_context_lines_stay_whatever_they_quote() -> None:
    block = 'PORT=8080\n\n# ...\n  close "${host}:$PORT"\ndone\necho last\nopen "$LAST"\n'
    assert of_shell(block) == SHELL.replace('open "$FIRST"', 'echo last\nopen "$LAST"')


def test_braces_around_a_variable_are_those_of_the_file() -> None:
    block = '  close "$host:${PORT}"\ndone\necho last\nopen "$LAST"\n'
    assert of_shell(block) == SHELL.replace('open "$FIRST"', 'echo last\nopen "$LAST"')
    told = of_shell(
        'for host in $HOSTS; do\n  close "$host:$PORT" # don\'t wait\ndone\n', "No braces:", "Drop the needless braces."
    )
    assert told == SHELL.replace("${host}", "$host")


def test_a_comment_of_which_a_line_is_new_is_new_as_a_whole() -> None:
    old = "  // The view is closed in the next frame\n  // of the loop, and blinks.\n  // Here nobody may ask.\n"
    new = "  // The view is closed in the next frame of\n  // the loop, and blinks. The style that\n"
    new += "  // it keeps hides that,\n  // and nobody sees it.\n"
    file = f"function close(view) {{\n{old}  flush(() => view.end())\n}}\n"
    block = file.replace(old, new).replace("  flush", "  view.keep()\n  flush")
    answer = f"It keeps its style now:\n\n```js\n{block}```\n"
    assert read(file, answer, "view.js", "Can it keep its style, so that nothing blinks?").candidates[0].text == block


PHP = """\
class Route
{
    /**
     * Prepare the route
     *
     * @param array $args
     * @return Request
     */
    public function prepare(Request $request, array $args)
    {
        $this->args = $args;

        return $request;
    }

    public function request(): Request
    {
        return $this->request;
    }
}
"""


@pytest.mark.parametrize("lead", ["I removed", "Gone are:"])
def test_each_item_below_a_sentence_of_removal_is_told_gone(lead: str) -> None:
    block = PHP.partition("{\n")[2].partition("\n    public function request")[0]
    shown = block.replace("     * @return Request\n", "").replace("\n        return $request;\n", "")
    answer = (
        f"```php\n{shown}```\n\n{lead}\n\n- the `@return Request` line from the docblock,\n- the `return $request;`.\n"
    )
    asked = "prepare should only set the arguments, without a return value."
    assert read(PHP, answer, "Route.php", asked).candidates[0].text == PHP.replace(block, shown)


def test_a_comment_within_an_insertion_leaves_nothing_out() -> None:
    file = """\
import { start, stop } from "batch"

function check(all) {
  const before = stop()
  const count = all.length
  report(count)
}

function track(one) {
  const allowed = start(true)
  report(one)
}
"""
    new = "  // reports occur outside of any batch #219\n  const allowed = start(true)\n"
    head = "function check(all) {\n"
    answer = f"Reports are allowed in `check`, as in `track`:\n\n```js\n{head}{new}  const before = stop()\n"
    answer += "  const count = all.length\n  report(count)\n  end(allowed)\n}\n```\n"
    expected = file.replace(head, head + new).replace("report(count)\n", "report(count)\n  end(allowed)\n")
    assert read(file, answer, "check.js", "Allow reports while it checks.").candidates[0].text == expected


def test_who_wraps_code_in_a_call_says_nothing_of_the_breaks_of_lines() -> None:
    file = "function f() {\n  scope(() => {\n    const all = {\n      one: 1,\n    }\n    run(all)\n  })\n}\n"
    block = "function f() {\n  guard(() => {\n    const all = { one: 1 }\n    run(all)\n  })\n}\n"
    answer = f"Wrapped in `guard`:\n\n```js\n{block}```\n"
    found = read(file, answer, "f.js", "Wrap the body in a guard call instead of scope.").candidates[0].text
    assert found == file.replace("scope", "guard")
