"""In: the words before a block. Out: whether they say that its code is for another place than this file."""

import re

from redraft.edit.words.hints import last_line
from redraft.edit.words.known import Known, is_word
from redraft.edit.words.sentences import SIGN, sentences

_EXAMPLE = (
    r"(?:e\.g\.|for (?:example|instance)|such as|z\. ?B\.|zum Beispiel|etwa|p\. ?ex\.|par exemple|por ejemplo|p\. ej\."
    r"|por exemplo|например|напр\.|例如|比如|例えば|たとえば)"
)
_OF_ANOTHER = re.compile(
    rf"{_EXAMPLE}[,:、]?\s*(?:\w+\s+){{0,3}}({SIGN})[^.{SIGN[1:-1]}]{{0,12}}[:\uff1a]\W*", re.IGNORECASE
)
_USE = (
    r"\b(?:you|one|people|it|this|that|they|these|those)(?:'s| is| are| can| could| may| will| would|'ll|'d)?"
    r"(?: (?:then|now|also|simply|just|be|afterwards|still))* (?:use|used|call|called|set|configured?|enabled?|invoked?"
    r"|pass|passed|overrid(?:e|den)|written|write|run|try|turn(?:ed)? on|chain|chained|imported?|switched on)\b"
    r"[^.\n]{0,60}\b(?:like (?:this|so)|as follows|this way|with(?: \S+)?)\W*$",
    r"\b(?:kannst du|können Sie|kann man|lässt sich|(?:es|sie|das|die) (?:wird|werden))\b[^.\n]{0,60}\b(?:so|wie folgt"
    r"|folgendermaßen)\b[^.\n]{0,30}\b(?:\w*nutz|verwend|\w*ruf|\w*setz|konfigurier|\w*aktivier|\w*schalte)\w*\W*$",
    r"\b(?:s'utilise|s'appelle|s'active|se (?:règle|configure)|être (?:utilisé|appelé|défini|activé|réglé)e?s?)\b"
    r"[^.\n]{0,60}\b(?:ainsi|comme (?:ceci|ça|suit)|de cette (?:façon|manière))\W*$",
    r"\b(?:se (?:usan?|utilizan?|llaman?|definen?|configuran?|activan?)|puedes? (?:usar|utilizar|llamar|configurar)\w*)"
    r"\b[^.\n]{0,60}\b(?:así|de esta (?:forma|manera)|como sigue)\W*$",
    r"\b(?:(?:usa|define|chama|configura|ativa)-se|(?:é|são) (?:usad|chamad|definid|configurad|ativad)[oa]s?|uso"
    r"|(?:pode|podes) (?:usar|chamar|configurar)\w*)\b[^.\n]{0,60}\b(?:assim|d?esta (?:forma|maneira)|deste jeito)\W*$",
    r"\b(?:использу|вызыва|зада[её]|включа|настраива)\w*[^.\n]{0,40}(?:так|следующим образом)\W*$",
    r"(?:可以|就能|然后)[^。\n]{0,20}(?:这样|如下)[^。\n]{0,6}(?:使用|调用|设置|配置)",
    r"(?:使用|调用|设置|配置)(?:方式|方法)?如下|(?:次|以下|この)のように[^。\n]{0,6}(?:使|呼び出|設定)",
)
_OTHERS = (
    r"\b(?:callers?|call(?:ing)? sites?|implement[eo]rs|implementing class(?:es)?|consumers)\b[^.\n]{0,80}:\W*$",
    r"\b(?:aufrufer|appelants?|llamadores|chamadores)\b[^.\n]{0,80}:\W*$|вызывающ\w+[^.\n]{0,60}:\W*$",
    r"(?:调用方|调用处|调用者|呼び出し(?:側|元))[^。\n]{0,40}[:\uff1a]\W*$",
)
_PATTERN = re.compile("|".join((*_USE, *_OTHERS)), re.IGNORECASE)


def is_use(prose: str) -> bool:
    """Whether the last line tells how something is used, or what those need who use it."""
    return _PATTERN.search(last_line(prose).replace("\u2019", "'")) is not None


def other_place(prose: str, known: Known) -> str:
    """The name, not of the file, of one of several places that the last sentence says code is for: "e.g. in `X`:"."""
    last = [sentence for sentence in sentences(last_line(prose), known) if sentence.quotes][-1:]
    for sentence in last:
        found = _OF_ANOTHER.search(sentence.said)
        quote = sentence.quote(found[1]) if found and found.end() == len(sentence.said) else None
        if quote and is_word(quote.text) and not (quote.meant or known.has(quote.text)):
            return quote.text
    return ""
