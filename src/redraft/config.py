"""In: the user's configuration, a TOML file, and the environment. Out: what is set once for all calls."""

import json
import os
import tomllib
from pathlib import Path

import platformdirs

from redraft.errors import RedraftError

KEYS = {"engine": "REDRAFT_ENGINE"}  # what can be set, and the environment variable that wins over the file


def config_path() -> Path:
    """REDRAFT_CONFIG, or `config.toml` in the folder `redraft` of the user's configuration."""
    if given := os.environ.get("REDRAFT_CONFIG"):
        return Path(given)
    return platformdirs.user_config_path("redraft", appauthor=False) / "config.toml"


def configured(key: str) -> str | None:
    """The value of a key, by the environment or else the file; raises RedraftError for a file that is none."""
    return os.environ.get(KEYS[key]) or read().get(key)


def read() -> dict[str, str]:
    """What the file sets; raises RedraftError where it cannot be read, or sets what there is not."""
    path = config_path()
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise RedraftError(f"cannot read the configuration {path}: {error}") from error
    for key, value in found.items():
        check_key(key)
        if not isinstance(value, str):
            raise RedraftError(f"{path}: {key} has to be a text in quotes")
    return found


def write(values: dict[str, str]) -> Path:
    """Writes the file with these values alone; raises RedraftError where it cannot be written."""
    path = config_path()
    text = "".join(
        f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in values.items()
    )  # a TOML string is written alike
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise RedraftError(f"cannot write the configuration {path}: {error.strerror}") from error
    return path


def check_key(key: str) -> None:
    """Raises RedraftError for a key that there is not."""
    if key not in KEYS:
        raise RedraftError(f"there is no setting {key!r}; there are {', '.join(KEYS)}")
