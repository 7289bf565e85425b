"""In: a model folder, then prompts. Out: chunks of its model, by numpy alone: what `redraft[local]` installs."""

from pathlib import Path

from redraft.draft.length import Cost
from redraft.engines.folder import open_folder, template_of
from redraft.engines.numpy_model import NumpyModel
from redraft.engines.own import OwnEngine
from redraft.engines.sizes import reads
from redraft.engines.tokens import folder_tokens
from redraft.errors import MissingError, RedraftError

# Only the ratio counts: what one more id in a forward costs, in forwards of one id, each of which widens all weights.
_COST = Cost(1.0, 0.04)


class NumpyEngine(OwnEngine):
    """The model in a folder, in float32 on the processor, whatever its weights are kept in.

    Raises RedraftError for one that is not plainly of the Llama, Qwen2 or Qwen3 family in safetensors, and MissingError
    for another dtype or device.
    """

    dtype, device = "float32", "cpu"

    def __init__(self, path: str, dtype: str | None = None, device: str | None = None) -> None:
        if (dtype or self.dtype, device or self.device) != (self.dtype, self.device):
            asked = " ".join(filter(None, (dtype, device)))
            raise MissingError(f"{asked} needs torch: pip install 'redraft[model]'")
        folder = open_folder(Path(path))
        if not reads(folder):
            raise RedraftError(f"{path} is not plainly a Llama, Qwen2 or Qwen3 model: hf:{path} runs it, with torch")
        tokens = folder_tokens(folder)
        super().__init__(NumpyModel(folder), tokens, template_of(path, tokens.has_chat, folder), _COST)
