"""In: a GGUF file, then prompts. Out: chunks from llama.cpp, by the same loop as every engine of ours.

Source: llama-cpp-python, its low-level batch API: its own `draft_model` computes logits for the whole prompt.
"""

from pathlib import Path

from redraft.draft.length import Cost
from redraft.engines.llamacpp_model import LlamaCppModel
from redraft.engines.llamacpp_tokens import LlamaCppTokens
from redraft.engines.own import OwnEngine

# In the file's metadata: which template the model was trained with.
TEMPLATE_KEY = "redraft.template"
# Only the ratio counts: what one more id in a forward costs, in forwards of one id; an estimate for 135 M parameters.
COST = Cost(1.0, 0.04)


class LlamaCppEngine(OwnEngine):
    """The model in a GGUF file; `threads` is by default as many as there are processors for this process.

    Raises RedraftError for what is no GGUF file, or a model whose state cannot be rolled back.
    """

    def __init__(self, path: str, threads: int | None = None) -> None:
        model = LlamaCppModel(Path(path), threads)
        tokens = LlamaCppTokens(model)
        template = model.said(TEMPLATE_KEY) or ("chat" if tokens.has_chat else "fenced")
        super().__init__(model, tokens, template, COST)
