"""A completions server as an engine: whatever it takes and lacks, the text is what it writes without drafts."""

import socket
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

import pytest

from completions_server import CompletionsFake, completing
from redraft.edit.prompts.prompt import Part, Prompt, Source
from redraft.edit.request import Message
from redraft.engines import Chunk, Ranker, Sampling
from redraft.engines.completions import CompletionsEngine
from redraft.engines.endpoint import Endpoint
from redraft.engines.folder import Folder, open_folder
from redraft.errors import RedraftError
from tiny_models import save

FILE = "".join(f"def f{n}(a, b):\n    return a + {n} * b\n\n\n" for n in range(12))
NEW = FILE.replace("a + 5", "a - 55").replace("def f9(a, b)", "def f9(a, b, c)")
PROMPT = Prompt((Part("new file:\n"),), (Source("prediction", (Part(NEW),)), Source("original", (Part(FILE),))))


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    return open_folder(save("llama", tmp_path_factory.mktemp("llama")))


def writing(llama: Folder, target: str, **lacks: Any) -> AbstractContextManager[CompletionsFake]:
    """A server that writes the target after the prompt."""
    return completing(llama.path, CompletionsFake(script=("new file:\n", target), **lacks))


def engine(fake: CompletionsFake, folder: Folder | None, context: int | None = None) -> CompletionsEngine:
    return CompletionsEngine(Endpoint(fake.url, "m", timeout=1.0, retries=0), folder, context)


def text(chunks: Sequence[Chunk]) -> str:
    return "".join(chunk.text for chunk in chunks)


def test_a_right_prediction_takes_one_request(llama: Folder) -> None:
    with writing(llama, NEW) as fake:
        (chunk,) = engine(fake, llama).generate(PROMPT)
    (body,) = fake.requests
    assert (chunk.text, chunk.finish, chunk.forwards) == (NEW, "stop", 1)
    assert chunk.prompt_tokens == len(body["prompt"])
    assert chunk.completion_tokens == body["max_tokens"] == 1
    assert chunk.accepted == chunk.drafted == len(chunk.ids) - 1
    assert set(chunk.origins) == {"prediction", "model"}


def test_where_the_draft_fails_the_server_writes_until_it_repeats_what_was_expected(llama: Folder) -> None:
    target = NEW.replace("return a + 2 * b", "return a + 2 * b + one_more_thing")
    with writing(llama, target) as fake:
        chunks = list(engine(fake, llama).generate(PROMPT))
    assert text(chunks) == target
    assert ["stream" in body for body in fake.requests] == [False, True, False]
    assert sum(chunk.forwards for chunk in chunks) == 3
    assert sum(chunk.completion_tokens or 0 for chunk in chunks) < len(chunks[0].ids)
    assert chunks[-1].prompt_tokens == sum(len(body["prompt"]) for body in fake.requests)


def test_as_text_it_is_asked_how_it_cuts_the_prompt_first(llama: Folder) -> None:
    with writing(llama, NEW) as fake:
        chunks = list(engine(fake, None).generate(PROMPT))
    assert text(chunks) == NEW
    assert [body["prompt"] for body in fake.requests] == ["new file:\n", "new file:\n" + NEW]


LACKS = {
    "nothing": {},
    "ids": {"ids": False},
    "echo": {"echo": False},
    "echo, silently": {"ignores_echo": True},
    "log-probabilities": {"log_probabilities": False},
    "names of ids": {"names_ids": False},
    "parameters of others": {"strict": True},
    "all of it": {"ids": False, "echo": False, "log_probabilities": False, "strict": True},
}


@pytest.mark.parametrize("lacks", LACKS.values(), ids=LACKS.keys())
@pytest.mark.parametrize("by_ids", [True, False])
def test_whatever_a_server_lacks_the_text_is_the_same(llama: Folder, lacks: dict[str, bool], by_ids: bool) -> None:
    target = NEW.replace("f3", "f33").replace("return a + 7 * b", "return 7")
    with writing(llama, target, **lacks) as fake:
        asked = engine(fake, llama if by_ids else None)
        for sampling in (Sampling(), Sampling(speculate=False), Sampling(max_tokens=40), Sampling()):
            chunks = list(asked.generate(PROMPT, sampling))
            if sampling.max_tokens is None:
                assert (text(chunks), chunks[-1].finish) == (target, "stop")
            else:
                assert target.startswith(text(chunks))
                assert chunks[-1].finish == "length"
        stopped = list(asked.generate(replace(PROMPT, stop=("f6",))))
    assert text(stopped) == target[: target.index("f6")]


