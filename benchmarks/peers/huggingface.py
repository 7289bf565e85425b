"""In: jobs of `worker`. Out: what transformers' `generate` writes, greedily and with prompt lookup.

A way is `plain` or `lookup-N-K`: drafts of N tokens where up to K tokens repeat. Weights in bfloat16.
"""

from collections.abc import Sequence

from worker import Generate, serve


def load(model: str, threads: int, way: str) -> Generate:
    import torch
    from transformers import AutoModelForCausalLM

    torch.set_num_threads(threads)
    if model not in _MODELS:
        _MODELS[model] = AutoModelForCausalLM.from_pretrained(model, dtype=torch.bfloat16).eval()
    lookup = {}
    if way != "plain":
        _, tokens, longest = way.split("-")
        lookup = {"prompt_lookup_num_tokens": int(tokens), "max_matching_ngram_size": int(longest)}

    @torch.inference_mode()
    def generate(ids: Sequence[int], end: int, most: int) -> Sequence[int]:
        batch = torch.tensor([ids])
        found = _MODELS[model].generate(
            batch,
            attention_mask=torch.ones_like(batch),
            do_sample=False,
            max_new_tokens=most,
            eos_token_id=end,
            pad_token_id=end,
            **lookup,
        )
        return found[0, len(ids) :].tolist()

    return generate


_MODELS = {}  # type: ignore[var-annotated]

if __name__ == "__main__":
    serve(load, ("transformers", "torch"))
