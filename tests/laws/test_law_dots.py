"""In: texts with dots within a line. Out: the law sees those that stand for what the file says, and no others."""

from hypothesis import given
from hypothesis import strategies as st
from law_cases import WORDS, Small

names = st.lists(st.sampled_from(WORDS), min_size=4, max_size=6, unique=True)


@given(names, st.sampled_from(["...", "\u2026"]), st.booleans())
def test_dots_among_arguments_stand_for_those_of_the_file(words: list[str], dots: str, is_first_kept: bool) -> None:
    call, one, *others = words
    old = [f"total = {call}({', '.join((one, *others))})", "show(total)"]
    shown = f"total = {call}({f'{one}, ' * is_first_kept}{dots})"
    case = Small("a.py", old, ["```", shown, "show(total, 2)", "```"], [], old)
    assert case.against([old[0], "show(total, 2)"], "dots") is None
    found = case.against([shown, "show(total, 2)"], "dots")
    assert found is not None
    assert "for what line 1 of the file says there" in found.message


@given(names)
def test_spreads_and_dots_of_new_lines_are_code(words: list[str]) -> None:
    call, one, two, *_ = words
    old = [f"{call}({one});", f"{two}();"]
    for new in (f"{call}(...{one});", f"type {two.title()} = [...{one}[], string];"):
        case = Small("a.ts", old, ["```", new, "```"], [], old)
        assert case.against([new, old[1]], "dots") is None


@given(names, st.sampled_from(["[body]", "{ existing code }", "<rest of the method>", "(unchanged)"]))
def test_words_in_brackets_stand_for_no_lines(words: list[str], stand_in: str) -> None:
    call, one, two, *_ = words
    old = [f"def {call}():", f"    {one}()", f"    {two}()"]
    new = [old[0], '    """What it does."""', f"    {stand_in}"]
    case = Small("a.py", old, ["```", *new, "```"], [], old)
    assert case.against([*new[:2], *old[1:]], "dots") is None
    assert case.against(new, "dots") is not None


@given(names, st.sampled_from(['"', "'", "`"]), st.sampled_from(["...", "\u2026"]))
def test_a_string_of_dots_stands_for_that_of_the_file(words: list[str], quote: str, dots: str) -> None:
    name, *others = words
    old = [f"{name}_text = {quote}{' '.join(others)}{quote}", "show(total)"]
    shown = f"{name}_text = {quote}{dots}{quote}"
    case = Small("a.py", old, ["```", shown, "show(total, 2)", "```"], [], old)
    assert case.against([old[0], "show(total, 2)"], "dots") is None
    assert case.against([shown, "show(total, 2)"], "dots") is not None


@given(names, st.sampled_from(["...", "\u2026"]))
def test_a_line_that_ends_in_dots_is_cut_where_a_like_one_goes(words: list[str], dots: str) -> None:
    sentence = " ".join(words)
    old = [f"The {sentence} of the file, and where it ends", "More."]
    cut, waits = f"This {sentence} of the file, and {dots}", f"{old[0]} {dots}"
    case = Small("a.md", old, ["```", cut, "More now.", "```"], [], old)
    assert case.against([cut, "More now."], "dots") is not None
    was_cut = Small("a.md", [waits, "More."], ["```", cut, "```"], [], [waits, "More."])
    assert was_cut.against([cut, "More."], "dots") is None


@given(names)
def test_the_body_of_a_stub_is_no_cut_line(words: list[str]) -> None:
    call, one, two, *_ = words
    old = [f"def {call}({one}, {two}):", "    pass"]
    stub = f"def {call}({one}: int, {two}: int) -> None: ..."
    case = Small("a.py", old, ["```", stub, "```"], [], old)
    assert case.against([stub], "dots") is None
