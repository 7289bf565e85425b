"""Words in another language than English are told by their little words, or by their script, and refused alone."""

import pytest

from redraft import load
from redraft.edit.words.english import is_foreign

FILE = "def a():\n    return 1\n\n\ndef b():\n    return 2\n"
CODE = "\n\n```python\ndef b():\n    return 3\n```\n"


@pytest.mark.parametrize(
    "words",
    [
        "Die Funktion gibt jetzt drei zurück und `a` fliegt raus:",
        "La fonction renvoie trois, et `a` est retirée du fichier :",
        "La función devuelve tres, y `a` se elimina del archivo:",
        "Функция возвращает три. `a` больше не нужна:",
        "函数现在返回三,`a` 删掉:",
    ],
)
def test_a_sketch_among_other_words_is_refused_without_a_model(words: str) -> None:
    assert is_foreign(words)
    result = load(readers="merge").apply(FILE, update=words + CODE, path="a.py")
    assert (result.status, "not in English" in result.message) == ("needs_context", True)


@pytest.mark.parametrize(
    "words", ["", "Three now:", "`b` returns 3 in El Paso and Le Mans.", "Renamed helper, fixed null check."]
)
def test_english_and_short_words_are_read(words: str) -> None:
    assert not is_foreign(words)
    assert load(readers="merge").apply(FILE, update=words + CODE, path="a.py").status == "applied"


def test_exact_formats_are_read_among_any_words() -> None:
    block = "<<<<<<< SEARCH\n    return 2\n=======\n    return 3\n>>>>>>> REPLACE\n"
    result = load(readers="merge").apply(FILE, update=f"Das ist die neue Zeile:\n\n{block}", path="a.py")
    assert result.status == "applied"
