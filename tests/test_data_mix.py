"""A mix is balanced by its seed alone; the commands that sketch and mix say what they wrote and what they refuse."""

from collections import Counter
from dataclasses import asdict, fields, replace
from pathlib import Path
from random import Random

import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from command_line import done, refusal
from git_repository import program
from redraft.cli import run
from redraft.data.edits import Edit, read_edits, write_edits
from redraft.data.manners import ALL_STYLES
from redraft.data.mix import MOST_COPIES, Mixture, Traits, copies
from redraft.data.samples import RULES, Sample, read_samples, write_samples
from redraft.edit.decide import likeliest
from redraft.errors import RedraftError

ALL = Mixture(short=1, no_ops=1, per_name=10**6, balance=0)
SKETCH = ("data", "sketch", "edits.parquet", "--out", "samples.parquet")
MIX = ("data", "mix", "samples.parquet", "--out", "mix.parquet")
METHODS = "".join(f"    def step_{n}(self):\n        first_{n}()\n        second_{n}()\n\n" for n in range(40))


def edit(number: int, lines: int = 30, path: str = "", language: str = "python") -> Edit:
    texts = (program(lines), program(lines, number % lines))
    return Edit("acme/tools", "1" * 40, path or f"f{number}.py", f"{number:040}", "3" * 40, *texts, language, "MIT")


def trait(number: int, **changed: object) -> Traits:
    one = Traits(str(number), f"f{number}", "python", "100-400", "hunks", RULES, "applied", short=False, no_op=False)
    return replace(one, **changed)  # type: ignore[arg-type]


def sample(made: Edit, **changed: str) -> Sample:
    said = {"instruction": "", "update": "u\n", "style": "hunks", "source": RULES, "expect": "applied"}
    return Sample(**asdict(made), **(said | changed))


def test_answers_get_their_share_of_the_mix() -> None:
    synthetic = [trait(n, short=n % 2 == 0) for n in range(400)]
    written = [trait(1000 + n, source="writers", short=True, name="same") for n in range(30)]
    for share, times in ((0.1, 1), (0.25, 3), (0.5, 8)):
        made = copies([*synthetic, *written], replace(ALL, short=0.5, answers=share))
        told = Counter({one.key: made[one.key] for one in written})
        assert set(told.values()) == {times}
        assert told.total() / made.total() == pytest.approx(share, abs=0.05)
    many = copies([*synthetic, *written], replace(ALL, answers=0.9))
    assert {many[one.key] for one in written} == {MOST_COPIES}
    assert sum(many[one.key] for one in synthetic) == 26
    assert copies(synthetic, replace(ALL, answers=0.2)) == copies(synthetic, ALL)
    assert sum(copies([*synthetic, *written], replace(ALL, answers=1)).values()) == 30
    with pytest.raises(RedraftError, match="--answers is from 0 to 1"):
        copies(synthetic, replace(ALL, answers=1.2))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def sketched(*, name: str = "samples.parquet") -> list[Sample]:
    return list(read_samples(Path(name)))


def test_sketching_writes_a_sample_a_row_in_all_styles(capfd: pytest.CaptureFixture[str]) -> None:
    before = f"class Runner:\n{METHODS}"
    changed = [before.replace(f"        second_{n}()\n", "") for n in range(33)]
    written = [replace(edit(n), before=before, after=after) for n, after in enumerate(changed)]
    write_edits(Path("edits.parquet"), written)
    out, err = done(capfd, *SKETCH)
    assert out == ""
    assert err.startswith("33 samples: ")
    assert err.endswith("\n0 edits dropped: no style can say them\n")
    assert pyarrow.parquet.read_schema("samples.parquet").names == [field.name for field in fields(Sample)]
    assert Counter(one.style for one in sketched()) == dict.fromkeys(ALL_STYLES, 3)
    assert [Edit(*list(asdict(one).values())[:9]) for one in sketched()] == written
    assert list(read_edits(Path("samples.parquet"))) == written
    assert {(one.source, one.expect, one.instruction) for one in sketched()} == {(RULES, "applied", "")}


def test_sketching_is_repeatable_and_hears_its_options(capfd: pytest.CaptureFixture[str]) -> None:
    write_edits(Path("edits.parquet"), map(edit, range(9)))
    done(capfd, *SKETCH)
    first = Path("samples.parquet").read_bytes()
    done(capfd, *SKETCH)
    assert Path("samples.parquet").read_bytes() == first
    done(capfd, *SKETCH, "--seed", 1)
    assert Path("samples.parquet").read_bytes() != first
    done(capfd, *SKETCH, "--styles", "diff,pairs", "--per-edit", 3, "--count", 4)
    found = sketched()
    assert Counter(one.style for one in found) == {"diff": 4, "pairs": 4}
    assert len({one.path for one in found}) == 4


