"""In: file contents, commit by commit. Out: a small git repository for tests."""

import os
import subprocess
from pathlib import Path

_IDENTITY = {
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.com",
    "GIT_AUTHOR_DATE": "2020-01-01T00:00:00Z",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.com",
    "GIT_COMMITTER_DATE": "2020-01-01T00:00:00Z",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


class Repository:
    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True)
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *arguments: str) -> str:
        command = ["git", "-C", str(self.path), *arguments]
        environment = {**os.environ, **_IDENTITY}
        return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout.strip()

    def commit(self, files: dict[str, str | bytes]) -> str:
        """Write the files and commit them; returns the commit's hash."""
        for name, content in files.items():
            target = self.path / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content if isinstance(content, bytes) else content.encode())
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "change")
        return self.git("rev-parse", "HEAD")


def program(lines: int, changed: int = -1) -> str:
    """A Python file of that many lines, one of which is another than usual."""
    body = (f"value_{n} = compute({n * n})" if n != changed else f"value_{n} = other({n})" for n in range(lines))
    return "".join(line + "\n" for line in body)
