"""In: the lines of an answer, and which files there are. Out: the file that a block or a sentence is about."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from redraft.edit.answer.fences import Fence
from redraft.edit.named.parts import IsFile, Part
from redraft.edit.named.paths import can_be_file
from redraft.edit.words import comment_body

_BARE_NAMES = "Makefile|Dockerfile|Jenkinsfile|Procfile|Gemfile|Rakefile|Vagrantfile|LICENSE|README|CODEOWNERS"
_NAME = r"[\w@.+\-\[\]()~]"
PATH = rf"(?:{_NAME}+[/\\])*(?:{_NAME}*\.\w{{1,12}}|{_BARE_NAMES})(?!\w)"
_PATHS = re.compile(rf"(?<![\w/\\.]){PATH}")
_QUOTED = re.compile(rf"[`*\"']+({PATH})[`*\"']+")
_ANY_QUOTED = re.compile(r"[`*\"']+([\w@.+\-/]+)[`*\"']+")  # also a name without an ending, where there is such a file
_LINK = re.compile(r"\[([^\]\s]+\.\w+)\]\([^)\s]*\)")
_WORDS = (
    r"(?:\d+[.)]\s*)?(?:step \d+[.:)]?\s*)?"
    r"(?:(?:in|to|into|for|update|updated|edit|changes?|modify|modified|new|create|add|the|a|an|file|file ?name|"
    r"file ?path|path|your|existing|first|then|next|finally|also|now|and)\b[\s:,*]+)*"
)
_ASIDE = r"(?:\s*(?:[(\[-]|\u2013|\u2014).*)?"
_ALONE = re.compile(rf"{_WORDS}[`*\"'\[(]*({PATH})[`*\"'\])]*{_ASIDE}", re.IGNORECASE)
_NEW = re.compile(r"\b(?:new|create[sd]?|creating|add(?:s|ed|ing)? (?:(?:a|the|another|one) )?file)\b", re.IGNORECASE)
_SUBJECT = re.compile(rf"\b(?:in|to|into|of|update|edit|modify|change|file)\b:?\s+[`*\"']*({PATH})", re.IGNORECASE)
_REASON = (
    r"(?:\s*[.:;!]|\s*(?:[,(-]|\u2013|\u2014).*"
    r"|\s+(?:since|because|as|now that|which|it|entirely|completely|altogether|file)\b.*)?"
)
_START = r"\s*(?:[-*#>\d.)]+\s+)?(?:(?:finally|then|also|and|next|lastly|you can(?: now)?|please|now|we)[\s,]+)*"
_DELETE = re.compile(
    rf"{_START}[*]*(?:delete|remove|drop)[:*]*\s+(?:(?:the|now|old|obsolete|unused|whole|entire)\s+)*"
    rf"(?:file\s*:?\s+)?[`*\"']*({PATH})[`*\"']*{_REASON}",
    re.IGNORECASE,
)
_DELETED = re.compile(
    rf"{_START}[`*\"']*({PATH})[`*\"']*\s*"
    rf"(?:\((?:deleted|removed)\)|(?:can|should|must) (?:now )?be (?:deleted|removed)){_REASON}",
    re.IGNORECASE,
)
_RENAME = re.compile(
    rf"{_START}[*]*(?:rename|move)[d:*]*\s+(?:the\s+)?(?:file\s+)?[`*\"']*({PATH})[`*\"']*\s+(?:in)?to\s+"
    rf"[`*\"']*({PATH}|[\w./\\-]+/)[`*\"']*{_REASON}",
    re.IGNORECASE,
)
_COMMENTED = re.compile(rf"(?:new )?(?:file ?(?:path|name)?: *)?({PATH})(?: \(new(?: file)?\))?", re.IGNORECASE)
_SHELL = re.compile(r"\s*(?:\$\s+)?(?:git\s+)?(rm|mv)\s+(?:-f\s+)?(\S+)(?:\s+(\S+))?\s*")
# What a sentence says right above the text of a file, and what it says of a file that the text only deals with.
_INTRODUCED = re.compile(
    r"\b(?:save|put|place|paste|create|write|store|here(?: is|'s|\u2019s| are)|contents? of|looks? like|goes|called|"
    r"named)\b",
    re.IGNORECASE,
)
_DEALT_WITH = re.compile(
    r"\b(?:from|uses?|using|reads?|loads?|calls?|runs?|running|imports?|tests?|example|output|result|how|version|"
    r"add|append|change|edit|update|replace|fix|lines?|section|keys?)\b",
    re.IGNORECASE,
)
_PRODUCTS = ("node.js", "next.js", "nuxt.js", "vue.js", "react.js", "express.js", "three.js", "d3.js", "socket.io")
_FEW_WORDS = 3  # beside the name: "And the full `conf/a.yaml`:"
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_CALLED_FILE = re.compile(r"\bfile(?: ?(?:name|path))?\b", re.IGNORECASE)
_LONGEST = 200  # characters of a line that may name a file


@dataclass(frozen=True)
class Title:
    """The file that a block is about, "" where nothing tells; `line` of those before the block says so, 0 for the block
    itself. `is_sure`: its name can be no slip of the tongue."""

    path: str = ""
    is_sure: bool = False
    line: int = 0


def title(block: Fence, is_file: IsFile, takes_sentence: bool = False) -> Title:
    """`takes_sentence`: a sentence that introduces the text of a file that is not there counts, too.

    Not where a block may be a part of a page for people, who are told so to write a file.
    """
    if (found := _PATHS.search(block.opening[:_LONGEST])) and _is_path(_clean(found[0]), is_file):
        bare = _clean(found[0]).removeprefix("file.")
        return Title(bare if is_file(bare) else _clean(found[0]), True)
    if block.lines and (first := _commented(block.lines[0])):
        return Title(first, True)
    written = [at for at, line in enumerate(block.before) if line.strip()]
    for number, at in enumerate(reversed(written)):
        line = _LINK.sub(r"\1", block.before[at][:_LONGEST])
        if named := _alone(line, is_file):
            return Title(named, True, at)
        if number < 3 and (named := _mentioned(line, is_file)):
            return Title(named, bool(_NEW.search(line)) or is_file(named), at)
        if takes_sentence and not number and (named := _introduced(_LINK.sub(r"\1", block.before[at]))):
            return Title(named, True, at)
    return Title()


def named_in(lines: Iterable[str], is_file: IsFile) -> list[str]:
    """The files that there are and that lines name, each once."""
    said = (_LINK.sub(r"\1", line[:_LONGEST]) for line in lines if line.strip())
    found = (_alone(line, is_file) or _mentioned(line, is_file) for line in said)
    return [*dict.fromkeys(name for name in found if name and is_file(name))]


def operations(lines: Sequence[str], is_file: IsFile) -> Iterator[Part]:
    """The files that sentences delete or rename."""
    for line in (_LINK.sub(r"\1", line) for line in lines if len(line) < _LONGEST):
        if (found := _RENAME.fullmatch(line)) and is_file(_clean(found[1])):
            yield Part(_clean(found[1]), to=_target(found[1], found[2]))
        elif (found := _DELETE.fullmatch(line) or _DELETED.fullmatch(line)) and is_file(_clean(found[1])):
            yield Part(_clean(found[1]), is_deleted=True)


def commands(lines: Sequence[str], is_file: IsFile) -> Iterator[Part]:
    """The files that `rm` and `mv` in a block for the shell delete or rename."""
    for found in filter(None, map(_SHELL.fullmatch, lines)):
        if not is_file(_clean(found[2])):
            continue
        if found[1] == "rm" and not found[3]:
            yield Part(_clean(found[2]), is_deleted=True)
        elif found[1] == "mv" and found[3]:
            yield Part(_clean(found[2]), to=_target(found[2], found[3]))


def without_title(lines: Sequence[str], path: str) -> Sequence[str]:
    """The lines of a new file: a first comment that holds nothing but its path is for the reader of the answer."""
    return lines[1:] if lines and _commented(lines[0]) == path else lines


def _commented(line: str) -> str:
    """The path where a line is a comment that holds nothing else."""
    found = _COMMENTED.fullmatch(comment_body(line.strip()) or "")
    return _clean(found[1]) if found else ""


def _alone(line: str, is_file: IsFile) -> str:
    """The path on a line that holds no more than it, in a heading, in bold, or behind a word such as "In" or "File"."""
    found = _ALONE.fullmatch(line.strip().strip("#*_>- \t").rstrip(":*_ ."))
    if found is None or found[1][0].isdigit() or found.string[found.end(1) :].startswith("("):
        return ""
    path = _clean(found[1])
    return path if _is_path(path, is_file) or _CALLED_FILE.search(found.string[: found.start(1)]) else ""


def _mentioned(line: str, is_file: IsFile) -> str:
    """The file that a sentence is about: one that there is, or a new one in quotes."""
    said = [_clean(found[1]) for found in _SUBJECT.finditer(line)]
    names = [_clean(found[0]) for found in _PATHS.finditer(line)]
    names += [_clean(found[1]) for found in _ANY_QUOTED.finditer(line)]
    quoted = [name for found in _QUOTED.finditer(line) if _is_path(name := _clean(found[1]), is_file)]
    existing = next((name for name in (*said, *names) if is_file(name)), "")
    return existing or (quoted[0] if quoted and _NEW.search(line) else "")


def _introduced(line: str) -> str:
    """The one path in the last sentence of a line, where it ends in a colon and says that a file's text follows."""
    sentence = _SENTENCE.split(line.strip())[-1].rstrip("*_ ")
    if not sentence.endswith(":") or len(sentence) > _LONGEST or _DEALT_WITH.search(_PATHS.sub("", sentence)):
        return ""
    said = dict.fromkeys(_clean(found[0]) for found in _PATHS.finditer(sentence))
    names = [name for name in said if name.lower() not in _PRODUCTS and not name[:1].isdigit() and can_be_file(name)]
    words = _PATHS.sub(" ", sentence).split()
    is_said = _INTRODUCED.search(sentence) or sum(any(map(str.isalpha, word)) for word in words) <= _FEW_WORDS
    return names[0] if len(names) == 1 and is_said else ""


def _is_path(name: str, is_file: IsFile) -> bool:
    """Whether a name is that of a file: there is one, or it cannot be a method's."""
    return can_be_file(name) or is_file(name)


def _target(path: str, to: str) -> str:
    """Where a file is moved; a folder keeps its name."""
    name = re.split(r"[/\\]", _clean(path))[-1]
    return f"{_clean(to)}{name}" if to.endswith(("/", "\\")) else _clean(to)


def _clean(path: str) -> str:
    bare = path.strip(" \t#*`\"':,;>").replace("\\", "/").removeprefix("./")
    return bare.removeprefix("(") if ")" not in bare else bare
