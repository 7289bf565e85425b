"""In: the requests of a vLLM engine, step by step. Out: drafts for those that brought a prediction.

`--scheduler-cls redraft.engines.vllm.scheduler.EditScheduler`, with `EditWorker` as the worker. The scheduler stands
where one process sees every request, with its parameters and its whole output, whatever the number of workers; what it
drafts, the workers verify.
"""

from typing import Any
from weakref import WeakKeyDictionary

from vllm import __version__
from vllm.config import VllmConfig
from vllm.v1.core.sched.scheduler import Scheduler
from vllm.v1.outputs import DraftTokenIds
from vllm.v1.request import Request

from redraft.engines.cost import cost_of
from redraft.engines.vllm import MOST_DRAFTED
from redraft.engines.vllm.drafts import RequestDrafts, prediction_of
from redraft.engines.vllm.launch import WORKER, check_version
from redraft.errors import RedraftError


class EditScheduler(Scheduler):  # type: ignore[misc]  # the type checker does not see vLLM
    """vLLM's scheduler, which drafts by the prediction of each request; a request without one is left alone."""

    def __init__(self, vllm_config: VllmConfig, *args: Any, **kwargs: Any) -> None:
        """Raises RedraftError for a configuration under which a draft would not meet the step that it is made for.

        And for a version of vLLM that this plugin was not made for.
        """
        check_version(__version__)
        check(vllm_config)
        super().__init__(vllm_config, *args, **kwargs)
        # Held by the request: when vLLM lets go of it, however it ended, its drafts go too.
        self._drafts: WeakKeyDictionary[Request, RequestDrafts] = WeakKeyDictionary()
        self._vocabulary = vllm_config.model_config.get_vocab_size()
        dtype = str(vllm_config.model_config.dtype).removeprefix("torch.")
        self._cost = cost_of(vllm_config.device_config.device_type, dtype)

    def add_request(self, request: Request) -> None:
        super().add_request(request)
        params = request.sampling_params
        prediction = prediction_of(params and params.extra_args, self._vocabulary)
        if prediction and not request.resumable:
            self._drafts[request] = RequestDrafts(prediction, request.prompt_token_ids or (), self._cost)
        else:
            # Otherwise every answer would carry a histogram of zeros.
            request.spec_decode_metrics = None

    def update_draft_token_ids(self, draft_token_ids: DraftTokenIds) -> None:
        """What the workers drafted is replaced: near the context's end it is not empty but zeros."""
        rows = [self._draft(request_id) for request_id in draft_token_ids.req_ids]
        super().update_draft_token_ids(DraftTokenIds(draft_token_ids.req_ids, rows))

    def _draft(self, request_id: str) -> list[int]:
        request = self.requests.get(request_id)
        drafts = self._drafts.get(request) if request else None
        if request is None or drafts is None or request.is_finished() or request.is_prefill_chunk:
            return []
        # The model's own token comes on top of what is accepted.
        room = min(self.max_model_len - request.num_tokens, request.max_tokens - request.num_output_tokens) - 1
        return drafts.next(request.output_token_ids, min(room, self.num_spec_tokens))


def check(config: VllmConfig) -> None:
    """Raises RedraftError for what the scheduler cannot draft under."""
    speculative = config.speculative_config
    if speculative is None or speculative.method != "ngram":
        raise RedraftError("redraft's scheduler needs --speculative-config, as `redraft serve` passes it")
    if not 0 < speculative.num_speculative_tokens <= MOST_DRAFTED:
        raise RedraftError(f"num_speculative_tokens has to be 1 to {MOST_DRAFTED}: vLLM verifies no more in a step")
    if config.parallel_config.pipeline_parallel_size > 1:
        raise RedraftError("redraft's scheduler does not draft under pipeline parallelism: use tensor parallelism")
    if config.use_v2_model_runner and config.parallel_config.worker_cls != WORKER:
        raise RedraftError(f"vLLM's second model runner takes drafts with --worker-cls {WORKER} only")
