"""A request goes in, a result comes out: from a model that replays a script, from the merge alone, from bad input."""

import subprocess
import sys
from pathlib import Path

import pytest

import redraft
from redraft.edit.evidence import SURE
from redraft.edit.prompts.template import TEMPLATES, find_template
from redraft.engines.scripted import Scripted
from tiny_models import save

FILE = "def a():\n    return 1\n\n\ndef b():\n    return 2\n"
UPDATE = "def b():\n    return 3\n"
NEW = FILE.replace("2", "3")


EMPTY = "the update is empty: without a model there is nothing to apply"


def scripted(target: str, template: str = "chat") -> redraft.Redraft:
    return redraft.Redraft.of(Scripted(target), find_template(template))


def test_the_public_door() -> None:
    results = ["AnswerResult", "Change", "Chunk"]
    values = ["Engine", "Message", "Redraft", "RedraftError", "Repair", "Request", "Result", "Sampling"]
    names = [*results, *values, "apply_answer", "load", "repair", "repair_call"]
    assert redraft.__all__ == names
    assert all(hasattr(redraft, name) for name in names)


def test_importing_redraft_and_merging_import_no_torch() -> None:
    code = (
        "import sys, redraft\n"
        f"print(redraft.load(readers='merge').apply({FILE!r}, {UPDATE!r}).output == {NEW!r})\n"
        "print([name for name in ('torch', 'transformers', 'numpy', 'rich') if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["True", "[]"]


def test_the_command_imports_neither_an_engine_nor_a_console_where_none_is_used(tmp_path: Path) -> None:
    for name, text in {"a.py": FILE, "answer.md": UPDATE}.items():
        tmp_path.joinpath(name).write_text(text)
    code = (
        "import sys\nfrom redraft.cli import run\n"
        "code = run(['apply', 'a.py', '-u', 'answer.md', '--readers', 'merge'])\n"
        "names = ('rich.console', 'redraft.engines.scripted', 'redraft.engines.openai', 'redraft.draft.drafter')\n"
        "print(code, [name for name in names if name in sys.modules])\n"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.split("\n")[-2] == "0 []"


def test_the_model_writes_the_file() -> None:
    result = scripted(NEW).apply(FILE, UPDATE, path="a.py")
    assert (result.status, result.output, result.decided_by) == ("applied", NEW, "model")
    assert result.confidence is not None
    assert result.confidence >= SURE
    assert result.completion_tokens == result.accepted + result.forwards == 27
    assert result.chars_per_second == pytest.approx(len(NEW) / result.seconds)


def test_the_chunks_of_a_stream_are_the_output() -> None:
    chunks = list(scripted(NEW).stream(FILE, UPDATE))
    assert "".join(chunk.text for chunk in chunks) == NEW
    assert {origin for chunk in chunks for origin in chunk.origins} >= {"prediction"}


def test_without_speculation_every_token_takes_a_forward() -> None:
    editor = redraft.Redraft.of(Scripted(NEW), find_template("chat"), speculate=False)
    result = editor.apply(FILE, UPDATE)
    assert (result.output, result.drafted, result.forwards) == (NEW, 0, result.completion_tokens)


def test_the_callers_prediction_is_drafted_first() -> None:
    surprise = "entirely = 'different'\n"
    chunks = list(scripted(surprise).stream(FILE, UPDATE, prediction=surprise))
    assert len(chunks) == 1
    assert set(chunks[0].origins) <= {"prediction", "model"}


@pytest.mark.parametrize("name", sorted(TEMPLATES.keys() - {"regions"}))
def test_the_output_ends_in_a_newline_as_the_file_does(name: str) -> None:
    assert scripted(NEW, name).apply(FILE, UPDATE).output == NEW
    assert scripted(NEW[:-1], name).apply(FILE[:-1], UPDATE).output == NEW[:-1]
    assert scripted(NEW, name).apply(FILE[:-1], UPDATE).output == NEW[:-1]


def test_windows_line_ends_are_kept() -> None:
    result = scripted(NEW).apply(FILE.replace("\n", "\r\n"), UPDATE)
    assert (result.status, result.output) == ("applied", NEW.replace("\n", "\r\n"))
    assert scripted(FILE).apply(FILE.replace("\n", "\r\n"), UPDATE).status == "no_change"


def test_guards_refuse_with_the_output_at_hand() -> None:
    leaked = "def a():\n    # ... existing code ...\n\n\ndef b():\n    return 3\n"
    result = scripted(leaked).apply(FILE, f"# ... existing code ...\n{UPDATE}".replace("# ...", "    # ..."))
    assert (result.status, result.output) == ("marker_leak", leaked)
    assert scripted(FILE).apply(FILE, UPDATE).status == "no_change"
    cut = scripted(NEW).apply(FILE, UPDATE, sampling=redraft.Sampling(max_tokens=3))
    assert (cut.status, cut.output) == ("truncated", "def a\n")


def test_the_merge_alone_says_when_it_cannot_place_a_sketch() -> None:
    merge = redraft.load(readers="merge")
    assert merge.apply(FILE, UPDATE).output == NEW
    result = merge.apply(FILE, "# ... existing code ...\nsomething_else()\n# ... existing code ...\n")
    assert (result.status, result.output, result.decided_by) == ("needs_context", None, "merge")
    assert result.message
    with pytest.raises(redraft.RedraftError, match="no model"):
        merge.stream(FILE, UPDATE)


def test_what_cannot_be_done_is_an_error_with_its_reason() -> None:
    assert scripted(NEW).apply(FILE).message == "nothing to do: the update is empty and there is no instruction"
    assert redraft.load(readers="merge").apply(FILE, instruction="b returns 3").message == EMPTY


def test_load_knows_its_specs(tmp_path: Path) -> None:
    (tmp_path / "script").write_text(NEW)
    assert redraft.load(f"scripted:{tmp_path / 'script'}").apply(FILE, UPDATE).output == NEW
    for spec in ("gpt", "hf:", "scripted:", "sglang:x", "embedded:x"):
        with pytest.raises(redraft.RedraftError, match=f"unknown engine '{spec}'"):
            redraft.load(spec)
    with pytest.raises(redraft.RedraftError, match=r"unknown template 'xml'.*fastapply"):
        redraft.load(f"scripted:{tmp_path / 'script'}", template="xml")
    with pytest.raises(redraft.RedraftError, match="cannot read"):
        redraft.load(f"scripted:{tmp_path / 'none'}", readers="model")


def test_a_hugging_face_model_is_prompted_as_it_is_made_for(tmp_path: Path) -> None:
    for chat in (False, True):
        editor = redraft.load(f"hf:{save('llama', tmp_path / str(chat), chat)}", dtype="float32", device="cpu")
        assert editor.takes_instructions
        speculative, vanilla = (
            editor.apply(FILE, instruction="b returns 3", sampling=redraft.Sampling(max_tokens=20, speculate=speculate))
            for speculate in (True, False)
        )
        assert speculative.output == vanilla.output
        assert vanilla.forwards == 20


def test_a_template_that_the_model_cannot_take_is_an_error_with_its_reason(tmp_path: Path) -> None:
    spec = f"hf:{save('llama', tmp_path)}"
    for template, reason in {
        "chat": "no chat template",
        "fastapply": "no chat template",
        "apply": "no token",
    }.items():
        editor = redraft.load(spec, dtype="float32", device="cpu", template=template, readers="model")
        result = editor.apply(FILE, UPDATE)
        assert (result.status, result.output, result.message.count("\n")) == ("error", None, 0)
        assert reason in result.message
        with pytest.raises(redraft.RedraftError, match=reason):
            editor.stream(FILE, UPDATE)


LONG_FILE = "".join(f"line {number}\n" for number in range(300))
REGION = '<unchanged lines="98"/>\nline 98\nline 99\nLINE 100\nline 101\nline 102\n<unchanged lines="197"/>\n'


def region(target: str, window: int) -> redraft.Result:
    editor = redraft.Redraft.of(Scripted(target), find_template("apply"), window=window)
    return editor.apply(LONG_FILE, "line 99\nLINE 100\nline 101\n# ... rest stays ...\n", path="a.txt")


def test_a_long_file_is_written_by_region_and_the_rest_copied() -> None:
    result = region(REGION, window=1)
    assert (result.status, result.output) == ("applied", LONG_FILE.replace("line 100\n", "LINE 100\n"))
    assert result.prompt_tokens < 400


def test_a_region_whose_place_was_lost_is_refused() -> None:
    result = region("LINE 100\n", window=1)
    assert (result.status, result.output) == ("needs_context", None)
    assert "--window 0" in result.message


def test_the_whole_file_is_read_on_demand() -> None:
    result = region(LONG_FILE.replace("line 100\n", "LINE 100\n"), window=0)
    assert result.status == "applied"
    assert result.prompt_tokens > 1000


def test_models_that_were_not_trained_for_regions_read_the_whole_file() -> None:
    editor = redraft.Redraft.of(Scripted(LONG_FILE), find_template("chat"))
    assert editor.apply(LONG_FILE, "LINE 100\n").prompt_tokens > 1000
