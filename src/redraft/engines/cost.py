"""In: a device and a dtype. Out: what one more id in a forward costs there, in forwards of one id."""

import torch

from redraft.draft.length import Cost

# Only the ratio counts; measured with the embedded model and 600 to 1,200 cached tokens, fixed figures so that the
# number of forwards does not depend on the clock. Twice or half of them changes the time of an edit by 2%.
_COST = {"cpu bfloat16": Cost(1.0, 0.06, free=8), "cpu float32": Cost(1.0, 0.06)}
_COST_WITH_AMX, _COST_OF_A_GPU = Cost(1.0, 0.015), Cost(1.0, 0.0005)


def cost_of(device: str, dtype: str) -> Cost:
    if (device, dtype) == ("cpu", "bfloat16") and torch.cpu._is_amx_tile_supported():
        return _COST_WITH_AMX
    return _COST.get(f"{device} {dtype}", _COST_OF_A_GPU)
