"""In: a sentence of an answer or a request. Out: whether it speaks of removals, whole files, blanks, before, after."""

import re
from functools import cache

from redraft.edit.text.kind import is_path_of

_WHOLE = (
    r"\b(?:full|complete|entire|whole)\b.{0,40}"
    r"\b(?:file|contents?|script|module|component|page|listing|version|template|stylesheet|manifest|workflow)\b",
    r"\b(?:file|it|everything)\b.{0,30}\b(?:in full|complete|anew|from top to bottom|as a whole)\b",
    r"vollständig|komplett|\bganze[nrs]? Datei|fichier (?:complet|entier)|archivo (?:completo|entero)",
    r"(?:ficheiro|arquivo) (?:completo|inteiro)|完整|全文|整个文件|ファイル全体|全体|полностью|целиком|весь файл",
)
_REMOVAL = (
    r"\b(?:remov\w*|delet\w*|drop(?:s|ped|ping)?|gone|can go|goes away|get(?:s|ting)? rid)\b",
    r"\b(?:t(?:ak(?:e|es|en|ing)|ook)(?: it| them)?|thr(?:ow(?:s|n|ing)?|ew)) out\b",
    r"\b(?:strip(?:s|ped)?|unused|no longer|entf\w+|lösch\w+|fällt weg|supprim\w+|retir\w+)\b",
    r"\b(?:enl[eè]v\w+|elim[ií]n\w+|qu[ií]t[ao]\w*|borr[ao]\w*|apag\w+|usuwa\w*|verwijder\w*)\b",
    r"删除|去掉|移除|削除|удал|убра|убер",
    r"\b(?:weg|raus|rausgeworfen|herausgenommen)\b|\bnimm\b[^.\n]{0,80}\b(?:heraus|raus)\b",
)
_BEFORE = (
    r"\b(?:before|old|was|were|current(?:ly)?|previous(?:ly)?|so far|original(?:ly)?|vorher|alt|bisher|bislang)\b",
    r"\b(?:avant|ancien(?:ne)?|antes|actual(?:mente)?|atual(?:mente)?|prima)\b",
    r"之前|原来|以前|修改前|変更前|было|раньше",
)
_AFTER = (
    r"\b(?:after|new|becomes?|now|turns into|afterwards|nachher|neu|danach|wird zu|jetzt|apr[eè]s|nouveau)\b",
    r"\b(?:devient|despu[eé]s|ahora|nuevo|depois|agora|novo|dopo)\b",
    r"之后|改为|改成|现在|修改后|変更後|стало|теперь|после",
)
_PRESENT = (
    r"\b(?:now|today|at present|at the moment|as it (?:is|stands)|jetzt|heute|derzeit|im moment|maintenant|aujourd.hui"
    r"|actuellement|ahora|hoy|actualmente|agora|hoje|atualmente|сейчас|сегодня)\W*$|(?:现在|目前|当前|現在|今)\W*$",
)
_BLANKS = (
    r"\b(?:blanks?|blank lines?|empty (?:\w+ )?lines?|white ?space|spac(?:e|es|ing)|line breaks?|prettier)\b",
    r"(?<![\w.`])(?:re)?format\w*\b(?![.(])|\bgaps?\b",
    r"\b(?:leer(?:e|en)? ?zeilen?|lignes? vides?|(?:líneas?|linhas?) (?:en|em|vací\w+|vazi\w+)|en blanco)\b",
    r"空行|空白|пуст(?:ая|ую|ой|ые|ых) строк",
)
_NO_BLANKS = (
    r"\b(?:no|without|ohne|keine|sans|pas de|sin|sem)\b[^.;:]{0,20}\b(?:blank|empty|gap|Leer|lignes?|líneas?|linhas?)",
    r"不空行|没有空行|空行なし|без пустых",
)
_LINE_ENDS = (
    r"\b(?:trailing|stray) (?:white ?spaces?|spaces?|blanks?|tabs?)\b"
    r"(?![^.;\n]{0,40}\b(?:stays?|remains?|kept|left|alone|untouched|unchanged)\b)",
    r"\bLeerzeichen am (?:Zeilen)?ende?\b|\bespaces? (?:en|de) fin de lignes?\b|\bespacios al final\b",
    r"\bespaços (?:no|ao) (?:fim|final)\b|пробел\w* в конц|行尾(?:的)?空|行末の空白",
)
_REMARKS = (
    r"\bcomment\w*\b(?![ -](?:\w+ ){0,3}out\b)",
    r"\b(?:typos?|wording|heading|remarks?|notes?)\b",
    r"\b(?:explain\w*|explanation|licen[cs]e|todo|reword\w*|spell\w*|Kommentar\w*|commentaires?|comentarios?|comentários?)\b",
    r"注释|註釋|说明|文档|コメント|комментари",
)
_COMMENTS = (*_REMARKS, r"\b(?:(?:java|php|js|ts|k|r|module)? ?docs?|docstrings?|docblocks?|document\w*)\b")
_ASIDES = (
    r"\b(?:remarks?|notes?|comments?|annotations?|markings?)\b[^.\n]{0,90}?"
    r"(?:\bfor you\b|\bmine\b|\bno need\b|n[o']t (?:be |to be )?(?:kept|keep|meant|needed|belong|part|copied|copy)\b"
    r"|\bleave (?:them|those|it) out\b|\bneedn't\b|\b(?:can|should) (?:go|be dropped|be left out)\b)",
    r"\b(?:needn't|need not|don't|do not|no need to) (?:keep|copy|paste|include|take over)\b[^.\n]{0,40}"
    r"\b(?:remarks?|notes?|comments?|markers?)\b",
    r"\b(?:Anmerkung|Hinweis|Kommentar)\w*\b[^.\n]{0,60}(?:nicht|weglassen)|\bremarques?\b[^.\n]{0,60}(?:\bpas\b|vous)",
)
_SHEET = r"(?:file|script|module|document|page|style ?sheet|Datei|Skript|fichier|archivo|fichero|ficheiro|arquivo|файл)"
_READS = r"(?:\W+\w+){0,2}\W+(?:reads?|looks?|lautet|sieht|devient|queda|fica)\b[^.\n]{0,20}$"
_BEGINS = (
    rf"\b{_SHEET}\b[^.\n]{{0,40}}\b(?:begins?|starts?|opens?|beginnt|fängt|commence|débute|empieza|comienza"
    r"|começa|начина\w+)\b[^.\n]{0,25}$",
    r"\b(?:head|top|start|beginning|Anfang|Kopf|début|principio|inicio|início|начало)\b"
    rf"(?:\W+\w+){{0,2}}\W+{_SHEET}{_READS}",
    r"\b(?:replac|chang|updat)\w*\b[^.\n]{0,30}\b(?:comment|header|licen[cs]e|banner)\b[^.\n]{0,20}"
    r"\b(?:top|start|beginning|head)\b[^.\n]{0,25}$",
    r"文件[^。\n]{0,12}开头[^。\n]{0,6}$|ファイルの先頭[^。\n]{0,12}$",
)
_ENDS = (
    rf"\b{_SHEET}\b[^.\n]{{0,40}}\b(?:ends?|endet|hört|finit|termine|termina|acaba|заканчив\w+)\b[^.\n]{{0,25}}$",
    rf"\b(?:end|bottom|tail|Ende|Schluss|fin|final|конец)\b(?:\W+\w+){{0,2}}\W+{_SHEET}{_READS}",
    r"文件[^。\n]{0,12}结尾[^。\n]{0,6}$|ファイルの末尾[^。\n]{0,12}$",
)
_ENDED = (
    rf"\b(?:this|that|here|these|it)\b[^.\n]{{0,12}}\b(?:is|are|ends)\b[^.\n]{{0,16}}\bend of the {_SHEET}\b",
    rf"\b{_SHEET} (?:ends|stops|is over) (?:here|there|with (?:this|that|these|it))\b",
    rf"\b(?:damit|hier|so) (?:endet|hört)\b[^.\n]{{0,20}}{_SHEET}|\bdas (?:ist|war)\b[^.\n]{{0,12}} Ende der {_SHEET}",
    rf"\b(?:ici|là|ainsi|aquí|ahí|así|aqui|assim)\b[^.\n]{{0,12}}(?:finit|fin|termina|acaba|final|fim)\b[^.\n]{{0,10}}{_SHEET}",
    rf"\b(?:на этом|здесь|тут|это)\b[^.\n]{{0,8}}(?:{_SHEET}\w* (?:за)?кан?ч\w+|кон(?:ец|чается) файла?)",
    r"(?:这里|到此|此处)[^。\n]{0,6}文件[^。\n]{0,4}(?:结束|末尾|结尾)|文件到此|(?:ここ|これ)[^。\n]{0,6}ファイルの(?:終わり|末尾|最後)",
)
_ADDITION = (
    r"\b(?:add(?:s|ed|ing)?|insert\w*|append\w*|füge?|hinzu\w*|einfüg\w*|ajout\w*|insér\w*|añad\w*|agreg\w*"
    r"|adicion\w*|inser[ei]\w*|добав\w*|встав\w*)\b|添加|加入|插入|追加",
)
_ALL_BELOW = (
    r"^\W*(?:everything|all|what(?:ever)?)\b[^.\n]{0,20}"
    r"\b(?:below|beneath|after|under(?:neath)?|behind|follow\w+)\b(?: (?:that|it|this|them|these|here))?[^.\n]{0,20}"
    r"\b(?:go(?:es)?|gone|remov\w+|delet\w+|dropp\w+|out)\b",
    r"^\W*alles (?:darunter|danach|dahinter|weitere)\b[^.\n]{0,30}\b(?:weg|raus|entf\w+|gelöscht)\b",
    r"^\W*(?:tout ce qui (?:suit|est (?:en )?dessous)|todo lo (?:que sigue|de (?:abajo|debajo))"
    r"|tudo o que (?:segue|vem depois))\b[^.\n]{0,30}"
    r"\b(?:suppr\w+|dispara\w+|enl\w+|elimin\w+|borr\w+|remov\w+|apag\w+|desaparece)",
    r"^\W*вс[её],? (?:что )?(?:ниже|дальше|после)[^.\n]{0,30}удал",
    r"^\W*(?:下面|之后|其后)[^。\n]{0,15}(?:删除|去掉|移除)|^\W*(?:以下|その下)[^。\n]{0,15}削除",
)
_INDENTS = (
    r"\b(?:with|by|to|in|into|as|of|hard|all|use[sd]?|mixed|mit|avec|con|com) tabs\b"
    r"|\btabs (?:and|or|to|instead|as|for) |\b(?:Tabulator\w*|tabulation\w*|tabula[cç]\w+)|табул|タブ文字|制表符",
    r"\b(?:(?:re|un|de)?-?indent\w*|dedent\w*|(?:re)?-?format\w*|align\w*|prettier)\b"
    r"|\blin(?:es?|ed|ing)\b[^.\n]{0,60}\bup with\b",
    r"\b(?:einrück\w*|eingerückt\w*|formatier\w*|retrait|indenta\w*|sangr\w*|recuo)\b|缩进|格式|インデント|整形|отступ",
)
_WRAPS = (
    r"\b(?:(?:re)?-?format\w*|prettier|clang-format|rustfmt|gofmt|re-?wrap\w*|re-?flow\w*|line breaks?)\b",
    r"\bwrap\w*\b(?! (?:\S+ ){0,6}(?:in|with|into|around|inside)\b)",
    r"\bwrap\w*\b(?=[^.\n]{0,60}\b(?:lines?|columns?|width|\d{2,3})\b)",
    r"\b(?:on|onto|in|into|fits?|to) (?:one|a|the same|its|a single) lines?\b|\bper line\b",
    r"\b(?:one|single)-line\w*|\boverlong\b",
    r"\b(?:umbr\w+|umgebrochen|einzeilig|formatier\w*|eine[rn]? Zeile|reformat\w*)\b",
    r"\b(?:une|una|uma) (?:seule |sola |só )?l[ií](?:gne|nea|nha)\b",
    r"换行|折行|一行|改行|перенос|одн(?:у|ой) строк",
)
_REWRITTEN = (
    r"\b(?:re-?(?:written|wrote|writes?)|from scratch)\b",
    r"\b(?:(?:whole|entire|complete|full) (?:new )?(?:function|method|test|class|rule|block|body))\b",
    r"\b(?:neu geschrieben|umgeschrieben|komplett neu|réécri\w+|reescri\w+|riscritt\w+)\b|重写|改写|書き直|переписа",
)
_SPELLING = (
    r"\b(?:typos?|(?:mis)?spell\w*|renam\w*|(?:new|other|another|better|wrong|correct\w*) names?|called|casing)\b",
    r"\b(?:Tippfehler|(?:um)?benann\w*|heißt|heissen|faute|renomm\w*|errata|renombr\w*|renome\w*|nombre|nome)\b",
    r"拼写|重命名|改名|名前|リネーム|опечат|переимен",
)
_RENAMES = (
    r"\brenam\w*|\b(?:better|clearer|wrong|correct\w*) names?\b|\btypos? in (?:the|its) names?\b",
    r"\b(?:umbenann|renomm|renombr|renome)\w*|重命名|改名|リネーム|переимен",
)
_EXCEPTIONS = (r"\b(?:except|but (?:not|for|the)|apart from|elsewhere|in (?:your|other) (?!file|code)\w+)\b",)
_TOP_LEVEL = (r"\b(?:outside|top[- ]level|au[sß]+erhalb|en dehors|fuera|fora)\b|снаружи|вне|外面|之外|外側",)
_SEPARATORS = (
    r"\b(?:punctuation|semi-?colons?|commas?|Komma(?:s|ta)?|Semikol\w+|Strichpunkte?n?|(?:points?-)?virgules?"
    r"|(?:punto y )?comas?|(?:ponto e )?vírgulas?|virgol[ae]|kommats?)\b"
    r"|\b(?:braces?|curly|curlies|postfix|modifier|guard clauses?|Klammern?|accolades?|llaves?|chaves?|graffe)\b"
    r"|逗号|分号|大括号|花括号|カンマ|セミコロン|波括弧|запят|точк\w+ с запятой|скобк",
)
_QUOTES = (
    r"(?<![\w.`$-])(?:(?:double|single|back)[ -]?)?(?:quot(?:es|ed|ing|ation marks?)|backticks?|apostrophes?)\b"
    r"(?![(=.`-])",
    r"\b(?:Anführungszeichen|Hochkommas?|guillemets|comillas|aspas)\b|引号|引用符|кавыч",
)
_LEFTOVERS = (
    r"\b(?:cut|goes|throw\w*|obsolete|superfluous|duplicate\w*|redundant|isn't needed|not needed|dead|leftover|out)\b",
    r"\b(?:weg|raus|plus besoin|sobra)\b",
)
_BREAK = (
    r"(?:newline|new line|line ?break|line feed|Zeilenumbruch|saut de ligne|retour à la ligne|salto de línea"
    r"|quebra de linha|перевод\w* строки|换行符?|改行)"
)
_OF_FILE = (
    r"(?:end of (?:the )?file|the (?:very )?end|EOF|Datei(?:ende|schluss)|fin d[eu]l? \w+|fi[mn]al? do \w+|конце файла"
    r"|末尾)"
)
_LACKS = (
    r"(?:add|append|insert|missing|lack\w*|needs?|want\w*|put|should|fehl\w+|ergänz\w*|füg\w+|ajout\w+|manqu\w+"
    r"|añad\w+|agreg\w+|falta\w*|adicion\w+|добав\w+|添加|加|缺|追加)"
)
_END_BREAK = (
    rf"\b{_LACKS}\b[^.\n]{{0,40}}{_BREAK}[^.\n]{{0,30}}{_OF_FILE}",
    rf"{_BREAK}[^.\n]{{0,30}}{_OF_FILE}[^\n]{{0,40}}\b{_LACKS}\b",
    rf"{_OF_FILE}[^.\n]{{0,30}}(?:{_LACKS}[^.\n]{{0,30}}{_BREAK}|{_BREAK}[^.\n]{{0,30}}{_LACKS})",
)
_YOURS = (  # the value is a guess: `# or whatever you have here`
    r"\b(?:whatever you(?:'ve got| have| use)|(?:keep|leave|use) (?:yours|what(?:ever)? you|your (?:\w+ )?value)"
    r"|as (?:you have|in your|it is in your)|your (?:existing|current) \w+|dein(?:en)? (?:\w+ )?wert"
    r"|was (?:auch immer )?du (?:\w+ )?hast|votre valeur|ta valeur|tu valor|lo que tengas|seu valor|o que você t\w+"
    r"|il tuo valore|как у (?:вас|тебя)|ваше значение)\b|你(?:自己)?的值|原来的值|お使いの値|現在の値",
)
_ORDER = (
    r"\b(?:(?:re-?)?order(?:s|ed|ing)?|(?:re-?)?sort\w*|alphabet\w*|revers\w*|regroup\w*|arrang\w*)\b",
    r"\bgroup(?:ed|ing|s?\s(?:the|them|these|all|related|together|by|it)\b)|\bswap\w*\b[^.\n]{0,80}?\b(?:and|with|places?)\b",
    r"\b(?:Reihenfolge|sortier\w*|(?:um)?geordnet|vertausch\w*|ordre|tri(?:e[rsz]?|é\w*)|ordonn\w*|orden\w*|ordem)\b",
    r"排序|顺序|順序|順番|並べ|поряд\w*|сортир\w*",
)
_PLACES = (
    r"\b(?:before|after|above|below|behind|under|beneath|between|first|last|top|bottom|end|next to|up|down)\b",
    r"\b(?:front|ahead|mov(?:e[sd]?|ing)|shift\w*|precedes?|follows?|later|earlier|prior)\b",
    r"\b(?:vor|nach|über|unter|hinter|zwischen|zuerst|zuletzt|oben|unten|versch[io]\w*)\b",
    r"\b(?:avant|après|dessus|dessous|entre|déplac\w*|remont\w*|antes|después|depois|encima|debajo|primero)\b",
    r"\b(?:mov(?:er|id[oa]s?|emos|i)|mueve|acima|abaixo)\b|前|后|後|移|перед|после|выше|ниже|перен\w*|перемест\w*",
)
_ADJOINING = (
    r"\bfollow(?:s|ed)\b[^.\n]{0,12}\b(?:directly|immediately|right|straight|by|on)\b"
    r"|\b(?:directly|immediately|now|then) (?:\w+ )?follow(?:s|ed)\b",
    r"\b(?:neighbou?rs|adjacent|next to each other|back to back)\b|\b(?:come|stand|meet)s? (?:together|side by side)\b",
    r"\bso(?: that)?\b[^.\n]{3,40}\b(?:now |then |simply |just )?(?:begins?|starts?|ends?)\b",
    r"\b(?:folg(?:t|en)\b[^.\n]{0,12}\b(?:direkt|unmittelbar|gleich)|(?:direkt|unmittelbar) (?:\w+ )?gefolgt"
    r"|(?:neben|hinter)einander|(?:suivie?s?|suit|suivent)\b[^.\n]{0,8}\b(?:directement|immédiatement|tout de suite)"
    r"|(?:directement|immédiatement) suivi|côte à côte|(?:seguid[oa]s?|siguen?|seguem?)\b[^.\n]{0,8}\b(?:directamente"
    r"|inmediatamente|diretamente|imediatamente)|(?:сразу|непосредственно)\b[^.\n]{0,12}\b(?:следу\w+|идёт|идет))\b",
    r"紧接着|紧跟|相邻|直後に|隣り合",
)
_FILE = re.compile(r"`([\w./\\-]+\.[a-z]{1,5})`")
_EACH = (
    r"\b(?:each|every) (?:of|one|place|time)|\b(?:both|everywhere|same change)\b",
    r"\b(?:in|to|for|at) (?:each|every)\b(?=[^.\n]{0,30}(?:`|\b(?:one|of|place|function|method|handler|test|case|block"
    r"|branch|occurrence|call|section|class|job|step|route|rule|target|file)))",
    r"\ball (?:of (?:them|these|those)|(?:the |its )?(?:\d+|two|three|four|five|six|seven|eight|places|occurrences)\b)",
    r"\b(?:replace[ -]all|(?:find|search)[ -](?:and|&)[ -]replace)\b",
    r"\b(?:same|likewise|identical\w*|too|also|repeat\w*)\b[^.\n]{0,40}"
    r"\b(?:in|to|for|at) the (?:\w+ )?(?:other|remaining) \w+s\b"
    r"|\b(?:in|to|for|at) the (?:\d+|two|three|four|five|six) (?:other|remaining) \w+s\b",
    r"\b(?:in|bei|an|für) (?:jede[mnrs]?|allen)\b|\ball(?:e|en)? (?:\d+|zwei|drei|vier|stellen)\b",
    r"\bbeiden?\b|\büberall\b",
    r"\b(?:dans|pour|à) chaque\b|\btou(?:te)?s les (?:\d+|trois|quatre|endroits)\b|\bles deux\b|\bpartout\b",
    r"\b(?:en|para|em) cada\b|\btod[oa]s (?:l[oa]s|os|as) (?:\d+|tres|três|cuatro|quatro|lugares)\b|\bamb[oa]s\b",
    r"в (?:каждо\w+|обоих|обеих)|во всех|везде|两[个处]|每[个处]|すべてに|両方|それぞれ|두 곳|모든 곳",
)
_OTHERS_ALIKE = (  # not what stays the same
    r"(?<!stays the )(?<!stay the )(?<!remains the )(?<!remain the )"
    r"\b(?:same|likewise|ditto)\b(?: [\w-]+){0,4}? (?:for|in|with|to|at)\b(?: [\w-]+){0,3}? "
    r"(?:others?|rest|remaining|every|all|each)\b|\b(?:das Gleiche|dasselbe|genauso|ebenso)\b[^.\n]{0,30}"
    r"\b(?:anderen|übrigen|restlichen|alle[nr]?)\b|\b(?:de même|pareil|la même chose)\b[^.\n]{0,20}"
    r"\b(?:autres|tou\w+)\b"
    r"|\b(?:lo mismo|igual|o mesmo)\b[^.\n]{0,20}\b(?:demás|otr[oa]s|outr[oa]s|tod[oa]s|restantes)\b"
    r"|то же[^.\n]{0,20}(?:остальн|други)|其[他它余][^。\n]{0,12}(?:同样|一样|同理)|(?:他|残り)も同(?:様|じ)",
)
_WORDS = {
    "whole": _WHOLE,
    "removal": _REMOVAL,
    "before": _BEFORE,
    "after": _AFTER,
    "present": _PRESENT,
    "blanks": _BLANKS,
    "no blanks": _NO_BLANKS,
    "line ends": _LINE_ENDS,
    "comments": _COMMENTS,
    "remarks": _REMARKS,
    "asides": _ASIDES,
    "leftovers": _LEFTOVERS,
    "begins": _BEGINS,
    "ends": _ENDS,
    "ended": _ENDED,
    "addition": _ADDITION,
    "all below": _ALL_BELOW,
    "indents": _INDENTS,
    "wraps": _WRAPS,
    "spelling": _SPELLING,
    "renames": _RENAMES,
    "exceptions": _EXCEPTIONS,
    "top level": _TOP_LEVEL,
    "separators": _SEPARATORS,
    "quotes": _QUOTES,
    "rewritten": _REWRITTEN,
    "end break": _END_BREAK,
    "yours": _YOURS,
    "order": _ORDER,
    "places": _PLACES,
    "each": _EACH,
    "adjoining": _ADJOINING,
    "others alike": _OTHERS_ALIKE,
}


