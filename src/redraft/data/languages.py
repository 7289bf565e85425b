"""In: the path of a file. Out: its language."""

from pathlib import PurePosixPath

LANGUAGES: dict[str, str] = {
    "py": "python",
    "pyi": "python",
    "js": "javascript",
    "jsx": "javascript",
    "mjs": "javascript",
    "cjs": "javascript",
    "ts": "typescript",
    "tsx": "typescript",
    "go": "go",
    "rs": "rust",
    "java": "java",
    "c": "c",
    "h": "c",
    "cpp": "cpp",
    "cc": "cpp",
    "cxx": "cpp",
    "hpp": "cpp",
    "cs": "csharp",
    "rb": "ruby",
    "php": "php",
    "kt": "kotlin",
    "kts": "kotlin",
    "swift": "swift",
    "scala": "scala",
    "dart": "dart",
    "ex": "elixir",
    "exs": "elixir",
    "lua": "lua",
    "css": "css",
    "scss": "scss",
    "html": "html",
    "vue": "vue",
    "svelte": "svelte",
    "xml": "xml",
    "yaml": "yaml",
    "yml": "yaml",
    "toml": "toml",
    "json": "json",
    "ini": "ini",
    "cfg": "ini",
    "tf": "hcl",
    "proto": "proto",
    "graphql": "graphql",
    "sh": "bash",
    "bash": "bash",
    "bats": "bash",
    "sql": "sql",
    "md": "markdown",
    "mk": "make",
    "dockerfile": "dockerfile",
}
NAMES: dict[str, str] = {"dockerfile": "dockerfile", "makefile": "make", "rakefile": "ruby", "gemfile": "ruby"}


def extension(path: str) -> str:
    return PurePosixPath(path).suffix.removeprefix(".").lower()


def language(path: str) -> str:
    """The language by the file's extension or name, "" for one that is not source."""
    return LANGUAGES.get(extension(path)) or NAMES.get(PurePosixPath(path).name.lower(), "")
