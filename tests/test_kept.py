"""What is found for texts is kept for the next edit of the same, and dropped before it takes too much."""

from redraft.apply import Redraft
from redraft.kept import caches, forget, passing

FILE = "def one():\n    return 1\n\n\ndef two():\n    return 2\n"
UPDATE = "```python\n# ... existing code ...\n\ndef two():\n    return 3\n```\n"


def held() -> int:
    return sum(cache.cache_info().currsize for cache in caches())


def test_what_is_kept_for_texts_is_dropped_with_the_characters_that_pass() -> None:
    forget()
    editor = Redraft()
    first = editor.apply(FILE, UPDATE, path="a.py")
    assert first.status == "applied"
    few = held()
    assert few > 50
    for number in range(40):
        editor.apply(FILE + f"value = {number}\n", UPDATE, path="a.py")
    assert held() > few
    with passing(3_000_000):
        pass
    assert held() == 0
    assert editor.apply(FILE, UPDATE, path="a.py").output == first.output
    long = f"{FILE}text = '{'a' * 3_000_000}'\n"
    editor.apply(long, UPDATE, path="a.py")
    assert held() == 0
