"""Sets are fetched file by file from where their repositories lie; what fails is said per case, the rest is written."""

import json
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from command_line import done, refusal
from git_repository import Repository, program
from listing import write_listed
from redraft.cli import run
from redraft.data.edits import read_edits
from redraft.data.languages import language
from redraft.data.mine import PERMISSIVE, is_reserved
from redraft.data.sizes import bucket, line_count
from redraft.measure.sets.answers import Answer, read_answers, write_answers
from redraft.measure.sets.manifests import read
from redraft.measure.sets.named import NATURAL, WITH_TEXTS, fetched, find_manifest, manifests, read_set

MANIFESTS = {name: path for name, path in manifests().items() if name not in WITH_TEXTS}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Path:
    """A manifest of two repositories that lie under origin/, known as the set `small-4`, and a store of that alone."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REDRAFT_HOME", "store")
    for name in ("tools", "other"):
        origin = Repository(tmp_path / "origin" / "acme" / name)
        origin.commit({f"{name}_{n}.py": program(30 + n) for n in range(2)})
        for n in range(2):
            origin.commit({f"{name}_{n}.py": program(30 + n, 10)})
    done(capfd, "data", "mine", "--clones", "origin", "--out", "edits.parquet")
    write_listed(Path("small-4.jsonl"), read_edits(Path("edits.parquet")))
    Path("store/manifests").mkdir(parents=True)
    Path("store/manifests/small-4.jsonl").symlink_to(tmp_path / "small-4.jsonl")
    return tmp_path


def fetch(folder: Path, *options: object) -> tuple[object, ...]:
    return ("eval", "fetch", "small-4", "--origin", f"file://{folder}/origin", *options)


def test_a_set_is_fetched_without_the_history(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert "the texts of the set small-4 are not there: redraft eval fetch small-4" in refusal(
        capfd, "eval", "run", "--set", "small-4", "--out", "r.jsonl", "--systems", "merge"
    )
    assert done(capfd, *fetch(folder)) == ("", "4 of 4 cases written to store/sets/small-4.jsonl\n")
    first = fetched("small-4").read_bytes()
    clone = Repository.__new__(Repository)
    clone.path = folder / "store" / "clones" / "acme" / "tools"
    kinds = Counter(clone.git("cat-file", "--batch-all-objects", "--batch-check=%(objecttype)").split())
    assert kinds == {"blob": 4}
    shutil.rmtree("origin")
    fetched("small-4").unlink()
    done(capfd, *fetch(folder))
    assert fetched("small-4").read_bytes() == first
    found = read_set("small-4")
    assert [case.id for case in found.cases] == [case.id for case in read_answers(Path("small-4.jsonl"))]
    assert not found.missing
    out, _ = done(capfd, "eval", "run", "--set", "small-4", "--out", "r.jsonl", "--systems", "merge")
    assert "| merge | 4 |" in out
    assert {json.loads(line)["set"] for line in Path("r.jsonl").read_text().splitlines()} == {"small-4"}


def test_what_is_gone_or_changed_is_said_per_case(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    one, two, three, four = read_answers(Path("small-4.jsonl"))
    gone = replace(one, after_blob="1" * 40)
    other = replace(two, answer_blob="2" * 40)
    private = replace(three, repository="acme/private")
    write_answers(Path("small-4.jsonl"), [gone, other, private, four])
    assert run([*map(str, fetch(folder))]) == 1
    err = capfd.readouterr().err.splitlines()
    assert [line.partition(": ")[0] for line in err[:-1]] == ["failed"] * (len(err) - 1)
    assert any("acme/private: " in line for line in err)
    assert any(f"{one.id}: the clone of {one.repository} has no blob 1111" in line for line in err)
    assert any(f"{two.id}: the answer hashes to {two.answer_blob}, not to 2222" in line for line in err)
    assert err[-1] == "1 of 4 cases written to store/sets/small-4.jsonl"
    assert (len(read_set("small-4").cases), len(read_set("small-4").missing)) == (1, 3)
    _, err = done(capfd, "eval", "run", "--set", "small-4", "--out", "r.jsonl", "--systems", "merge")
    assert f"3 cases of small-4 are missing: {one.id}, {two.id}, {three.id}; fetch it again" in err


def test_local_clones_are_read_and_left_alone(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert done(capfd, "eval", "fetch", "small-4", "--clones", "origin")[1].startswith("4 of 4 cases")
    assert not Path("store/clones").exists()
    done(capfd, "eval", "fetch", "small-4.jsonl", "--clones", "origin", "--out", "cases.jsonl")
    assert Path("cases.jsonl").read_bytes() == fetched("small-4").read_bytes()


def test_bad_names_are_refused(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    said = refusal(capfd, "eval", "fetch", "nat")
    assert "no set 'nat' here; there are small-4, answers-" in said
    assert "Sets lie in benchmarks/sets of a clone of redraft: redraft eval fetch NAME --from FOLDER|URL" in said
    Path("store/clones").write_text("a file")
    assert "cannot make store/clones" in refusal(capfd, *fetch(folder))


def test_without_a_clone_a_set_is_brought_from_a_folder_or_a_url(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    place = find_manifest(NATURAL).parent
    monkeypatch.setattr("redraft.measure.sets.named._CLONE", folder / "none")
    run_it = ("eval", "run", "--set", NATURAL, "--out", "r.jsonl", "--systems", "merge", "--sample", 1)
    assert "no set 'natural' here; there are small-4. Sets lie in benchmarks/sets" in refusal(capfd, *run_it)
    for source in (place, place.as_uri()):
        kept = folder / "store" / "manifests" / "natural.jsonl"
        assert (
            done(capfd, "eval", "fetch", NATURAL, "--from", source)[1] == f"132 cases in {kept.relative_to(folder)}\n"
        )
        assert kept.read_bytes() == (place / "natural.jsonl").read_bytes()
        kept.unlink()
    done(capfd, "eval", "fetch", NATURAL, "--from", place)
    assert "| merge | 1 |" in done(capfd, *run_it)[0]
    missing = refusal(capfd, "eval", "fetch", "other", "--from", folder)
    assert f"cannot bring the set other from {folder}: " in missing


def test_the_evaluation_sets_are_what_they_claim() -> None:
    used = {case.repository for name in READ for case in read_answers(MANIFESTS[name])}
    chosen = read_answers(MANIFESTS["redraft-450"])
    long = read_answers(MANIFESTS["redraft-long"])
    assert (len(chosen), len(long)) == (450, 60)
    assert len({case.language for case in chosen}) >= 12
    small = sum(int(case.id[:3]) < 126 for case in chosen)
    assert small / len(chosen) <= 0.3
    for case in (*chosen, *long):
        assert case.repository not in used
        assert not is_reserved(case.repository)
        assert case.license in PERMISSIVE
    assert len({case.id for case in (*chosen, *long)}) == 510


def test_the_natural_set_is_at_hand() -> None:
    found = read_set(NATURAL)
    assert not found.missing
    assert len(found.cases) == 132
    assert len({case.language for case in found.cases}) >= 40
    assert Counter(case.tidy for case in found.cases) == {None: 72, True: 31, False: 29}
    assert len({case.style for case in found.cases}) >= 6
    for case in found.cases:
        assert language(case.request.path) in ("", case.language)
        assert case.expected not in case.accepted
        assert case.request.original != case.expected
        assert case.request.update.strip()
        assert line_count(case.expected) < 400
        assert bucket(case.request.original) in ("up to 100", "100-400")


SKETCHES = "sketches-1814"  # by rules, to fit on
CALLS = ("calls-dev", "calls")  # edit calls made from commits, of which no answer was written
READ = ("answers-train", "answers-dev", "answers-150", "answers-fresh")
UNREAD = ("answers-kept", "answers-blind")
ANSWERS = (*READ, *UNREAD, "answers-wide", "answers-unseen", "answers-broad", "answers-open", "answers-next")
MORE = {
    "answers-more": READ,
    "answers-late": READ,
    "answers-chat": READ,
    "answers-spare": READ,
    "answers-talk": (*READ, "answers-kept"),
    "answers-held": (*READ, "answers-kept"),
    "answers-plain": UNREAD,
}
AMPLE = ("answers-opened", "answers-plenty", "answers-other")
FITTED = ("answers-broad", "answers-open", SKETCHES)  # these two, to fit on, may share theirs


def repositories_apart(found: list[Answer], used: set[str]) -> set[str]:
    """The repositories of some answers, none of which is used elsewhere or reserved; no answer comes twice."""
    repositories = {one.repository for one in found}
    assert not repositories & used
    assert not any(map(is_reserved, repositories))
    assert len({one.id for one in found}) == len(found)
    return repositories


def test_answers_are_of_repositories_that_no_other_set_uses() -> None:
    used = {
        case.repository
        for name in MANIFESTS
        if name not in (*ANSWERS, *MORE, *AMPLE, SKETCHES, *CALLS)
        for case in read(MANIFESTS[name])
    }
    for name in ANSWERS:
        found = read_answers(MANIFESTS[name])
        used |= repositories_apart(found, used)
        assert {one.license for one in found} <= PERMISSIVE


@pytest.mark.parametrize("name", MORE)
def test_more_answers_are_of_repositories_that_are_read_or_not_read_as_they_are(name: str) -> None:
    known = {one.repository for other in MORE[name] for one in read_answers(MANIFESTS[other])}
    assert {one.repository for one in read_answers(MANIFESTS[name])} <= known


def test_the_answers_that_are_only_fitted_on_share_no_repository_with_what_judges() -> None:
    others = {
        case.repository for name in MANIFESTS if name not in (*FITTED, *AMPLE, *CALLS) for case in read(MANIFESTS[name])
    }
    for name in AMPLE:
        found = read_answers(MANIFESTS[name])
        repositories_apart(found, others)
        assert all(one.instruction and one.answer and one.manner for one in found)
        assert {one.tidy for one in found} == {True, False}


@pytest.mark.parametrize("name", ANSWERS)
def test_answers_are_half_tidy_and_of_many_languages_and_manners(name: str) -> None:
    found = read_answers(MANIFESTS[name])
    assert 0.45 < sum(one.tidy for one in found) / len(found) < 0.55
    assert len({one.language for one in found}) >= 16
    assert len({one.manner.partition(" Careless habits")[0] for one in found}) >= 30
    assert all(one.instruction and one.answer for one in found)
