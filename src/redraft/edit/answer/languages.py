"""In: the language that a fence names. Out: the endings of the files in which its code may stand."""

# Only what can hardly be a slip is told apart.
_SCRIPT = ".js .jsx .mjs .cjs .ts .tsx .mts .cts .vue .svelte .astro .html .htm .php .md .mdx"
_PAGE = ".html .htm .vue .svelte .astro .php .erb .jinja .md .mdx"
SUFFIXES = {
    name: frozenset("" if suffix == "none" else suffix for suffix in suffixes.split())
    for names, suffixes in (
        ("bash sh shell zsh console", ".sh .bash .zsh .bats .yml .yaml .md none"),
        ("text plaintext txt", ".txt none"),
        ("powershell", ".ps1 .psm1"),
        ("python py", ".py .pyi .pyx .ipynb .md"),
        ("json", ".json .jsonc .ipynb .md"),
        ("javascript js jsx typescript ts tsx", _SCRIPT),
        ("html", _PAGE),
        ("css scss less", f".css .scss .sass .less {_PAGE}"),
        ("sql", ".sql .md"),
        ("xml", ".xml .csproj .props .svg .xaml .html .md"),
        ("yaml yml", ".yaml .yml .md"),
        ("toml", ".toml .md"),
        ("go golang", ".go .md"),
        ("rust rs", ".rs .md"),
        ("java", ".java .kt .md"),
        ("kotlin kt", ".kt .kts .java .md"),
        ("csharp cs", ".cs .cshtml .razor .md"),
        ("ruby rb", ".rb .erb .rake .gemspec .md none"),
        ("swift", ".swift .md"),
    )
    for name in names.split()
}


def may_stand_in(info: str, suffix: str) -> bool:
    """Whether code of a language may stand in a file with this ending; unknown languages may."""
    return suffix in SUFFIXES.get(info, {suffix})
