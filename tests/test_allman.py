"""In: code with braces on lines of their own. Out: a new function that repeats lines of an old one stays beside it."""

from redraft.edit.align.candidates import scopes
from redraft.edit.merge.read import read

FILE = """void
test_first(void)
{
	queue *q;
	int rv;

	log_to(stderr);
	CHECK(queue_open(&q, 1));
	CHECK(queue_fill(q, 1));
	CHECK(queue_flush(q));
	queue_close(q);
	queue_free(q);
}

TESTS = {
	{ "first", test_first },
	{ NULL, NULL },
};
"""
NEW = """
void
test_second(void)
{
	queue *q;
	int rv;

	log_to(stderr);
	CHECK(queue_open(&q, 2));
	queue_free(q);
}
"""


def test_a_header_with_its_brace_below_opens_a_scope() -> None:
    assert scopes(["int", "f(int a)", "{", "\treturn a;", "}"]) == ("", "", "f", "f", "f")


def test_a_new_function_below_the_end_of_another_does_not_replace_it() -> None:
    answer = f"""The second test, and its entry:

```c
	// ... end of test_first, unchanged ...
	queue_free(q);
}}
{NEW}
TESTS = {{
	{{ "first", test_first }},
	{{ "second", test_second }},
	{{ NULL, NULL }},
}};
```
"""
    entry = '\t{ "first", test_first },\n'
    expected = FILE.replace(entry, entry + '\t{ "second", test_second },\n').replace("}\n\nTESTS", f"}}\n{NEW}\nTESTS")
    assert read(FILE, answer, "queue_test.c").candidates[0].text == expected