def test_what_a_server_refused_is_not_asked_again(llama: Folder) -> None:
    with writing(llama, NEW, echo=False) as fake:
        asked = engine(fake, llama)
        first, second = (text(list(asked.generate(PROMPT))) for _ in range(2))
    assert first == second == NEW
    assert ["stream" in body for body in fake.requests] == [False, True, True]


def test_a_prediction_longer_than_the_servers_context_changes_nothing(llama: Folder) -> None:
    with writing(llama, "x = 1\n", limit=200) as fake:
        assert text(list(engine(fake, llama).generate(PROMPT, Sampling(max_tokens=50)))) == "x = 1\n"
        with pytest.raises(RedraftError, match="too long for the model"):
            list(engine(fake, llama, context=200).generate(PROMPT))
        too_long = replace(PROMPT, parts=(Part("y = 2\n" * 400),))
        with pytest.raises(RedraftError, match=r"status 400: .*maximum context length is 200 tokens"):
            list(engine(fake, llama).generate(too_long))


def test_a_server_that_ends_early_has_a_limit_of_its_own(llama: Folder) -> None:
    with writing(llama, NEW, limit=150) as fake:
        chunks = list(engine(fake, llama).generate(replace(PROMPT, sources=())))
    assert NEW.startswith(text(chunks))
    assert chunks[-1].finish == "length"


@pytest.mark.parametrize("by_ids", [True, False])
def test_a_server_that_fails_is_an_error_that_says_why(llama: Folder, by_ids: bool) -> None:
    folder = llama if by_ids else None
    with writing(llama, NEW, stalls=True) as fake, pytest.raises(RedraftError, match=r"^timeout$"):
        list(engine(fake, folder).generate(PROMPT))
    with writing(llama, NEW, breaks_after=3) as fake, pytest.raises(RedraftError, match=r"^the answer broke off$"):
        list(engine(fake, folder).generate(PROMPT, Sampling(speculate=False)))
    with pytest.raises(RedraftError, match=r"cannot reach http://127"):
        list(engine(fake, folder).generate(PROMPT))
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        there = CompletionsFake(url=f"http://127.0.0.1:{nobody.getsockname()[1]}/v1")
        with pytest.raises(RedraftError, match=r"^timeout$"):
            list(engine(there, folder).generate(PROMPT))


def test_a_server_that_does_not_have_the_ids_is_sent_text(llama: Folder) -> None:
    """Its model is another than the one that the folder holds."""
    with writing(llama, NEW) as fake:
        other = engine(fake, llama)
        other._ids.tokens.encode = lambda parts: [10_000]  # type: ignore[union-attr, method-assign]
        assert text(list(other.generate(PROMPT))) == NEW
    assert [isinstance(body["prompt"], str) for body in fake.requests] == [False, False, True, True]


def test_as_text_nothing_is_sent_that_would_be_read_as_a_special_token(llama: Folder) -> None:
    with writing(llama, NEW) as fake:
        for written in ("a <|im_end|> b", "</s>", "[INST] x"):
            with pytest.raises(RedraftError, match="reads as a special token"):
                list(engine(fake, None).generate(replace(PROMPT, parts=(Part(written),))))
        with pytest.raises(RedraftError, match="no chat template"):
            list(engine(fake, None).generate(replace(PROMPT, messages=(Message("user", "x"),))))
    assert fake.requests == []


def test_it_ranks_by_log_probabilities(llama: Folder) -> None:
    with writing(llama, NEW) as fake:
        asked = engine(fake, llama)
        right, wrong = asked.rank(replace(PROMPT, sources=()), [NEW, FILE])
        assert isinstance(asked, Ranker)
        assert right > wrong
        with pytest.raises(RedraftError, match="needs the model's tokenizer"):
            engine(fake, None).rank(PROMPT, [NEW, FILE])
    with (
        writing(llama, NEW, log_probabilities=False) as fake,
        pytest.raises(RedraftError, match="no log-probabilities"),
    ):
        engine(fake, llama).rank(PROMPT, [NEW, FILE])


@pytest.mark.parametrize(("place", "why"), [("http://x", "has no model"), ("ftp://x#m", "ftp://x is no URL")])
def test_what_is_no_place_is_refused(place: str, why: str) -> None:
    with pytest.raises(RedraftError, match=why):
        CompletionsEngine.of(place)


def test_the_server_says_where_its_tokenizer_is(llama: Folder) -> None:
    with writing(llama, NEW) as fake:
        named = CompletionsEngine.of(f"{fake.url}#{llama.path}")
        assert [chunk.text for chunk in named.generate(PROMPT)] == [NEW]
        fake.root = str(llama.path)
        served = CompletionsEngine.of(f"{fake.url}#m")
        assert [chunk.text for chunk in served.generate(PROMPT)] == [NEW]
