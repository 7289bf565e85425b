"""In: a file's path. Out: the name of the grammar that reads it, and trees."""

import re
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import PurePosixPath
from typing import Any

PROSE = frozenset(("markdown",))  # in which an asterisk begins an item of a list, and a hash a heading
_ENDINGS = {
    "astro": "astro",
    "bash": "sh bash zsh ksh bats envrc",
    "c": "c",
    "clojure": "clj cljs cljc edn bb",
    "cmake": "cmake",
    "cpp": "cc cpp cxx c++ hpp hh hxx h++ h ipp inl tpp cu cuh ino",
    "csharp": "cs csx",
    "css": "css pcss postcss",
    "dart": "dart",
    "dockerfile": "dockerfile containerfile",
    "elixir": "ex exs",
    "elm": "elm",
    "erlang": "erl hrl escript",
    "fish": "fish",
    "fsharp": "fs fsx",
    "gdscript": "gd",
    "gleam": "gleam",
    "go": "go",
    "graphql": "graphql gql graphqls",
    "haskell": "hs",
    "hcl": "hcl tf tfvars nomad",
    "html": "html htm xhtml hbs handlebars mustache njk jinja jinja2 j2 liquid ejs erb heex eex leex cshtml twig",
    "ini": "ini cfg conf editorconfig desktop service properties env",
    "java": "java",
    "javascript": "js mjs cjs jsx es6",
    "json": "json jsonc json5 geojson webmanifest ipynb jsonl ndjson code-workspace har",
    "julia": "jl",
    "kotlin": "kt kts",
    "lua": "lua rockspec",
    "luau": "luau",
    "make": "mk mak make",
    "markdown": "md markdown mdx rmd qmd",
    "nim": "nim nims nimble",
    "nix": "nix",
    "objc": "m mm",
    "ocaml": "ml",
    "ocaml_interface": "mli",
    "perl": "pl pm t",
    "php": "php phtml inc php5",
    "powershell": "ps1 psm1 psd1",
    "prisma": "prisma",
    "proto": "proto",
    "python": "py pyi pyw pyx",
    "r": "r",
    "ruby": "rb rake gemspec ru podspec jbuilder thor",
    "rust": "rs",
    "scala": "scala sc sbt",
    "scss": "scss less sass",
    "solidity": "sol",
    "sql": "sql ddl psql pgsql mysql",
    "starlark": "bzl bazel star",
    "svelte": "svelte",
    "swift": "swift",
    "toml": "toml",
    "tsx": "tsx",
    "typescript": "ts mts cts",
    "vim": "vim",
    "vue": "vue",
    "xml": "xml xsd xsl xslt svg csproj fsproj vbproj props targets xaml resx plist nuspec config pom storyboard xib",
    "yaml": "yml yaml",
    "zig": "zig zon",
}
_NAMES = {
    "bash": ".bashrc .bash_profile .profile .zshrc .zshenv pkgbuild",
    "cmake": "cmakelists.txt",
    "dockerfile": "dockerfile containerfile",
    "ini": ".editorconfig .gitconfig .npmrc .env .flake8 .pylintrc .coveragerc",
    "json": ".babelrc .eslintrc .prettierrc .swcrc composer.lock pipfile.lock flake.lock",
    "make": "makefile gnumakefile kbuild",
    "ruby": "gemfile rakefile podfile vagrantfile brewfile fastfile guardfile capfile appraisals dangerfile",
    "starlark": "build workspace build.bazel module.bazel tiltfile",
    "toml": "pipfile cargo.lock poetry.lock uv.lock",
    "yaml": ".clang-format .clang-tidy .yamllint .gemrc",
}
_ENDING = {ending: name for name, endings in _ENDINGS.items() for ending in endings.split()}
_NAME = {file: name for name, files in _NAMES.items() for file in files.split()}
_PREFIXES = ("dockerfile", "containerfile", "makefile")  # of names such as Dockerfile.dev
_TEMPLATE_ENDINGS = ("in", "tmpl", "tpl", "template", "dist", "example", "sample", "orig", "bak")
_CALLED = {"c#": "csharp", "golang": "go", "makefile": "make", "python3": "python", "shell": "bash", "terraform": "hcl"}
_IS_INSTALLED = find_spec("tree_sitter_language_pack") is not None


