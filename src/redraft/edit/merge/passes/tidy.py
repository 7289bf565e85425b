"""In: the lines of a file, and what an answer and its request say. Out: whether spaces at the ends of all lines go, and
whether the file ends in a newline from now on."""

import re

from redraft.edit.words.sentences import END

_SPACES = re.compile(
    r"\b(?:strip|remov|trim|delet|drop|clear|clean)\w*\b[^.\n]{0,30}\btrailing (?:white ?)?spaces?\b"
    r"|\btrailing (?:white ?)?spaces?\b[^.\n]{0,30}\b(?:gone|goes|stripped|removed|trimmed)\b"
    r"|\bLeerzeichen am (?:Zeilen)?ende?\b|\bespaces? (?:en|de) fin de lignes?\b|\bespacios al final\b"
    r"|\bespaços (?:no|ao) (?:fim|final)\b|пробел\w* в конц|行尾(?:的)?空|行末の空白",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"\b(?:file|everywhere|throughout|all (?:the )?lines|every line|Datei|überall|fichier|partout|archivo|fichero"
    r"|ficheiro|arquivo)\b|файл|везде|文件|所有|ファイル|全",
    re.IGNORECASE,
)
_NEWLINE = re.compile(
    r"(?<!no )(?<!without )\b(?:new ?line|line ?break|EOL)\b[^.\n]{0,25}\b(?:EOF|end)\b"
    r"|\b(?:add\w*|miss\w*|gets?|gains?|with)\b[^.\n]{0,15}\b(?:final|trailing|closing|last) new ?line\b"
    r"|\bends? (?:with|in) an? (?:\w+ )?new ?line\b"
    r"|\bZeilenumbruch am (?:Datei)?ende?\b|\b(?:saut|retour) (?:de|à la) ligne (?:en |à la |de )?fin"
    r"|\bsalto de línea (?:al )?final|\bquebra de linha (?:no )?(?:fim|final)|перевод строки в конце"
    r"|末尾[^。\n]{0,6}(?:换行|改行)",
    re.IGNORECASE,
)
_NONE = re.compile(r"\b(?:no|without|remov\w*|delet\w*|strip\w*|drop\w*)\b[^.,;\n]{0,20}\bnew ?line", re.IGNORECASE)


def tidied(lines: tuple[str, ...], said: str) -> tuple[str, ...]:
    """The lines, without spaces at their ends where a sentence says that the whole file has none."""
    asks = any(_SPACES.search(text) and _ALL.search(text) for text in END.split(said))
    return tuple(line.rstrip(" \t") for line in lines) if asks else lines


def asks_newline(said: str) -> bool:
    """Whether a sentence says that the file gets a newline at its end."""
    return any(_NEWLINE.search(text) and not _NONE.search(text) for text in END.split(said))