def test_ambiguous_edits_are_dropped_or_kept_as_negatives(capfd: pytest.CaptureFixture[str]) -> None:
    lines = ["start here", *["    first()", "    second()"] * 30, "stop here"]
    texts = {"before": "\n".join(lines) + "\n", "after": "\n".join([*lines[:31], "    third()", *lines[31:]]) + "\n"}
    write_edits(Path("edits.parquet"), [replace(edit(1), **texts), edit(2)])
    assert done(capfd, *SKETCH)[1].endswith("\n1 edits dropped: no style can say them\n")
    assert len(sketched()) == 1
    done(capfd, *SKETCH, "--negatives")
    negative, positive = sketched()
    assert (negative.style, negative.expect, positive.expect) == ("ambiguous", "needs_context", "applied")
    assert likeliest(negative.before, negative.update, negative.path) is None


def test_sketching_refuses_what_it_cannot_read_or_write(capfd: pytest.CaptureFixture[str], folder: Path) -> None:
    write_edits(Path("edits.parquet"), [edit(1)])
    Path("text.parquet").write_text("no")
    pyarrow.parquet.write_table(pyarrow.table({"before": ["a"], "path": ["b"]}), "few.parquet")
    Path("stuck.part").mkdir()
    cases = {
        "gone.parquet is not a readable Parquet file of edits": ("gone.parquet", *SKETCH[3:]),
        "text.parquet is not a readable Parquet file of edits": ("text.parquet", *SKETCH[3:]),
        "few.parquet has no column repository, commit": ("few.parquet", *SKETCH[3:]),
        "cannot write no/s.parquet: no folder no": ("edits.parquet", "--out", "no/s.parquet"),
        "cannot write stuck: ": ("edits.parquet", "--out", "stuck"),
        "no style 'lazy'; there are hunks, ": ("edits.parquet", "--out", "s.parquet", "--styles", "hunks,lazy"),
        "Invalid value for '--per-edit'": ("edits.parquet", "--out", "s.parquet", "--per-edit", 0),
    }
    for message, arguments in cases.items():
        assert message in refusal(capfd, "data", "sketch", *arguments)
    assert not {"samples.parquet", "s.parquet", "stuck"} & {path.name for path in folder.iterdir()}


@given(st.lists(st.integers(0, 40), max_size=40), st.integers(0, 9), st.floats(0, 1), st.randoms())
def test_the_order_of_the_samples_makes_no_difference(numbers: list[int], seed: int, share: float, rng: Random) -> None:
    found = [trait(n, language="ab"[n % 2], short=n % 3 == 0, no_op=n % 5 == 0, name=str(n % 4)) for n in numbers]
    mixture = Mixture(short=share, no_ops=share, per_name=5, balance=share, seed=seed, count=20)
    mixed = copies(found, mixture)
    shuffled = list(found)
    rng.shuffle(shuffled)
    assert copies([*shuffled, *found], mixture) == mixed
    assert mixed.total() <= min(20, len(set(numbers)))
    assert (
        max(Counter(one.name for one in {o.key: o for o in found}.values() if mixed[one.key]).values(), default=0) <= 5
    )


def test_nothing_is_left_out_that_was_not_asked_for() -> None:
    found = [trait(n, short=n % 2 == 0, language="ab"[n % 3 == 0], no_op=n % 7 == 0) for n in range(50)]
    assert copies(found, ALL) == {one.key: 1 for one in found}
    assert copies([], Mixture()) == {}


@pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
def test_short_files_and_no_ops_are_thinned_out(share: float) -> None:
    found = [trait(n, short=n < 1000, no_op=n >= 2000) for n in range(3000)]
    short = copies(found, replace(ALL, short=share))
    no_ops = copies(found, replace(ALL, no_ops=share))
    assert abs(sum(short[str(n)] for n in range(1000)) - 1000 * share) < 60
    assert abs(sum(no_ops[str(n)] for n in range(2000, 3000)) - 1000 * share) < 60
    assert sum(short[str(n)] for n in range(1000, 3000)) == sum(no_ops[str(n)] for n in range(2000)) == 2000


@pytest.mark.parametrize(("balance", "counts"), [(0, (900, 100, 25)), (0.5, (300, 100, 25)), (1, (100, 100, 25))])
def test_large_cells_shrink_to_the_median_one(balance: float, counts: tuple[int, int, int]) -> None:
    cells = ["go"] * 900 + ["rust"] * 100 + ["swift"] * 25
    found = [trait(n, language=language) for n, language in enumerate(cells)]
    mixed = copies(found, replace(ALL, balance=balance))
    kept = Counter(one.language for one in found if mixed[one.key])
    assert (kept["go"], kept["rust"], kept["swift"]) == counts