@cache
def grammar(path: str) -> str:
    """The name of the grammar that reads a file, "" where there is none."""
    file = re.split(r"[/\\]", path)[-1].lower()
    if file in _NAME:
        return _NAME[file]
    ending = file.rpartition(".")[2] if "." in file else ""
    if ending in _TEMPLATE_ENDINGS and "." in file:
        return grammar(PurePosixPath(file).stem)
    first = file.split(".")[0]
    return _ENDING.get(ending) or (_NAME[first] if first in _PREFIXES else "")


def ending(language: str) -> str:
    """What the files of a language end in, "" where no grammar reads it; an ending of theirs is a name for it, too."""
    name = _CALLED.get(language, language)
    return _ENDINGS.get(name, _ENDINGS[_ENDING[name]] if name in _ENDING else "").partition(" ")[0]


def parse(source: bytes, name: str, ranges: tuple[Any, ...] = ()) -> Any:
    """The root node of the tree of a source, or of these ranges of it; None without the grammar."""
    if not name or not _IS_INSTALLED or len(source) > _LARGEST or (name in _LIMITS and _LIMITS[name](source)):
        return None
    parser = _parser(name)
    parser.included_ranges = list(ranges)
    return parser.parse(_BATS.sub(_as_function, source) if name == "bash" else source).root_node


def _as_function(test: re.Match[bytes]) -> bytes:
    """The head of a test of Bats as that of a function, byte by byte in the same place."""
    return test[1] + b"_" * (test.end() - test.end(1) - 3) + b"(){"


def _indents_deeply(source: bytes) -> bool:
    """Whether lines, or items of one line, are indented so often that the scanner of YAML would crash."""
    around: list[int] = []
    for line in source.split(b"\n"):
        if line.strip():
            width = len(line) - len(line.lstrip(b" -?"))
            opened = [column for column in range(width) if line[column] in b"-?"] + [width]
            while around and around[-1] >= opened[0]:
                around.pop()
            around += opened
            if len(around) > _DEEPEST:
                return True
    return False


def _nests_deeply(source: bytes) -> bool:
    """Whether a line begins with so many quotes and items that the scanner of Markdown would write beyond its state."""
    return any(_openers(line.expandtabs(_TAB)) > _DEEPEST for line in source.split(b"\n"))


def _openers(line: bytes) -> int:
    """At most so many quotes and items of lists are open at a line: each takes a sign, or two columns of it."""
    begin = _BEGINNING.match(line)
    return begin[0].count(b" ") // 2 + len(_OPENER.findall(begin[0])) if begin else 0


def _has_many_documents(source: bytes) -> bool:
    """Whether a script has so many here-documents that its scanner would take minutes."""
    return source.count(b"<<") > _DEEPEST


def _opens_often(source: bytes) -> bool:
    """Whether so many braces stay open that the scanner of Svelte would take minutes."""
    return source.count(b"{") - source.count(b"}") > _DEEPEST


_LARGEST = 4_000_000  # bytes; a tree takes a hundred times the memory
_DEEPEST = 200  # levels: far above what is written, far below what hurts
_TAB = 4  # columns
_BATS = re.compile(rb"^([ \t]*)@test [\"'].*[\"'] \{(?=[ \t]*$)", re.MULTILINE)
_BEGINNING = re.compile(rb"(?:[ >]|[-+*](?= )|\d{1,9}[.)](?= ))+")
_OPENER = re.compile(rb"[>+*-]|\d+")
_LIMITS = {"yaml": _indents_deeply, "markdown": _nests_deeply, "svelte": _opens_often, "bash": _has_many_documents}


@cache
def _parser(name: str) -> Any:
    import tree_sitter_language_pack as languages

    load: Callable[[Any], Any] = languages.get_parser
    return load(name)
