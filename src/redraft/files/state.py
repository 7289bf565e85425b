"""In: nothing. Out: where what redraft remembers lies, such as the journal."""

import os
from pathlib import Path

import platformdirs


def state_folder() -> Path:
    """REDRAFT_STATE, or `redraft` in the user's folder for the state of programs."""
    if given := os.environ.get("REDRAFT_STATE"):
        return Path(given)
    return platformdirs.user_state_path("redraft", appauthor=False)
