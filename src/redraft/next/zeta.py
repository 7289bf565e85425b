"""In: a prompt for one of Zed's models, Zeta 1, 2 or 2.1. Out: the prompt as Zed means it."""

import re

from redraft.edit.prompts.prompt import Part, Prompt, Source
from redraft.next.recognised import Has, Recognised, TemplateError, joined, need, once, optional

_SUFFIX, _PREFIX, _MIDDLE = "<[fim-suffix]>", "<[fim-prefix]>", "<[fim-middle]>"
TOKENS = (_SUFFIX, _PREFIX, _MIDDLE)
_FILE, _CURSOR, _END = "<filename>", "<|user_cursor|>", "<[end▁of▁sentence]>"
_CURRENT, _BETWEEN, _UPDATED = "<<<<<<< CURRENT\n", "=======\n", ">>>>>>> UPDATED\n"
_MARKER = re.compile(r"<\|marker_\d+\|>")
_FIRST_MARKER = "<|marker_1|>"
_START, _STOP, _HERE = "<|editable_region_start|>", "<|editable_region_end|>", "<|user_cursor_is_here|>"
_INSTRUCTION, _EXCERPT, _RESPONSE = "### Instruction:\n", "### User Excerpt:\n", "### Response:"
_PATH = re.compile(rf"(?:^|{re.escape(_PREFIX)}){re.escape(_FILE)}([^\n]*)$", re.MULTILINE)


def read(prompt: str, has: Has) -> Recognised | None:
    """None for what is none of these; raises TemplateError for one that is broken or that can be read twice."""
    if prompt.startswith(_SUFFIX):
        return _seed(prompt, has)
    if prompt.startswith(_INSTRUCTION) and _START in prompt and prompt.rstrip().endswith(_RESPONSE):
        return _first(prompt, has)
    return None


def _first(prompt: str, has: Has) -> Recognised:
    """Zeta 1: its marks are words to most models, and special tokens where a model has them."""
    head, _, excerpt = prompt.rpartition(_EXCERPT)
    start, stop = excerpt.find(_START), excerpt.rfind(_STOP)
    if start < 0 or stop < start:
        raise TemplateError(f"the prompt is in the format zeta, and its excerpt lacks {_START} or {_STOP}")
    inner = excerpt[start + len(_START) : stop]
    window = inner.replace(_HERE, "", 1)
    region = (_mark(_START, has), Part(window), _mark(_STOP, has))
    parts = (
        Part(f"{head}{_EXCERPT}{excerpt[:start]}"),
        _mark(_START, has),
        *optional(inner, _HERE, has),
        _mark(_STOP, has),
        Part(excerpt[stop + len(_STOP) :]),
    )
    path = excerpt.strip().partition("\n")[0].strip("`")
    prompted = Prompt(joined(parts), (Source("original", joined(region)),), (_STOP,))
    return Recognised("zeta", prompted, (), window, path)


def _seed(prompt: str, has: Has) -> Recognised:
    """Zeta 2 and 2.1, for models of the Seed-Coder family."""
    if not prompt.endswith(_MIDDLE):
        raise TemplateError(f"the prompt begins with {_SUFFIX} and does not end with {_MIDDLE}")
    need(TOKENS, "zeta 2", has)
    at = once(prompt, _PREFIX, "zeta 2")
    body = prompt[at + len(_PREFIX) : -len(_MIDDLE)]
    name, region, start = _region(body)
    paths = _PATH.findall(prompt[: len(prompt) - len(_MIDDLE) - len(body) + start])
    parts = (
        Part(_SUFFIX, True),
        Part(prompt[len(_SUFFIX) : at]),
        Part(_PREFIX, True),
        *_names(body[:start], has),
        *_marked(body[start:], has),
        Part(_MIDDLE, True),
    )
    window = region.replace(_CURSOR, "", 1)
    bare = _MARKER.sub("", window) if name == "zeta 2.1" else window
    drafts = _drafts(name, region, window)
    sources = tuple(Source("original", joined(_marked(draft, has))) for draft in drafts)
    stop = () if name == "zeta 2.1" else (_UPDATED, _UPDATED.strip())
    return Recognised(name, Prompt(joined(parts), sources, stop), (*TOKENS, _END), bare, paths[-1] if paths else "")


def _region(body: str) -> tuple[str, str, int]:
    """The format, the text to be written anew and where it begins; raises TemplateError where there is none."""
    start = body.rfind(_CURRENT)
    if start >= 0 and body.endswith(_BETWEEN):
        start += len(_CURRENT)
        return "zeta 2", body[start : -len(_BETWEEN)], start
    start = body.rfind(_FIRST_MARKER)
    if start < 0:
        raise TemplateError(
            f"the prompt is in the format zeta 2, and has neither {_CURRENT.strip()} nor {_FIRST_MARKER}"
        )
    return "zeta 2.1", body[start:].removesuffix("\n"), start


def _drafts(name: str, region: str, window: str) -> tuple[str, ...]:
    """What the answer repeats: the region; with markers at first the block that the cursor is in."""
    if name == "zeta 2":
        return (window + _UPDATED,)
    before = region.partition(_CURSOR)[0]
    markers = [found.start() for found in _MARKER.finditer(before)]
    return (window[markers[-1] if markers else 0 :], window)


def _names(text: str, has: Has) -> tuple[Part, ...]:
    """Other files, each begun by its name at the beginning of a line."""
    if not has(_FILE):
        return (Part(text),)
    pieces = re.split(rf"^{re.escape(_FILE)}", text, flags=re.MULTILINE)
    return tuple(part for piece in pieces for part in (Part(_FILE, True), Part(piece)))[1:]


def _marked(text: str, has: Has) -> tuple[Part, ...]:
    """Text in which markers and cursor are special tokens where the model has them."""
    if not has(_FIRST_MARKER):
        return optional(text, _CURSOR, has)
    pieces = re.split(rf"({_MARKER.pattern}|{re.escape(_CURSOR)})", text)
    return tuple(Part(piece, number % 2 == 1 and has(piece)) for number, piece in enumerate(pieces))


def _mark(token: str, has: Has) -> Part:
    return Part(token, has(token))