def test_sources_are_weighed() -> None:
    found = [trait(n, source="m" if n < 1000 else RULES) for n in range(2000)]
    mixed = copies(found, replace(ALL, weights={"m": 2.5, RULES: 0}))
    assert {mixed[str(n)] for n in range(1000)} == {2, 3}
    assert abs(mixed.total() - 2500) < 60
    for weights, message in (({"m": -1.0}, "from 0 to 1000"), ({"x": 1.0}, "no sample has the source 'x'")):
        with pytest.raises(RedraftError, match=message):
            copies(found, replace(ALL, weights=weights))


def test_a_mix_of_several_files_is_printed_and_drawn(capfd: pytest.CaptureFixture[str]) -> None:
    paths = [f"{n}/index.py" if n < 20 else f"f{n}.py" for n in range(40)]
    made = [sample(edit(n, 120, path)) for n, path in enumerate(paths)]
    written = [sample(edit(n, 30, language="go"), source="m", style="chat $a_1$", update=f"{n}") for n in range(10)]
    write_samples(Path("samples.parquet"), made)
    write_samples(Path("more.parquet"), [*written, *made[:5]])
    command = (
        *MIX,
        "more.parquet",
        "--per-name",
        8,
        "--short",
        1,
        "--balance",
        0,
        "--weight",
        "m=2",
        "--plot",
        "p.png",
    )
    out, err = done(capfd, *command)
    assert err == "48 samples mixed of 50, 5 equal ones left out\n"
    rows = {tuple(line[:-26].strip().split(maxsplit=1)): line[-26:].split() for line in out.splitlines()[1:]}
    assert rows["language", "python"] == ["40", "28", "58.3%"]
    assert rows["size", "up to 100"] == ["10", "20", "41.7%"]
    assert rows["source", "m"] == ["10", "20", "41.7%"]
    assert rows["style", "chat $a_1$"] == ["10", "20", "41.7%"]
    found = sketched(name="mix.parquet")
    assert Counter(one.source for one in found) == {RULES: 28, "m": 20}
    assert Counter(Path(one.path).name for one in found)["index.py"] == 8
    assert Path("p.png").read_bytes().startswith(b"\x89PNG")
    first = Path("mix.parquet").read_bytes()
    assert done(capfd, *command)[0] == out
    assert Path("mix.parquet").read_bytes() == first


def test_where_no_sample_is_left_nothing_is_written(capfd: pytest.CaptureFixture[str]) -> None:
    """Whoever trains would find out later."""
    write_samples(Path("samples.parquet"), [sample(edit(1))])
    write_edits(Path("edits.parquet"), [replace(edit(1), after=edit(1).before)])
    commands = {"mix.parquet": (*MIX, "--weight", "rules=0", "--plot", "p.png"), "samples.parquet": SKETCH}
    for out, command in commands.items():
        assert run(list(command)) == 1
        said, *_, error = capfd.readouterr().err.splitlines()
        assert said.startswith("0 samples")
        assert error == f"redraft: there are no samples: {out} is not written"
    assert not Path("mix.parquet").exists()
    assert not Path("p.png").exists()
    assert len(sketched()) == 1


def test_mixing_refuses_what_it_cannot_read_or_write(capfd: pytest.CaptureFixture[str]) -> None:
    write_edits(Path("edits.parquet"), [edit(1)])
    write_samples(Path("samples.parquet"), [sample(edit(1))])
    cases = {
        "edits.parquet has no column instruction, update, style, source, expect": ("edits.parquet",),
        "gone.parquet is not a readable Parquet file of samples": ("gone.parquet",),
        "samples.parquet is read and would be written": ("--out", "samples.parquet"),
        "cannot write no/p.png: no folder no": ("--plot", "no/p.png"),
        "--weight is SOURCE=NUMBER, not 'rules'": ("--weight", "rules"),
        "--weight is SOURCE=NUMBER, not '=1'": ("--weight", "=1"),
        "the weight of rules is from 0 to 1000, not nan": ("--weight", "rules=nan"),
        "no sample has the source 'm'; there are rules": ("--weight", "m=1"),
        "--short is from 0 to 1, not 2.0": ("--short", 2),
        "--no-ops is from 0 to 1, not nan": ("--no-ops", "nan"),
    }
    for message, more in cases.items():
        assert message in refusal(capfd, *MIX, *more)
    assert not Path("mix.parquet").exists()
