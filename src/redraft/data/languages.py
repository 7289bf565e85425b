"""In: the path of a file. Out: its language and how that language writes a comment."""

from pathlib import PurePosixPath

LANGUAGES: dict[str, str] = {
    "py": "python",
    "js": "javascript",
    "jsx": "javascript",
    "ts": "typescript",
    "tsx": "typescript",
    "go": "go",
    "rs": "rust",
    "java": "java",
    "c": "c",
    "h": "c",
    "cpp": "cpp",
    "cc": "cpp",
    "hpp": "cpp",
    "cs": "csharp",
    "rb": "ruby",
    "php": "php",
    "kt": "kotlin",
    "swift": "swift",
    "css": "css",
    "scss": "scss",
    "html": "html",
    "vue": "vue",
    "yaml": "yaml",
    "yml": "yaml",
    "toml": "toml",
    "json": "json",
    "sh": "bash",
    "sql": "sql",
    "md": "markdown",
}

HASH = ("#", "")
SLASHES = ("//", "")
TAGS = ("<!--", "-->")
_COMMENTS = {
    **dict.fromkeys(("python", "ruby", "yaml", "toml", "bash"), HASH),
    **dict.fromkeys(("html", "vue", "markdown"), TAGS),
    "css": ("/*", "*/"),
    "sql": ("--", ""),
}


def extension(path: str) -> str:
    return PurePosixPath(path).suffix.removeprefix(".").lower()


def language(path: str) -> str:
    """The language by the file's extension, "" for one that is not source."""
    return LANGUAGES.get(extension(path), "")


def comment(path: str) -> tuple[str, str]:
    """What opens and what closes a one-line comment; `//` where the language is unknown or has none."""
    return _COMMENTS.get(language(path), SLASHES)
