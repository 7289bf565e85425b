"""In: work between two calls. Out: the most memory that this process held meanwhile, on the processor and on a GPU."""

from contextlib import suppress
from pathlib import Path

_STATUS, _CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")
_MIB = 1 << 20


def reset_peak(device: str) -> None:
    """From now on; where the system cannot forget a peak, it is that of the process so far."""
    with suppress(OSError):
        _CLEAR.write_text("5")
    if device.startswith("cuda"):
        import torch

        torch.cuda.reset_peak_memory_stats(device)


def peak(device: str) -> float | None:
    """MiB: of the GPU where the model runs there, else resident; None where nothing says."""
    if device.startswith("cuda"):
        import torch

        return float(torch.cuda.max_memory_allocated(device)) / _MIB
    lines = _STATUS.read_text().splitlines() if _STATUS.is_file() else []
    return next((float(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:")), None)
