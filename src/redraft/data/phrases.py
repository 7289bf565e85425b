"""In: one of eight human languages. Out: what assistants say in it: markers in free words, notes and sentences."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Phrases:
    """What an assistant of one language says.

    `naming` and `plain`: what stays, with names of it or without. `opening`: before all; `add`, `change`: before a
    block; `after`: where a block belongs; `gone`: that something is deleted, in prose or in a comment; `rename`: that a
    name is another everywhere; `whole`: that a block is the whole file; `closing`; `example`: that a block is not.
    """

    naming: tuple[str, ...]
    plain: tuple[str, ...]
    opening: tuple[str, ...]
    add: tuple[str, ...]
    change: tuple[str, ...]
    after: tuple[str, ...]
    gone: tuple[str, ...]
    rename: tuple[str, ...]
    whole: tuple[str, ...]
    closing: tuple[str, ...]
    example: tuple[str, ...]


_ENGLISH = Phrases(
    naming=(
        "{name}: nothing new",
        "{name} as you have it",
        "{name} stays",
        "{name} stay exactly as they are",
        "{name} (body unchanged)",
        "rest of {name} as you know it",
        "no change to {name}",
        "{name} and so on",
        "{name} go on as before",
        "then {name}, untouched",
        "... {name} ...",
        "... keep {name} ...",
        "{name} here",
        "your {name}",
        "(leave {name} alone)",
        "skipping {name}",
        "{name} is fine the way it is",
    ),
    plain=(
        "... existing code ...",
        "... rest of the code ...",
        "...",
        "nothing new up to here",
        "all of this stays",
        "these stay",
        "same as you had",
        "as it was",
        "what was here before",
        "the part above is fine",
        "other entries unchanged",
        "(body unchanged)",
        "... old text ...",
        "everything else as in your file",
        "below: no change",
        "etc.",
        "[same]",
        "the others follow here",
        "your code",
    ),
    opening=(
        "Sure, here is what changes.",
        "That only touches a few lines:",
        "I looked at the file. This should do it.",
        "OK.",
        "Done, see below.",
        "This needs a small change in `{path}`.",
        "",
        "",
    ),
    add=("Add this:", "This comes in:", "New here:", "Insert:", "Then put in the following."),
    change=("Change this part:", "Update it like this:", "It becomes:", "Replace with:", "Here:", ""),
    after=("Right after `{name}`:", "Below `{name}` goes this:", "In `{name}`:", "Inside `{name}`, update:"),
    gone=(
        "{name} is gone",
        "removed: {name}",
        "dropped {name}",
        "{name} is no longer needed",
        "no {name} any more",
        "deleted {name}",
    ),
    rename=(
        "Rename `{old}` to `{new}` everywhere in the file, as here:",
        "`{old}` is called `{new}` from now on; all other places alike. For example:",
        "Replace every `{old}` by `{new}`. The first one:",
    ),
    whole=("Here is the complete file:", "The whole file, ready to paste:", "Full updated version:"),
    closing=("That is all.", "Nothing else changes.", "Let me know how it goes!", "I have not run the tests.", "", ""),
    example=("You would call it like this (not part of the file):", "For example, somewhere else:"),
)
_GERMAN = Phrases(
    naming=(
        "{name} bleibt wie gehabt",
        "{name}: unverändert",
        "... {name} wie bisher ...",
        "an {name} ändert sich nichts",
        "hier weiter mit {name}",
    ),
    plain=("... bestehender Code ...", "Rest bleibt gleich", "wie zuvor", "... unverändert ...", "der übrige Code"),
    opening=("Gerne, hier die Änderung:", "Das sind nur wenige Zeilen.", "So sollte es gehen:", ""),
    add=("Füge das hinzu:", "Neu kommt dazu:"),
    change=("Ändere diese Stelle:", "Daraus wird:", "Ersetze das so:"),
    after=("Direkt nach `{name}`:", "In `{name}`:"),
    gone=("{name} entfällt", "{name} gelöscht", "{name} wird nicht mehr gebraucht"),
    rename=(
        "Benenne `{old}` überall in `{new}` um, zum Beispiel:",
        "Aus `{old}` wird in der ganzen Datei `{new}`, so:",
    ),
    whole=("Hier die vollständige Datei:",),
    closing=("Der Rest bleibt, wie er ist.", "Mehr ist nicht nötig.", ""),
    example=("So ruft man es auf (nur ein Beispiel):",),
)
_FRENCH = Phrases(
    naming=("{name} reste tel quel", "rien ne change dans {name}", "... {name} inchangé ...", "{name} comme avant"),
    plain=("... code existant ...", "le reste ne change pas", "comme avant", "... inchangé ...", "suite du code"),
    opening=("Voici la modification :", "Bien sûr. Seules quelques lignes changent.", ""),
    add=("Ajoutez ceci :", "À ajouter :"),
    change=("Remplacez cette partie :", "Cela devient :"),
    after=("Juste après `{name}` :", "Dans `{name}` :"),
    gone=("{name} supprimé", "{name} n'est plus utile", "on enlève {name}"),
    rename=("Renommez `{old}` en `{new}` partout, par exemple :", "`{old}` devient `{new}` dans tout le fichier :"),
    whole=("Voici le fichier complet :",),
    closing=("Tout le reste est identique.", ""),
    example=("Exemple d'appel (hors du fichier) :",),
)
_SPANISH = Phrases(
    naming=("{name} sigue igual", "sin cambios en {name}", "... {name} como antes ...", "aquí {name}, tal cual"),
    plain=("... código existente ...", "el resto igual", "sin cambios", "... lo de antes ...", "lo demás no cambia"),
    opening=("Claro, este es el cambio:", "Solo cambian unas líneas.", ""),
    add=("Añade esto:", "Se agrega:"),
    change=("Cambia esta parte:", "Queda así:"),
    after=("Justo después de `{name}`:", "Dentro de `{name}`:"),
    gone=("{name} eliminado", "ya no hace falta {name}", "se quita {name}"),
    rename=("Cambia `{old}` por `{new}` en todo el archivo, por ejemplo:",),
    whole=("Este es el archivo completo:",),
    closing=("Lo demás queda como está.", ""),
    example=("Un ejemplo de uso (no va en el archivo):",),
)
_PORTUGUESE = Phrases(
    naming=("{name} continua igual", "nada muda em {name}", "... {name} como estava ..."),
    plain=("... código existente ...", "o resto fica igual", "sem mudanças", "... restante ..."),
    opening=("Claro, segue a alteração:", "São poucas linhas.", ""),
    add=("Adicione isto:", "Entra aqui:"),
    change=("Troque esta parte:", "Fica assim:"),
    after=("Logo depois de `{name}`:", "Em `{name}`:"),
    gone=("{name} removido", "{name} não é mais necessário"),
    rename=("Troque `{old}` por `{new}` no arquivo todo, por exemplo:",),
    whole=("O arquivo completo:",),
    closing=("O resto não muda.", ""),
    example=("Exemplo de uso (fora do arquivo):",),
)
_CHINESE = Phrases(
    naming=("{name} 保持不变", "{name}：无改动", "……{name} 同前……"),
    plain=("... 现有代码 ...", "其余不变", "保持原样", "（省略）", "原有逻辑"),
    opening=("好的，修改如下：", "只需改几行。", ""),
    add=("新增：", "加入下面的代码："),
    change=("修改这一段：", "改为："),
    after=("在 `{name}` 之后：", "在 `{name}` 中："),
    gone=("已删除 {name}", "{name} 不再需要"),
    rename=("把文件中所有 `{old}` 改为 `{new}`，例如：",),
    whole=("完整文件如下：",),
    closing=("其他部分不用动。", ""),
    example=("调用示例（不属于该文件）：",),
)
_JAPANESE = Phrases(
    naming=("{name} はそのまま", "{name}：変更なし", "…{name} は従来どおり…"),
    plain=("... 既存のコード ...", "以下同じ", "変更なし", "（省略）", "残りはそのまま"),
    opening=("変更点は次のとおりです。", "数行だけの修正です。", ""),
    add=("これを追加します：", "追加："),
    change=("ここを変更します：", "次のようになります："),
    after=("`{name}` の直後：", "`{name}` の中："),
    gone=("{name} は削除", "{name} は不要"),
    rename=("ファイル全体で `{old}` を `{new}` に置き換えます。例：",),
    whole=("ファイル全体です：",),
    closing=("ほかは変更不要です。", ""),
    example=("使用例（ファイルには含みません）：",),
)
_RUSSIAN = Phrases(
    naming=("{name} без изменений", "{name} остаётся как было", "... {name} как раньше ..."),
    plain=("... существующий код ...", "остальное без изменений", "как было", "... дальше всё то же ..."),
    opening=("Вот изменение:", "Меняется всего несколько строк.", ""),
    add=("Добавьте:", "Новое:"),
    change=("Замените этот фрагмент:", "Станет так:"),
    after=("Сразу после `{name}`:", "В `{name}`:"),
    gone=("{name} удалено", "{name} больше не нужно"),
    rename=("Замените `{old}` на `{new}` во всём файле, например:",),
    whole=("Файл целиком:",),
    closing=("Остальное не трогаем.", ""),
    example=("Пример вызова (не часть файла):",),
)
TONGUES: dict[str, Phrases] = {
    "en": _ENGLISH,
    "de": _GERMAN,
    "fr": _FRENCH,
    "es": _SPANISH,
    "pt": _PORTUGUESE,
    "zh": _CHINESE,
    "ja": _JAPANESE,
    "ru": _RUSSIAN,
}
