"""In: the environment. Out: the folder where what is fetched or computed once is kept."""

import os
from pathlib import Path


def home() -> Path:
    """REDRAFT_HOME, without it `redraft` in the user's cache folder."""
    if chosen := os.environ.get("REDRAFT_HOME"):
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "redraft"
