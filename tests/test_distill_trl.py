"""The recipe for TRL: its loss is that of the lean run."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from transformers import AutoModelForCausalLM

from redraft.train.distill import DistilledRun
from redraft.train.packed import Sequenced
from redraft.train.run import Course
from test_distillation import guess, packed, student, teacher

pytest.importorskip("trl")
__all__ = ("packed", "student", "teacher")


@pytest.mark.slow
def test_its_loss_is_that_of_the_lean_run(student: Path, packed: Path, tmp_path: Path) -> None:
    from distill_trl import Batches, Distiller

    run = DistilledRun(student, packed, Course(tokens=100, rank=4), tmp_path / "run", weight=0.4, temperature=2.0)
    run.net.float()
    run.validate([])  # joins
    samples: list[Sequenced] = run.training[:3]
    samples[1] = replace(samples[1], id="shorter", ids=samples[1].ids[:-2])
    run.known = {one.id: guess(len(one) - one.start, run.net.embedding.num_embeddings, 5) for one in samples}
    labels = [[*[-100] * one.start, *one.ids[one.start :]] for one in samples]
    rows = [{"number": n, "input_ids": list(one.ids), "labels": labels[n]} for n, one in enumerate(samples)]
    batch = Batches(samples, dict(run.known), 2.0)(rows)
    trainer = Distiller.__new__(Distiller)  # its model and data do not matter
    trainer.weight, trainer.temperature = run.weight, run.temperature
    model = AutoModelForCausalLM.from_pretrained(student, dtype=torch.float32)
    with torch.no_grad():
        found = trainer.compute_loss(model, batch)
        wanted, _ = run.losses(samples)
    assert float(found) == pytest.approx(float(wanted.mean()), rel=1e-3)
