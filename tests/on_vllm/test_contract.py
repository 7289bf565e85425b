"""In: the vLLM that is installed. Out: whether what redraft's plugin touches of it is as the plugin expects."""

import dataclasses
import inspect
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("vllm", reason="needs vLLM: make vllm")

from redraft.engines.vllm import MOST_DRAFTED
from redraft.engines.vllm.launch import VERSIONS, WORKER, arguments
from redraft.engines.vllm.scheduler import check
from redraft.errors import RedraftError

pytestmark = pytest.mark.vllm

# What is called or overridden: the parameters that the plugin relies on, in this order.
SIGNATURES = {
    "vllm.v1.core.sched.scheduler:Scheduler.__init__": ["self", "vllm_config"],
    "vllm.v1.core.sched.scheduler:Scheduler.add_request": ["self", "request"],
    "vllm.v1.core.sched.scheduler:Scheduler.update_draft_token_ids": ["self", "draft_token_ids"],
    "vllm.v1.engine.async_llm:AsyncLLM.generate": ["self", "prompt", "sampling_params", "request_id"],
    "vllm.v1.engine.async_llm:AsyncLLM.get_tokenizer": ["self"],
    "vllm.config:ModelConfig.get_vocab_size": ["self"],
    "vllm.v1.worker.gpu_model_runner:GPUModelRunner.take_draft_token_ids": ["self"],
    "vllm.v1.worker.gpu.model_runner:GPUModelRunner.take_draft_token_ids": ["self"],
    "vllm.v1.worker.gpu.spec_decode.ngram.speculator:NgramGPUSpeculator.__init__": [
        "self",
        "vllm_config",
        "device",
        "req_states",
    ],
    "vllm.v1.worker.gpu.spec_decode.ngram.speculator:NgramGPUSpeculator.propose": ["self", "input_batch"],
    "vllm.v1.worker.gpu_worker:Worker.init_device": ["self"],
    "vllm.v1.worker.gpu_worker:Worker.execute_model": ["self", "scheduler_output"],
    "vllm.entrypoints.cli.serve:ServeSubcommand.cmd": ["args"],
    "vllm.entrypoints.cli.serve:ServeSubcommand.validate": ["self", "args"],
    "vllm.entrypoints.serve.utils.api_utils:cli_env_setup": [],
    "vllm.logger:configure_logging_from_args": ["args"],
}
# Attributes that are read from what these functions set or spell.
SPELLED = {
    "vllm.v1.core.sched.scheduler:Scheduler.__init__": ["self.requests", "self.max_model_len", "self.num_spec_tokens"],
    "vllm.v1.request:Request.__init__": [
        "self.request_id",
        "self.sampling_params",
        "self.prompt_token_ids",
        "self.output_token_ids",
        "self.is_prefill_chunk",
        "self.max_tokens",
        "self.resumable",
        "self.spec_decode_metrics",
    ],
    "vllm.v1.engine.core:EngineCore.post_step": ["take_draft_token_ids()", "update_draft_token_ids(draft_token_ids)"],
    "vllm.v1.worker.gpu_model_runner:GPUModelRunner.propose_draft_token_ids": ['"ngram"', "drafter"],
    "vllm.v1.worker.gpu.model_runner:GPUModelRunner.__init__": ["self.req_states", "self.speculator"],
    "vllm.v1.worker.gpu.spec_decode.ngram.speculator:NgramGPUSpeculator.__init__": ["self.drafts"],
    "vllm.v1.worker.gpu.states:RequestState.__init__": ["self.req_id_to_index", "self.draft_tokens"],
    "vllm.v1.worker.gpu_worker:Worker.__init__": ["self.use_v2_model_runner"],
    "vllm.v1.metrics.stats:RequestSpecDecodeMetrics.to_dict": ["num_accepted_draft_tokens"],
    "vllm.entrypoints.openai.completion.protocol:CompletionRequest.to_sampling_params": ["vllm_xargs", "extra_args"],
    "vllm.entrypoints.openai.chat_completion.protocol:ChatCompletionRequest.to_sampling_params": [
        "vllm_xargs",
        "extra_args",
    ],
}


def _found(name: str) -> Any:
    module, _, path = name.partition(":")
    found: Any = import_module(module)
    for part in path.split("."):
        found = getattr(found, part, None)
        assert found is not None, f"vLLM {_version()} has no {name}: redraft's plugin has to be adapted"
    return found


def _version() -> str:
    import vllm

    return str(vllm.__version__)


def test_the_version_is_one_of_those_that_the_plugin_is_made_for() -> None:
    assert _version().startswith(tuple(f"{known}." for known in VERSIONS)), f"add {_version()} to launch.VERSIONS"


@pytest.mark.parametrize("name", SIGNATURES)
def test_a_signature_is_as_expected(name: str) -> None:
    parameters = list(inspect.signature(_found(name)).parameters)
    expected = SIGNATURES[name]
    assert parameters[: len(expected)] == expected, f"{name} of vLLM {_version()} takes {parameters}, not {expected}"


@pytest.mark.parametrize("name", SPELLED)
def test_what_is_read_is_still_there(name: str) -> None:
    source = inspect.getsource(_found(name))
    missing = [word for word in SPELLED[name] if word not in source]
    assert not missing, f"{name} of vLLM {_version()} no longer has {', '.join(missing)}"


def test_drafts_are_two_lists() -> None:
    fields = [field.name for field in dataclasses.fields(_found("vllm.v1.outputs:DraftTokenIds"))]
    assert fields == ["req_ids", "draft_token_ids"]


def test_the_most_that_is_drafted_is_the_most_that_is_verified() -> None:
    assert _found("vllm.v1.sample.rejection_sampler:MAX_SPEC_LEN") == MOST_DRAFTED


def test_the_server_takes_our_arguments() -> None:
    from vllm.entrypoints.cli.serve import ServeSubcommand
    from vllm.utils.argparse_utils import FlexibleArgumentParser

    parser = FlexibleArgumentParser()
    ServeSubcommand().subparser_init(parser.add_subparsers(dest="command"))
    parsed = parser.parse_args(arguments("folder", "name", ["--tensor-parallel-size", "2"]))
    assert len(parsed.middleware) == 2
    assert parsed.tensor_parallel_size == 2
    assert parsed.per_request_spec_decode_metrics == "summary"


@pytest.mark.parametrize(
    ("speculative", "parallel", "worker", "message"),
    [
        (None, 1, WORKER, "--speculative-config"),
        (SimpleNamespace(method="suffix"), 1, WORKER, "--speculative-config"),
        (SimpleNamespace(method="ngram", num_speculative_tokens=129), 1, WORKER, "1 to 128"),
        (SimpleNamespace(method="ngram", num_speculative_tokens=128), 2, WORKER, "pipeline"),
        (SimpleNamespace(method="ngram", num_speculative_tokens=128), 1, "auto", "--worker-cls"),
    ],
)
def test_what_cannot_be_drafted_under_is_refused(speculative: Any, parallel: int, worker: str, message: str) -> None:
    config = SimpleNamespace(
        speculative_config=speculative,
        parallel_config=SimpleNamespace(pipeline_parallel_size=parallel, worker_cls=worker),
        use_v2_model_runner=True,
    )
    with pytest.raises(RedraftError, match=message):
        check(config)
