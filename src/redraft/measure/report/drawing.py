"""In: what is drawn. Out: figures and axes as all pictures of measurements have them, and their PNG files."""

from pathlib import Path
from typing import Any, Literal

from redraft.errors import RedraftError

# Okabe and Ito's colours, without yellow, which is too pale for thin lines. With eight markers they give 56 looks.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#555555")
MARKERS = "osD^vPX*"
INK, GREY, BAND = "#555555", "#999999", "#f2f2f2"
WIDTH, DPI = 9.0, 200


def new_figure(**options: Any) -> Any:
    """A figure that no screen shows; raises RedraftError without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise RedraftError("the picture needs matplotlib: pip install 'redraft[plot]'") from error
    return Figure(**options)


def save_figure(figure: Any, path: Path, dpi: int = DPI) -> None:
    """Raises RedraftError where the file cannot be written."""
    try:
        figure.savefig(path, dpi=dpi, format="png")
    except OSError as error:
        raise RedraftError(f"cannot write {path}: {error.strerror}") from error


def new(height: float) -> Any:
    return new_figure(figsize=(WIDTH, height), dpi=DPI, layout="constrained")


def plain(axes: Any) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=9)
    axes.set_axisbelow(True)


def logarithmic(axes: Any, name: Literal["x", "y"]) -> None:
    """With plain numbers: of each decade, or with 2 and 5 between where there are few."""
    from matplotlib.ticker import LogLocator

    axes.set(**{f"{name}scale": "log"})
    axis = getattr(axes, f"{name}axis")
    low, high = axis.get_view_interval()
    axis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 1000 * low else (1,)))
    axis.set_major_formatter(lambda value, _: f"{value:,.10g}")
    axis.set_minor_formatter("")
