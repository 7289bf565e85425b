"""In: a file and an edit of some of its lines. Out: the edit as agents write it, in each of the exact formats."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Edit:
    """Lines `start:end` of a file become others; what else stands in the file is told by `lines`."""

    lines: tuple[str, ...]
    start: int
    end: int
    new: tuple[str, ...]

    @property
    def old(self) -> tuple[str, ...]:
        return self.lines[self.start : self.end]

    @property
    def original(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)

    @property
    def edited(self) -> str:
        lines = (*self.lines[: self.start], *self.new, *self.lines[self.end :])
        return "".join(f"{line}\n" for line in lines)


Render = Callable[[Edit], str]


def _text(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def aider(edit: Edit) -> str:
    return f"a.txt\n```\n<<<<<<< SEARCH\n{_text(edit.old)}=======\n{_text(edit.new)}>>>>>>> REPLACE\n```\n"


def cline(edit: Edit) -> str:
    inside = f"------- SEARCH\n{_text(edit.old)}=======\n{_text(edit.new)}+++++++ REPLACE\n"
    return f"<replace_in_file>\n<path>a.txt</path>\n<diff>\n{inside}</diff>\n</replace_in_file>\n"


def roo(edit: Edit) -> str:
    head = f"<<<<<<< SEARCH\n:start_line:{edit.start + 1}\n-------\n"
    inside = f"{head}{_text(edit.old)}=======\n{_text(edit.new)}>>>>>>> REPLACE\n"
    return f"<apply_diff>\n<path>a.txt</path>\n<diff>\n{inside}</diff>\n</apply_diff>\n"


def call(edit: Edit) -> str:
    given = {"file_path": "/repo/a.txt", "old_string": _text(edit.old), "new_string": _text(edit.new)}
    return f"I will edit it.\n\n```json\n{json.dumps(given)}\n```\n"


def tool_call(edit: Edit) -> str:
    given = {"path": "a.txt", "edits": [{"oldText": _text(edit.old), "newText": _text(edit.new)}]}
    return f"<tool_call>\n{json.dumps({'name': 'edit', 'arguments': json.dumps(given)})}\n</tool_call>\n"


def replacements(edit: Edit) -> str:
    given = {"path": "a.txt", "search": _text(edit.old), "replace": _text(edit.new), "expected_replacements": 1}
    return json.dumps([given], indent=2)


def invoke(edit: Edit) -> str:
    old, new = ("\n".join(lines) for lines in (edit.old, edit.new))
    inside = f'<parameter name="old_string">{old}</parameter>\n<parameter name="new_string">{new}</parameter>\n'
    head = '<function_calls>\n<invoke name="Edit">\n<parameter name="file_path">/x/a.txt</parameter>\n'
    return f"{head}{inside}</invoke>\n</function_calls>\n"


def function(edit: Edit) -> str:
    inside = f"<parameter=old_str>\n{_text(edit.old)}</parameter>\n<parameter=new_str>\n{_text(edit.new)}</parameter>\n"
    head = "<parameter=command>str_replace</parameter>\n<parameter=path>/w/a.txt</parameter>\n"
    return f"<function=str_replace_editor>\n{head}{inside}</function>\n"


def zed(edit: Edit) -> str:
    old, new = _text(edit.old), _text(edit.new)
    return f"<edits>\n<old_text line={edit.start + 1}>\n{old}</old_text>\n<new_text>\n{new}</new_text>\n</edits>\n"


def _signed(edit: Edit) -> str:
    return "".join(f"-{line}\n" for line in edit.old) + "".join(f"+{line}\n" for line in edit.new)


def patch(edit: Edit) -> str:
    return f"*** Begin Patch\n*** Update File: a.txt\n@@\n{_signed(edit)}*** End Patch\n"


def command(edit: Edit) -> str:
    return json.dumps({"command": ["apply_patch", patch(edit)]})


def heredoc(edit: Edit) -> str:
    return f"```bash\napply_patch <<'EOF'\n{patch(edit)}EOF\n```\n"


def _diff(edit: Edit, header: str) -> str:
    return f"```diff\n--- a/a.txt\n+++ b/a.txt\n{header}\n{_signed(edit)}```\n"


def diff(edit: Edit) -> str:
    sizes = len(edit.old), len(edit.new)
    return _diff(edit, f"@@ -{edit.start + 1},{sizes[0]} +{edit.start + 1},{sizes[1]} @@ somewhere")


def wrong_diff(edit: Edit) -> str:
    return _diff(edit, "@@ -917,3 +917,9 @@")


def bare_diff(edit: Edit) -> str:
    return _diff(edit, "@@ ... @@")


def unfenced_diff(edit: Edit) -> str:
    return f"--- a/a.txt\n+++ b/a.txt\n@@ @@\n{_signed(edit)}\nThat is all.\n"


def by_range(edit: Edit) -> str:
    return f"```\nedit {edit.start + 1}:{edit.end}\n{_text(edit.new)}end_of_edit\n```\n"


def by_lines(edit: Edit) -> str:
    given = {"path": "a.txt", "start_line": edit.start + 1, "end_line": edit.end, "new_content": _text(edit.new)}
    return json.dumps(given)


def plain_diff(edit: Edit) -> str:
    def span(start: int, count: int) -> str:
        return f"{start + 1},{start + count}" if count > 1 else str(start + 1)

    old = "".join(f"< {line}\n" for line in edit.old)
    new = "".join(f"> {line}\n" for line in edit.new)
    head = f"{span(edit.start, len(edit.old))}c{span(edit.start, len(edit.new))}"
    return f"{head}\n{old}---\n{new}"


BLOCKS: tuple[Render, ...] = (aider, cline, roo)
CALLS: tuple[Render, ...] = (call, tool_call, replacements)
TAGS: tuple[Render, ...] = (invoke, function, zed)
DIFFS: tuple[Render, ...] = (patch, command, heredoc, diff, wrong_diff, bare_diff, unfenced_diff, plain_diff)
NUMBERS: tuple[Render, ...] = (by_range, by_lines)
PLACED = (*BLOCKS, *CALLS, *TAGS, *DIFFS)  # what shows old text
# What says nothing of the place but the old text.
PLACELESS = (aider, cline, *CALLS, invoke, function, *DIFFS[:3], wrong_diff, bare_diff)
