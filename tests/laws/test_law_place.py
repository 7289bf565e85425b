"""In: answers whose lines stand several times in a file. Out: the law names both places where nothing says which."""

from hypothesis import given
from hypothesis import strategies as st
from law_cases import WORDS, Small

JOBS = st.lists(st.sampled_from(WORDS), min_size=2, max_size=5, unique=True)
STEPS = ["    steps:", "      - uses: checkout", "      - run: make"]


@given(JOBS, st.data())
def test_one_of_several_equal_places(jobs: list[str], data: st.DataObject) -> None:
    original = [line for job in jobs for line in (f"  {job}:", *STEPS)]
    at = data.draw(st.integers(0, len(jobs) - 1)) * 4
    new = "      - run: make all"
    text = [*original[: at + 3], new, *original[at + 4 :]]
    shown = ["```yaml", *STEPS[:2], new, "```"]
    found = Small("ci.yml", original, shown, [], []).against(text, "place")
    assert found is not None
    assert str(at + 4) in found.message
    told = ["```yaml", f"  {jobs[at // 4]}:", *shown[1:]]
    assert Small("ci.yml", original, told, [], []).against(text, "place") is None


@given(JOBS, st.data())
def test_a_declaration_that_words_name_is_the_one_that_changes(jobs: list[str], data: st.DataObject) -> None:
    original = [line for job in jobs for line in (f"def {job}():", "    return 1", "")]
    one, other = data.draw(st.permutations(range(len(jobs))))[:2]
    update = [f"In `{jobs[one]}`, return 2:", "", "```python", "    return 2", "```"]
    for at, is_right in ((one, True), (other, False)):
        text = [*original[: at * 3 + 1], "    return 2", *original[at * 3 + 2 :]]
        assert (Small("a.py", original, update, [], []).against(text, "named place") is None) == is_right


@given(JOBS, st.data())
def test_what_words_place_after_a_declaration_comes_below_it(jobs: list[str], data: st.DataObject) -> None:
    original = [line for job in jobs for line in (f"def {job}():", "    return 1", "")]
    at = data.draw(st.integers(0, len(jobs) - 1))
    relation, is_below = data.draw(st.sampled_from([("after", True), ("before", False)]))
    new = ["def quartz():", "    return 2", ""]
    case = Small("a.py", original, [f"Add this {relation} `{jobs[at]}`:", "", "```python", *new[:2], "```"], [], [])
    below, above = (3 * (at + step) for step in (1, 0))
    right, wrong = (below, above) if is_below else (above, below)
    assert case.against([*original[:right], *new, *original[right:]], "told place") is None
    found = case.against([*original[:wrong], *new, *original[wrong:]], "told place")
    assert found is not None
    assert jobs[at] in found.message


@given(JOBS.filter(lambda jobs: len(jobs) > 1), st.data())
def test_a_line_is_no_new_version_of_one_beside_a_likelier_one(jobs: list[str], data: st.DataObject) -> None:
    original = [f'<img src="{job}.jpg">' for job in jobs]
    at, other = data.draw(st.permutations(range(len(jobs))))[:2]
    new = f'<img src="{jobs[at]}.jpg" alt="A picture">'
    case = Small("a.html", original, ["```html", new, "```"], [], [])
    right, wrong = ([new if n == place else line for n, line in enumerate(original)] for place in (at, other))
    assert case.against(right, "likelier place") is None
    if abs(at - other) <= 3:
        found = case.against(wrong, "likelier place")
        assert found is not None
        assert f"{jobs[at]}.jpg" in found.message
