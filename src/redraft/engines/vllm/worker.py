"""In: the drafts of a step, as the scheduler chose them. Out: the same, where vLLM's model runner reads them.

`--worker-cls redraft.engines.vllm.worker.EditWorker`. The second model runner verifies what it holds itself, and takes
from the scheduler only how many that are; the first one takes the drafts, and needs none of this.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch.nn.utils.rnn import pad_sequence
from vllm.platforms import current_platform
from vllm.v1.core.sched.output import SchedulerOutput
from vllm.v1.worker.gpu.spec_decode.ngram.speculator import NgramGPUSpeculator

if current_platform.is_cpu():
    from vllm.v1.worker.cpu_worker import CPUWorker as Worker
else:
    from vllm.v1.worker.gpu_worker import Worker


class SilentSpeculator(NgramGPUSpeculator):  # type: ignore[misc]  # the type checker does not see vLLM
    """Does not look for drafts: what it would find is overwritten."""

    def propose(self, input_batch: Any, *args: Any, **kwargs: Any) -> Any:
        """Ids of shape [requests, drafted], which nobody reads."""
        return self.drafts[: input_batch.num_reqs]


class EditWorker(Worker):  # type: ignore[misc]
    """vLLM's worker, whose runner verifies what the scheduler drafted."""

    def init_device(self) -> None:
        super().init_device()
        if self.use_v2_model_runner:
            runner = self.model_runner
            runner.speculator = SilentSpeculator(self.vllm_config, self.device, runner.req_states)

    def execute_model(self, scheduler_output: SchedulerOutput) -> Any:
        drafts = scheduler_output.scheduled_spec_decode_tokens
        if drafts and self.use_v2_model_runner:
            put(self.model_runner.req_states, drafts)
        return super().execute_model(scheduler_output)


def put(states: Any, drafts: Mapping[str, Sequence[int]]) -> None:
    """Writes the ids of each request, by its name, into its row of `states.draft_tokens`."""
    held = states.draft_tokens
    rows = torch.tensor([states.req_id_to_index[name] for name in drafts], device=held.device)
    ids = pad_sequence([torch.tensor(ids, dtype=held.dtype) for ids in drafts.values()], batch_first=True)
    held[rows, : ids.shape[1]] = ids.to(held.device)
