"""The scripted engine writes its target, whatever the prompt, the sources and the sampling."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.edit.prompts.prompt import Part, Prompt, Source
from redraft.edit.request import Message
from redraft.engines import GREEDY, Chunk, Sampling
from redraft.engines.scripted import Scripted, Words
from redraft.errors import RedraftError

parts = st.lists(st.builds(Part, st.text(max_size=30), st.booleans()), max_size=5).map(tuple)
sources = st.lists(st.builds(Source, st.sampled_from(["prediction", "original", "update"]), parts), max_size=3)


def written(chunks: list[Chunk]) -> str:
    return "".join(chunk.text for chunk in chunks)


@given(parts)
def test_decoding_gives_back_what_was_encoded_but_for_special_parts(parts: tuple[Part, ...]) -> None:
    words = Words()
    assert words.decode(words.encode(parts)) == "".join(part.text for part in parts if not part.special)


def test_text_never_becomes_a_special_token() -> None:
    words = Words()
    special, plain = words.encode([Part("end", special=True), Part("end")])
    assert special != plain
    assert words.encode([Part("end")]) == [plain]


@given(target=st.text(max_size=80), prompt=parts, sources=sources, speculate=st.booleans())
def test_the_target_is_written(target: str, prompt: tuple[Part, ...], sources: list[Source], speculate: bool) -> None:
    chunks = list(Scripted(target).generate(Prompt(prompt, tuple(sources)), Sampling(speculate=speculate)))
    assert written(chunks) == target
    assert [chunk.finish for chunk in chunks] == [""] * (len(chunks) - 1) + ["stop"]
    assert len(chunks) <= sum(len(chunk.ids) for chunk in chunks)


@given(
    target=st.text("ab \n", max_size=40),
    stop=st.lists(st.text("ab \n", min_size=1, max_size=4), max_size=3),
    speculate=st.booleans(),
)
def test_the_output_ends_before_the_stop_string_that_is_complete_first(
    target: str, stop: list[str], speculate: bool
) -> None:
    prompt = Prompt((Part("p"),), (Source("original", (Part(target[5:]),)),), stop=tuple(stop))
    spans = [(target.find(s) + len(s), target.find(s)) for s in stop if s in target]
    _, first = min(spans, default=(0, len(target)))
    chunks = list(Scripted(target).generate(prompt, Sampling(speculate=speculate)))
    assert written(chunks) == target[:first]
    assert chunks[-1].finish == "stop"


@given(text=st.text("ab", max_size=30), source=st.text("ab", max_size=30))
def test_ids_end_with_the_token_that_completes_a_stop_string(text: str, source: str) -> None:
    target = " ".join(text)
    prompt = Prompt((Part("p"),), (Source("original", (Part(" ".join(source)),)),), stop=("b a",))
    plain = [chunk.ids for chunk in Scripted(target).generate(prompt, Sampling(speculate=False))]
    drafted = [chunk.ids for chunk in Scripted(target).generate(prompt)]
    assert sum(plain, ()) == sum(drafted, ())


@pytest.mark.parametrize(
    ("max_tokens", "text", "finish"), [(1, "one", "length"), (3, "one two", "length"), (4, "one two", "stop")]
)
def test_max_tokens_counts_the_end_token(max_tokens: int, text: str, finish: str) -> None:
    chunks = list(Scripted("one two").generate(Prompt((Part("p"),)), Sampling(max_tokens=max_tokens)))
    assert written(chunks) == text
    assert chunks[-1].finish == finish


def test_a_draft_that_holds_saves_forwards_and_is_named() -> None:
    prompt = Prompt((Part("rewrite"),), (Source("original", (Part("a = 1\nb = 2\n"),)),))
    (chunk,) = Scripted("a = 1\nb = 2\n").generate(prompt, GREEDY)
    assert set(chunk.origins[:-1]) == {"original"}
    assert chunk.origins[-1] == "model"
    assert (chunk.drafted, chunk.accepted) == (12, 12)


def test_messages_are_part_of_the_prompt() -> None:
    prompt = Prompt((Part("x"),), messages=(Message("user", "two words"),))
    (chunk,) = Scripted("").generate(prompt)
    assert chunk.prompt_tokens == len(["start", "two", " ", "words", "x"])


def test_read_keeps_every_character(tmp_path: Path) -> None:
    path = tmp_path / "target.txt"
    path.write_bytes("a\r\nb\tç\n".encode())
    assert written(list(Scripted.read(str(path)).generate(Prompt((Part("p"),))))) == "a\r\nb\tç\n"


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(RedraftError, match=r"cannot read .*absent\.txt"):
        Scripted.read(str(tmp_path / "absent.txt"))
