"""Peers run in processes of their own on redraft's prompts; their records become a table and a picture."""

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from peer_records import PeerRecord, best_ways, read_peers
from race import Race, draw, table

from bench_records import RECORD, edit
from redraft.errors import RedraftError
from redraft.measure.speed.record import read_records
from tiny_models import save

WORKER = Path(__file__).parent.parent / "benchmarks" / "peers"
RUN = replace(RECORD, vanilla_seconds=20.0, speed_up=10.0, equal_to_vanilla=True)
PEER = PeerRecord(
    "a", "llamacpp", "plain", 30, "up to 100", 8.0, 50, 600.0, None, True, None, 0, False, 2, "a processor", "",
    "run.py",    {"llama-cpp-python": "1"}, 0.5,
)  # fmt: skip


def test_the_fastest_way_of_each_kind_is_chosen() -> None:
    ways = {"plain": 9.0, "lookup-10-2": 4.0, "lookup-20-3": 3.0, "own-10-2": 5.0}
    tried = [replace(PEER, way=way, seconds=seconds, is_tuning=True) for way, seconds in ways.items()]
    later = replace(PEER, way="lookup-10-2", seconds=0.1)
    broken = replace(PEER, way="own-9-9", seconds=0.0, error="no", is_tuning=True)
    assert best_ways([*tried, later, broken]) == {"llamacpp": ["plain", "lookup-20-3", "own-10-2"]}


def test_a_table_compares_on_the_edits_that_both_have() -> None:
    other = replace(RUN, id="b", seconds=1.0, chars_per_second=900.0, equal_to_vanilla=False)
    lookup = replace(PEER, way="lookup-10-2", seconds=4.0, equal_to_plain=True, equal_to_redraft=False)
    vllm = replace(PEER, peer="vllm", error="not installed")
    ours, vanilla, *peers = [
        row for row in table([RUN, other], [PEER, lookup, vllm, replace(PEER, id="c")]).split("\n") if "| all |" in row
    ]
    assert ours == "| all | redraft | 2 | 600 | 38 | 1.50 | - | 1 of 2 | - |  |"
    assert vanilla == "| all | redraft without drafts | 2 | 38 | 2 | 20.00 | 15.0x | - | - |  |"
    assert peers == [
        "| all | llama.cpp, plain | 1 | 75 | 6 | 8.00 | 4.0x | - | 1 of 1 |  |",
        "| all | llama.cpp, lookup-10-2 | 1 | 150 | 12 | 4.00 | 2.0x | 1 of 1 | 0 of 1 |  |",
        "| all | vLLM, plain | 0 | - | - | - | - | - | - | not installed |",
    ]


def test_records_of_peers_are_read_and_drawn(tmp_path: Path) -> None:
    source = tmp_path / "p.jsonl"
    source.write_text(json.dumps(asdict(PEER)) + "\n")
    assert read_peers(source) == [PEER]
    draw([Race("a model", [RUN], [PEER]), Race("another", [RUN], [])], tmp_path / "peers.png")
    assert (tmp_path / "peers.png").read_bytes().startswith(b"\x89PNG")
    source.write_text("{}")
    with pytest.raises(RedraftError, match=r"p\.jsonl:1: not a record of a peer"):
        read_peers(source)
    with pytest.raises(RedraftError, match="there is no record with a run token by token to draw"):
        draw([Race("a model", [RECORD], [])], tmp_path / "peers.png")


ECHO = """
from worker import serve

def load(model, threads, way):
    def generate(ids, end, most):
        print("what libraries say does not get between the answers")
        return 1 / 0 if way == "fails" else [*ids, end][:most]
    return generate

serve(load, ())
"""


def jobs(folder: Path, rows: Sequence[dict[str, object]]) -> list[dict[str, object]]:
    shutil.copy(WORKER / "worker.py", folder)
    (folder / "echo.py").write_text(ECHO)
    said = "".join(json.dumps(row) + "\n" for row in rows)
    command = [sys.executable, folder / "echo.py", "MODEL", "1", "echo,fails"]
    out = subprocess.run(command, input=said, capture_output=True, text=True, check=True).stdout
    return [json.loads(line) for line in out.splitlines()]


def test_a_worker_answers_each_job_and_a_failure_is_an_answer(tmp_path: Path) -> None:
    job = {"way": "echo", "ids": [5, 6], "end": 2, "most": 9}
    started, first, failed, last = jobs(tmp_path, [job, job | {"way": "fails"}, job | {"most": 1}])
    assert started == {"versions": {}, "ways": ["echo", "fails"]}
    assert (first["ids"], last["ids"]) == ([5, 6, 2], [5])
    assert failed == {"error": "ZeroDivisionError: division by zero"}


def test_every_case_is_run_by_all_in_turns_and_only_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(WORKER / "worker.py", tmp_path)
    Path("echo.py").write_text(ECHO)
    said = f'script = "echo.py"\nmodel = "M"\nways = ["plain", "echo"]\npython = "{sys.executable}"\n'
    Path("peers.toml").write_text(f"[works]\n{said}\n[gone]\n{said.replace(sys.executable, 'no-python')}alone = true\n")
    Path("cases.jsonl").write_text("".join(json.dumps({"id": str(n), **edit(9, 4)}) + "\n" for n in range(3)))
    command = [sys.executable, str(WORKER / "run.py"), "cases.jsonl", "out", "--peers", "peers.toml", "--tune", "1"]
    command += ["--threads", "1", "--model", str(save("llama", tmp_path / "model"))]
    for limit in ("1", "2"):
        subprocess.run([*command, "--limit", limit], check=True, capture_output=True)
    (first, second), peers = read_records(Path("out/redraft.jsonl")), read_peers(Path("out/peers.jsonl"))
    assert (first.id, second.id) == ("1", "2")
    assert min(first.speed_up, second.limit_ratio) > 0
    ways = [(peer.id, peer.peer, peer.way) for peer in peers]
    assert len(set(ways)) == len(ways) == 3 * 4 - 2
    assert {peer.id for peer in peers if peer.is_tuning} == {"0"}
    assert {peer.error.partition(":")[0] for peer in peers if peer.peer == "gone"} == {
        "it is not installed, or does not start"
    }
    plain, echo = (next(peer for peer in peers if peer.way == way and not peer.error) for way in ("plain", "echo"))
    assert (plain.equal_to_plain, echo.equal_to_plain, echo.equal_to_redraft) == (None, True, False)
