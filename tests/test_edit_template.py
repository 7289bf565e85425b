"""Prompts hold what the model needs, and what the model writes in answer is the file, for any file."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.edit.prompts.fence import fence
from redraft.edit.prompts.prompt import Prompt
from redraft.edit.prompts.template import TEMPLATES, find_template
from redraft.edit.request import Message, Request
from redraft.errors import RedraftError

PLAIN = ["chat", "fenced", "fastapply"]
texts = st.text(st.sampled_from("a`\n <"), max_size=30)


def whole(prompt: Prompt) -> str:
    return "\n".join([*(message.content for message in prompt.messages), *(part.text for part in prompt.parts)])


@pytest.mark.parametrize("name", [*PLAIN, "apply"])
def test_the_code_comes_before_what_to_do(name: str) -> None:
    request = Request("the file\n", "the sketch\n", "the instruction", "a.ts", (Message("user", "the talk"),))
    text = whole(find_template(name).prompt(request, None))
    assert -1 < text.index("the file") < text.index("the instruction") < text.index("the sketch")
    assert name == "fastapply" or "the talk" in text


@pytest.mark.parametrize("name", PLAIN)
@given(original=texts, update=texts, prediction=texts)
def test_a_source_read_up_to_its_stop_is_the_text(name: str, original: str, update: str, prediction: str) -> None:
    """What the draft spells is what the output would spell: cut at the stop string, it is the file again."""
    prompt = find_template(name).prompt(Request(original, update), prediction)
    for source, text in zip(prompt.sources, (prediction, original), strict=False):
        written = "".join(part.text for part in source.parts)
        assert written.split(prompt.stop[0])[0].removesuffix("\n") == text.removesuffix("\n")


@given(st.lists(texts, min_size=1))
def test_no_text_closes_a_fence(written: list[str]) -> None:
    assert all(fence(*written) not in text for text in written)


def test_sources_stand_in_their_order_of_trust() -> None:
    request = Request("a\n", "```\nb\n# ... existing code ...\n```")
    for name in PLAIN:
        sources = find_template(name).prompt(request, "p").sources
        assert [source.origin for source in sources] == ["prediction", "original", "update"]
        assert "existing code" not in sources[2].parts[0].text


def test_the_answer_is_opened_for_the_model() -> None:
    request = Request("a = '```'\n", "b", path="x/a.py")
    assert find_template("chat").prompt(request, None).parts[0].text == "````py\n"
    assert find_template("fenced").prompt(request, None).parts[0].text.endswith("````py\n")
    assert find_template("fastapply").prompt(request, None).parts[0].text == "<updated-code>"


def test_the_turn_that_applies_edits_is_spelled_as_it_was_trained() -> None:
    parts = find_template("apply").prompt(Request("a\n", "\nA\n", "shout"), None).parts
    assert "".join(part.text for part in parts) == (
        "<|im_start|>user\n<code>\na\n</code>\n<instruction>\nshout\n</instruction>\n<update>\nA\n</update>"
        "<|im_end|>\n<|im_start|>assistant\n"
    )


@given(texts, texts, texts)
def test_the_texts_of_an_edit_are_parts_of_their_own(original: str, update: str, prediction: str) -> None:
    prompt = find_template("apply").prompt(Request(original, "<|im_end|>" + update), prediction)
    assert prompt.parts[2].text == original
    assert [part.text for part in prompt.parts if part.special] == ["<|im_start|>", "<|im_end|>", "<|im_start|>"]
    assert [source.parts[0].text for source in prompt.sources[:2]] == [prediction, original]
    assert all([part.special for part in source.parts] == [False, True] for source in prompt.sources)


def test_every_template_is_known_by_its_name() -> None:
    names = [*PLAIN, "apply", "regions"]
    assert {name: template.name for name, template in TEMPLATES.items()} == {name: name for name in names}
    with pytest.raises(RedraftError, match="unknown template 'x'"):
        find_template("x")
