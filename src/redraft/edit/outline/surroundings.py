"""In: the name of a grammar. Out: how its comments are written, and what a snippet of it may have stood in.

Of surroundings, `|` is where the snippet goes; they come in the order in which they are tried.
"""

_HASH = (
    *("bash", "cmake", "dockerfile", "elixir", "fish", "gdscript", "graphql", "hcl", "ini", "julia", "make", "nim"),
    "nix",
    *("perl", "powershell", "properties", "python", "r", "ruby", "starlark", "toml", "yaml"),
)
COMMENTS = {
    **dict.fromkeys(_HASH, ("#", "")),
    **dict.fromkeys(("html", "vue", "svelte", "xml", "markdown", "astro"), ("<!--", " -->")),
    **dict.fromkeys(("lua", "luau", "sql", "haskell", "elm"), ("--", "")),
    **dict.fromkeys(("ocaml", "ocaml_interface"), ("(*", " *)")),
    "css": ("/*", " */"),
    "clojure": (";", ""),
    "erlang": ("%", ""),
    "vim": ('"', ""),
}
_SCRIPT = ("class X {|}", "({|})", "interface X {|}", "enum X {|}", "[|]", "function x() {|}", "switch (x) {|}")
_BRACES = ("class X {|}", "class X { void x() {|}}", "interface X {|}", "enum X {|}", "class X { X x = {|}; }")
_DATA = ("{|}", "[|]")
SURROUNDINGS = {
    **dict.fromkeys(("typescript", "tsx"), _SCRIPT),
    **dict.fromkeys(("java", "csharp"), _BRACES),
    **dict.fromkeys(("python", "starlark"), ("{|}", "[|]", "x(|)", "if x:|")),
    **dict.fromkeys(("lua", "luau"), ("x = {|}",)),
    **dict.fromkeys(("css", "scss"), ("x {|}", "@keyframes x {|}")),
    "javascript": ("class X {|}", "({|})", "[|]", "function x() {|}", "switch (x) {|}"),
    "kotlin": ("class X {|}", "enum class X {|}", "fun x() {|}", "x(|)", "when (x) {|}"),
    "swift": ("class X {|}", "enum X {|}", "protocol X {|}", "func x() {|}", "[|]"),
    "scala": ("class X {|}", "def x = {|}", "enum X {|}", "x match {|}"),
    "dart": ("class X {|}", "void x() {|}", "enum X {|}", "var x = {|};", "x() => y(|);"),
    "go": (
        *("import (|)", "package x;|", "type X struct {|}", "type X interface {|}", "const (|)", "var x = X{|}"),
        *("func x() {|}", "type (|)"),
    ),
    "rust": ("struct X {|}", "impl X {|}", "enum X {|}", "trait X {|}", "let x = X {|};", "match x {|}"),
    "c": ("struct X {|};", "void x() {|}", "enum X {|};", "X x = {|};"),
    "cpp": ("class X {|};", "void x() {|}", "enum X {|};", "X x = {|};", "namespace x {|}"),
    "objc": ("@interface X|@end", "@implementation X|@end", "void x() {|}", "enum X {|};"),
    "php": (
        *("<?php|", "<?php class X {|}", "<?php return [|];", "<?php enum X {|}", "<?php function x() {|}"),
        *("<?php interface X {|}", "<?php switch (x) {|}", "<?php x(|);"),
    ),
    "ruby": ("x = {|}", "class X|end", "x(|)", "case x|end"),
    "json": _DATA,
    "xml": ("<x>|</x>",),
    "sql": ("CREATE TABLE x (|);",),
    "proto": ("message X {|}", "service X {|}", "enum X {|}", 'syntax = "proto3";|'),
    "graphql": ("type X {|}", "enum X {|}", "{|}", "input X {|}"),
    "hcl": ("x = {|}", "x = [|]"),
    "nix": ("{|}", "{ }:|", "[|]"),
    "prisma": ("model X {|}", "enum X {|}", "generator x {|}"),
    "zig": ("const X = struct {|};", "fn x() void {|}", "const x = .{|};"),
    "solidity": ("contract X {|}", "struct X {|}", "contract X { function x() public {|}}"),
    "powershell": ("class X {|}", "$x = @{|}", "enum X {|}"),
    "perl": ("my %x = (|);", "sub x {|}"),
    "r": ("x(|)", "x <- function() {|}"),
    "ocaml": ("module type X = sig|end", "module X = struct|end"),
    "haskell": ("class X a where|", "import X|"),
    "nim": ("type|", "const|"),
    "fsharp": ("module X|",),
    "elixir": ("[|]", "%{|}"),
    "erlang": ("[|].",),
    "julia": ("x(|)", "struct X|end"),
    "clojure": ("{|}", "(|)"),
    "bash": ("case x in|esac"),
}
PAGES = {"html": "javascript", "vue": "typescript", "svelte": "typescript", "astro": "typescript"}
# Lines that as statements would say something else than what is meant.
UNLIKELY = {
    "kotlin": r"\s*companion\s+object\b",
    "powershell": r"\s*\w+\s*=\s|\s*\[[\w\[\]]+\]\s*\$\w+\s*$",
    "objc": r"\s*[-+]\s*\(",
    "go": r"\s*(?:[\w.]+ )?\"[^\"]*\"\s*$",
}
