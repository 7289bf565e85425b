"""In: what is drawn. Out: a matplotlib figure, and its PNG file."""

from pathlib import Path
from typing import Any

from redraft.errors import RedraftError


def new_figure(**options: Any) -> Any:
    """A figure that no screen shows; raises RedraftError without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise RedraftError("the picture needs matplotlib: pip install 'redraft[plot]'") from error
    return Figure(**options)


def save_figure(figure: Any, path: Path, dpi: int) -> None:
    """Raises RedraftError where the file cannot be written."""
    try:
        figure.savefig(path, dpi=dpi, format="png")
    except OSError as error:
        raise RedraftError(f"cannot write {path}: {error.strerror}") from error
