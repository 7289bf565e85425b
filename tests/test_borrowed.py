"""The examples of another project's tests are read from its source, which is checked by hash and never kept."""

import json
from pathlib import Path

import pytest

from command_line import done
from git_repository import Repository
from redraft.cli import run
from redraft.data.clones import blob_hash
from redraft.errors import RedraftError
from redraft.measure.sets.borrowed import examples, read_borrowed
from redraft.measure.sets.named import MANIFESTS

SOURCE = """package x

func TestIt(t *testing.T) {
	tests := []struct {
		name string
	}{
		{
			name: "one \\"more\\"",
			original: `
    a: "b"
    name: c`,
			proposed: `
    // ... existing code ...
    name: d`,
			want: `
    a: "b"
    name: d`,
			ext: "yaml",
		},
		{
			name:        "two",
			desc: `
      Type: add
      `,
			isInsert: true,
			original: `func main() {
}`,
			proposed: `func main() {
  run()
}`,
			want: `func main() {
  run()
}`,
		},
	}
	t.Run(name: "no example")
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    origin = Repository(tmp_path / "origin" / "acme" / "tools")
    (origin.path / "it_test.go").write_text(SOURCE)
    origin.git("add", ".")
    origin.git("commit", "--quiet", "--message", "it")
    about = {"repository": "acme/tools", "commit": "1", "path": "it_test.go", "license": "MIT"}
    blob = blob_hash(SOURCE.encode(), "0" * 40)
    lines = [about | {"id": f"x-{n}", "blob": blob, "number": n} for n in (1, 2, 3)]
    Path("x.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return tmp_path


def test_examples_are_fields_of_a_struct() -> None:
    one, two = examples(SOURCE)
    assert one["original"] == '\n    a: "b"\n    name: c'
    assert one["ext"] == "yaml"
    assert (two["name"], two["isInsert"]) == ("two", "true")


def test_examples_become_cases(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["eval", "fetch", "x.jsonl", "--clones", "origin", "--out", "c.jsonl"]) == 1
    assert "failed: x-3: it_test.go holds 2 examples, not 3" in capfd.readouterr().err
    one, two = map(json.loads, Path("c.jsonl").read_text().splitlines())
    assert (one["path"], two["path"]) == ("file.yaml", "file.go")
    assert one["update"] == "Type: replace\n\n```yaml\n\n    // ... existing code ...\n    name: d\n```\n"
    assert two["update"].startswith("Type: add\n\n```go\nfunc main() {\n")
    assert two["expected"] == "func main() {\n  run()\n}"
    out, _ = done(capfd, "eval", "run", "--cases", "c.jsonl", "--systems", "merge", "--out", "r.jsonl")
    assert "| merge | 2 |" in out


def test_a_bad_manifest_is_named(folder: Path) -> None:
    Path("x.jsonl").write_text('{"number": "1"}\n')
    with pytest.raises(RedraftError, match=r"x\.jsonl:1: not an example: its keys have to be exactly id, repository"):
        read_borrowed(Path("x.jsonl"))


def test_the_suite_of_plandex_has_22_cases() -> None:
    found = read_borrowed(MANIFESTS["plandex-22"])
    assert [one.number for one in found] == list(range(1, 23))
    assert {one.license for one in found} == {"MIT"}
    assert len({(one.repository, one.blob) for one in found}) == 1
