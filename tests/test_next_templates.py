"""Prompts of editors: which tokens are special, what is drafted, what ends; and text that only looks like them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import next_prompts as sent
from redraft.edit.prompts.prompt import Part
from redraft.next import fim, sweep
from redraft.next.recognise import recognise
from redraft.next.recognised import Recognised, TemplateError

QWEN = frozenset((*fim.ENDS, "<|im_end|>"))
SEED = frozenset(("<[fim-suffix]>", "<[fim-prefix]>", "<[fim-middle]>", "<[end▁of▁sentence]>"))
KNOWN = [
    (sent.zed_sweep(), "sweep", QWEN),
    (sent.cursortab_sweep(), "sweep", QWEN),
    (sent.qwen(), "fim", QWEN),
    (sent.zeta1(), "zeta", QWEN),
    (sent.zeta2(), "zeta 2", SEED),
    (sent.zeta21(), "zeta 2.1", SEED),
]
# What a user's code may spell, tokens of templates among it.
CODE = st.lists(
    st.sampled_from(["a = 1", "\n", " ", "<|fim_middle|>", "<|file_sep|>", "<|cursor|>", "<|endoftext|>", "</s>", "x"])
).map("".join)


def read(prompt: str, tokens: frozenset[str] = QWEN) -> Recognised | None:
    return recognise(prompt, tokens.__contains__)


def text(parts: tuple[Part, ...]) -> str:
    return "".join(part.text for part in parts)


def special(found: Recognised) -> list[str]:
    return [part.text for part in found.prompt.parts if part.special]


def drafts(found: Recognised) -> list[str]:
    return [text(source.parts) for source in found.prompt.sources]


@pytest.mark.parametrize(("prompt", "name", "tokens"), KNOWN)
def test_a_known_prompt_is_the_same_text_in_parts(prompt: str, name: str, tokens: frozenset[str]) -> None:
    found = read(prompt, tokens)
    assert found is not None
    assert (found.template, text(found.prompt.parts)) == (name, prompt)
    assert all(part.text in tokens for part in found.prompt.parts if part.special)


def test_the_window_is_the_draft() -> None:
    zed, cursortab = read(sent.zed_sweep()), read(sent.cursortab_sweep())
    assert zed is not None
    assert cursortab is not None
    assert zed.window == cursortab.window == sent.WINDOW
    assert drafts(zed) == [f"{sent.WINDOW}<|file_sep|>", "w = 3\n"]
    assert drafts(cursortab) == [sent.WINDOW.removeprefix("def area(w, h):\n") + "<|file_sep|>", "w = 3\n"]
    assert (zed.about, cursortab.about) == ("src/shape.py", "shape.py:1:5")


def test_the_window_of_zetas_is_the_draft_with_what_ends_it() -> None:
    first, second, third = read(sent.zeta1()), read(sent.zeta2(), SEED), read(sent.zeta21(), SEED)
    assert first is not None
    assert second is not None
    assert third is not None
    assert drafts(first) == [f"<|editable_region_start|>\n{sent.WINDOW}<|editable_region_end|>"]
    assert drafts(second) == [f"{sent.WINDOW}>>>>>>> UPDATED\n"]
    at = sent.WINDOW.index("print")
    block = f"<|marker_2|>{sent.WINDOW[at:]}<|marker_3|>"
    assert drafts(third) == [block, f"<|marker_1|>{sent.WINDOW[:at]}{block}"]
    assert third.window == sent.WINDOW
    assert [found.about for found in (first, second, third)] == ["shape.py"] * 3


def test_special_tokens_of_each_template() -> None:
    assert special(read(sent.zed_sweep())) == ["<|file_sep|>"] * 5  # type: ignore[arg-type]
    assert special(read(sent.qwen())) == list(fim.TOKENS)  # type: ignore[arg-type]
    assert special(read(sent.zeta1())) == []  # type: ignore[arg-type]
    assert special(read(sent.zeta21(), SEED)) == ["<[fim-suffix]>", "<[fim-prefix]>", "<[fim-middle]>"]  # type: ignore[arg-type]
    cursor = read(sent.cursortab_sweep(), QWEN | {"<|cursor|>"})
    assert special(cursor) == [*["<|file_sep|>"] * 4, "<|cursor|>", "<|file_sep|>"]  # type: ignore[arg-type]


def test_files_of_a_repository_before_a_gap() -> None:
    before = "<|repo_name|>shapes\n<|file_sep|>sizes.py\nw = 3 # <|file_sep|>\n<|file_sep|>shape.py\n"
    found = read(before + sent.qwen())
    assert found is not None
    assert special(found) == ["<|repo_name|>", "<|file_sep|>", "<|file_sep|>", *fim.TOKENS]
    assert found.about == "shape.py"


@given(CODE, CODE)
def test_tokens_in_the_code_around_a_gap_are_text(prefix: str, suffix: str) -> None:
    found = read(sent.qwen(prefix, suffix))
    assert found is not None
    assert special(found) == list(fim.TOKENS)
    assert found == fim.gap(prefix, suffix, has=QWEN.__contains__)


@given(CODE)
def test_tokens_in_a_window_are_text_and_end_nothing(code: str) -> None:
    window = f"{code}\n"
    found = read(sent.zed_sweep(window))
    assert found is not None
    assert special(found) == ["<|file_sep|>"] * 5
    assert found.window == window
    stopped = found.with_stops(("<|file_sep|>", "</s>"), QWEN.__contains__)
    assert stopped.prompt.stop == (() if "</s>" in code else ("</s>",))
    assert "<|file_sep|>" in stopped.ends


@given(CODE, st.data())
def test_the_mark_of_the_cursor_is_told_from_the_same_in_the_code(code: str, data: st.DataObject) -> None:
    window = f"{code}\n"
    cursor = data.draw(st.integers(0, len(code)))
    found = read(sent.cursortab_sweep(window, cursor))
    assert found is not None
    assert found.window == window


@given(st.text(), st.sampled_from(sorted(QWEN | SEED)), st.text())
def test_other_prompts_stay_text(before: str, token: str, after: str) -> None:
    assert read(f"x{before}{token}{after}", QWEN | SEED) is None


@pytest.mark.parametrize(
    ("prompt", "said"),
    [
        ("<|fim_prefix|>a<|fim_suffix|>b", "does not end with <|fim_middle|>"),
        ("<|fim_prefix|>a<|fim_middle|>", "holds no <|fim_suffix|>"),
        (sent.qwen("a<|fim_suffix|>"), "holds <|fim_suffix|> 2 times"),
        ("<|file_sep|>a\nx<|fim_middle|>", "0 places"),
        (sent.zed_sweep().replace("current/", "other/"), "original/, updated/"),
        (sent.zed_sweep() + sent.zed_sweep(), "original/, current/, updated/, original/"),
        ("<[fim-suffix]>a<[fim-middle]>", "holds no <[fim-prefix]>"),
        ("<[fim-suffix]>a<[fim-prefix]>b", "does not end with <[fim-middle]>"),
        (sent.zeta2().replace("<<<<<<< CURRENT", ""), "neither <<<<<<< CURRENT nor <|marker_1|>"),
        (sent.zeta1().replace("<|editable_region_end|>", ""), "lacks"),
    ],
)
def test_a_broken_template_is_named(prompt: str, said: str) -> None:
    with pytest.raises(TemplateError) as raised:
        read(prompt, QWEN | SEED)
    assert said in str(raised.value)


@pytest.mark.parametrize(("prompt", "token"), [(sent.qwen(), "fim_prefix"), (sent.zed_sweep(), "file_sep")])
def test_a_model_without_the_tokens_is_told(prompt: str, token: str) -> None:
    with pytest.raises(TemplateError, match=f"this model has no token <.{token}"):
        read(prompt, frozenset())


def test_what_is_written_is_what_is_read() -> None:
    change = sweep.Change("shape.py", "width = 3\n", "w = 3\n")
    written = sweep.write("shape.py", sent.WINDOW, [change], others="import x\n")
    assert read(text(written.prompt.parts)) == written


def test_an_answer_that_reaches_the_text_behind_the_gap_ends() -> None:
    found = read(sent.qwen("a", ")\n\ndef other(first):\n    return first\nrest\n"))
    assert found is not None
    assert found.prompt.stop == (")\n\ndef other(first):\n    return first\n",)
    short = read(sent.qwen("a", "\n}\n}\n}\n"))
    assert short is not None
    assert short.prompt.stop == ()


def test_a_long_change_is_shortened() -> None:
    long = "".join(f"{number}\n" for number in range(100))
    written = sweep.write("a", "x\n", [sweep.Change("a", long, "y\n")] * 5)
    said = text(written.prompt.parts)
    assert (said.count("a.diff"), said.count("...\n")) == (3, 3)
    assert "\n19\n...\n81\n" in said
