"""The embedded model's prompt: every line has its place, and the output spells the text that it stands for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.edit.prompts.places import FILE_PLACES, LinesTemplate, NumberedEdit, special_tokens
from redraft.edit.prompts.prompt import Part
from redraft.edit.request import Request
from redraft.errors import RedraftError

LINE = st.sampled_from(["", "}", "{", "return 1", "return 2", "x = y", "    y", "# ... existing code ..."])
TEXT = st.builds(lambda lines, end: "\n".join(lines) + end, st.lists(LINE, max_size=12), st.sampled_from(["", "\n"]))


def text_of(parts: list[Part] | tuple[Part, ...]) -> str:
    return "".join(part.text for part in parts if not part.special)


def line_of(edit: NumberedEdit, place: str) -> str:
    name = place.strip("<|>")
    return edit.sketch[int(name[1:]) - 1].text if name.startswith("+") else edit.original[int(name) - 1]


@given(TEXT, TEXT, TEXT)
def test_an_output_spells_any_text(original: str, update: str, text: str) -> None:
    edit = NumberedEdit(original, update)
    assert text_of(edit.output(text)) == text
    assert edit.output(text)[-2:] == edit.end()


@given(TEXT, TEXT)
def test_the_prompt_holds_the_file_whole(original: str, update: str) -> None:
    assert text_of(list(NumberedEdit(original, update).prompt())).startswith(original)


@given(TEXT, TEXT)
def test_every_special_part_is_in_the_vocabulary(original: str, update: str) -> None:
    edit = NumberedEdit(original, update)
    used = {part.text for part in (*edit.prompt(), *edit.output(original)) if part.special}
    assert used <= set(special_tokens())


@given(st.text(alphabet="ab~é\t ", max_size=60))
def test_a_line_that_repeats_itself_is_cut_into_numbered_pieces(line: str) -> None:
    edit = NumberedEdit(line + "\n", "x")
    place, *parts = edit.output(line + "\n")[:-2]
    marks = [part.text for part in parts if part.special]
    assert place.text == "<|1|>"
    assert text_of(parts) == line + "\n"
    assert marks == [f"<|:{number % 64}|>" for number in range(1, len(marks) + 1)]
    text = line.lstrip()
    sizes = [6 if text[at : at + 2].isascii() else 2 for at in range(len(text))]
    runs = [text[at : at + size] for at, size in enumerate(sizes) if at + size <= len(text)]
    assert bool(marks) == (len(set(runs)) < len(runs))


def test_pieces_of_what_is_repeated_are_short() -> None:
    pieces = [part.text for part in NumberedEdit("=" * 40 + "\n", "x").output("=" * 40 + "\n") if not part.special]
    assert max(map(len, pieces)) <= 5 + 1


@given(TEXT)
def test_an_unchanged_file_is_the_file_line_by_line(original: str) -> None:
    edit = NumberedEdit(original, "x")
    assert [place.text for place in edit.places(edit.original)] == [
        f"<|{n}|>" for n in range(1, len(edit.original) + 1)
    ]


def test_an_edit_follows_the_file_and_the_sketch() -> None:
    original = "import os\n\ndef a():\n    return 1\n\ndef b():\n    return 2\n"
    update = "# ... existing code ...\ndef a():\n    x = 2\n    return x\n\n# ... existing code ...\n"
    edit = NumberedEdit(original, update)
    output = original.replace("    return 1\n", "    x = 2\n    return x\n").splitlines(keepends=True)
    places = edit.places(output)
    assert [p.text for p in places] == ["<|1|>", "<|2|>", "<|3|>", "<|+3|>", "<|+4|>", "<|+5|>", "<|6|>", "<|7|>"]
    assert [line_of(edit, p.text).rstrip("\n") for p in places] == [line.rstrip("\n") for line in output]


def test_equal_text_is_stated_once_or_several_times() -> None:
    spelled = "".join(part.text for part in NumberedEdit("a\n\nb\n\n", "b\n\nnew").prompt())
    assert "<|+1|><|=3|>b" in spelled
    assert "<|+2|><|~2|>\n" in spelled
    assert "<|+3|>new" in spelled


def test_places_can_start_anywhere() -> None:
    spelled = "".join(part.text for part in NumberedEdit("a\nb\n", "b", first=40, first_sketch=7).prompt())
    assert "<|41|>a\n<|42|>b\n<|43|><|end|><|+7|><|update|><|+8|><|=42|>b" in spelled


def test_a_file_with_more_lines_than_places_is_refused_with_both_numbers() -> None:
    with pytest.raises(RedraftError, match=r"2,000 lines.*1,534"):
        NumberedEdit("x\n" * 2000, "y")
    assert FILE_PLACES == 1536


def test_an_instruction_alone_is_refused() -> None:
    with pytest.raises(RedraftError, match="needs an update"):
        LinesTemplate().prompt(Request("a\n", instruction="do it"), None)


def test_text_that_spells_a_place_is_no_special_part() -> None:
    prompt = LinesTemplate().prompt(Request("<|1|>\n", update="<|end|>"), None)
    assert Part("<|1|>\n") in prompt.parts
    assert Part("<|end|>\n") in prompt.parts