def speaks_of(subject: str, text: str) -> bool:
    """Whether a text has a word of `subject`: "removal", "addition", "whole" (a file), "blanks" (lines), "no blanks",
    spaces at "line ends", "comments" and docs, "remarks" alone, "asides" (those in the code not meant), how a file
    "begins" or "ends", that it "ended" above, that "all below" goes, "indents", "wraps" (where lines break), "spelling"
    (of names), what "renames" things, "exceptions" from all, the "top level", "separators" (commas, semicolons,
    braces), "quotes", that something is "rewritten" as a whole, that the file lacks an "end break" behind its last
    line, that a value stays as it is there ("yours"), an "order" of lines, "places" of them, "each" of some, things
    "adjoining" others, that the same goes for "others alike", one that labels what was "before" and "after", or that
    ends in a word of the "present"."""
    return _pattern(subject).search(text) is not None


@cache
def _pattern(subject: str) -> re.Pattern[str]:
    return re.compile("|".join(_WORDS[subject]), re.IGNORECASE)


def last_lines(prose: str) -> str:
    """The last two written lines of a text."""
    return "\n".join([line for line in prose.split("\n") if line.strip()][-2:])


def last_line(prose: str) -> str:
    """The last written line of a text."""
    return next((line for line in reversed(prose.split("\n")) if line.strip()), "")


def names_another_file(prose: str, path: str) -> bool:
    """Whether the last sentence before a block names a file, and not this one."""
    found = _FILE.findall(prose.strip().rpartition("\n")[2])
    return bool(found) and not any(is_path_of(name, path) for name in found)
