"""In: jobs of `worker`; MODEL is a GGUF file. Out: what llama.cpp writes, greedily and with prompt lookup.

A way is `plain`, which is llama-cpp-python's own loop, `own-N-K`, its loop with its prompt lookup, or `lookup-N-K`: the
same prompt lookup in redraft's loop, as its own computes logits for the whole prompt. N tokens are drafted where K
repeat.
"""

from collections.abc import Sequence
from itertools import islice

from worker import Generate, serve

_CONTEXT = 8192


def load(model: str, threads: int, way: str) -> Generate:
    kind, *sizes = way.split("-")
    return _leanly(model, threads, *map(int, sizes)) if kind == "lookup" else _own(model, threads, *map(int, sizes))


def _own(model: str, threads: int, tokens: int = 0, longest: int = 0) -> Generate:
    from llama_cpp import Llama
    from llama_cpp.llama_speculative import LlamaPromptLookupDecoding

    draft = LlamaPromptLookupDecoding(max_ngram_size=longest, num_pred_tokens=tokens) if tokens else None
    llama = Llama(
        model,
        n_ctx=_CONTEXT,
        n_threads=threads,
        n_threads_batch=threads,
        verbose=False,
        draft_model=draft,
        logits_all=bool(draft),
    )

    def generate(ids: Sequence[int], end: int, most: int) -> Sequence[int]:
        found: list[int] = []
        for token in islice(llama.generate(list(ids), temp=0.0, repeat_penalty=1.0, reset=False), most):
            found.append(int(token))
            if token == end:
                break
        llama.reset()
        return found

    return generate


def _leanly(model: str, threads: int, tokens: int, longest: int) -> Generate:
    import numpy
    from llama_cpp.llama_speculative import LlamaPromptLookupDecoding

    from redraft.draft import Origin
    from redraft.draft.length import Fixed
    from redraft.draft.loop import speculate
    from redraft.engines.choice import Likeliest
    from redraft.engines.llamacpp import LlamaCppEngine
    from redraft.engines.verifier import ModelVerifier

    engine = LlamaCppEngine(model, threads=threads)

    class Lookup:
        def __init__(self, prompt: Sequence[int]) -> None:
            self._prompt = list(prompt)
            self._look = LlamaPromptLookupDecoding(max_ngram_size=longest, num_pred_tokens=tokens)
            self._drafted = 0

        def draft(self, output: Sequence[int], limit: int) -> list[int]:
            ids = [int(token) for token in self._look(numpy.array([*self._prompt, *output], numpy.intc))][:limit]
            self._drafted = len(ids)
            return ids

        def origins(self) -> Sequence[Origin]:
            return ["output"] * self._drafted

    def generate(ids: Sequence[int], end: int, most: int) -> Sequence[int]:
        verifier = ModelVerifier(engine.model.session(), Likeliest(), len(ids))
        forwards = speculate(verifier, list(ids), Lookup(ids), Fixed(tokens), {end}, most)
        return [token for added in forwards for token in added.ids]

    return generate


if __name__ == "__main__":
    serve(load, ("llama-cpp-python",))
