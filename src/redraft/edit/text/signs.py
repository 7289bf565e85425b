"""In: a line of an answer and one of the file. Out: the signs in which alone they differ, in words; "" otherwise."""

_PLAIN = {
    **dict.fromkeys("\u2018\u2019", "'"),
    **dict.fromkeys("\u201c\u201d", '"'),
    **dict.fromkeys("\u2010\u2011\u2013\u2014\u2212", "-"),
    **dict.fromkeys("\u00a0\u202f\u2007", " "),
    "\u2026": "...",
}
_NAMES = {"'": "the apostrophe", '"': "quotes", "-": "a dash", "...": "dots", " ": "a space"}
_TABLE = str.maketrans(_PLAIN)


def differing(shown: str, old: str) -> str:
    """As `the apostrophe (' for U+2019)`; several are listed."""
    shown, old = shown.strip(), old.strip()
    if shown == old or shown.translate(_TABLE) != old.translate(_TABLE):
        return ""
    found: dict[str, str] = {}
    for sign, plain in _PLAIN.items():
        if shown.count(sign) != old.count(sign):
            one, other = (_code(sign), plain) if shown.count(sign) > old.count(sign) else (plain, _code(sign))
            found.setdefault(_NAMES[plain], f"{_NAMES[plain]} ({one} for {other})".replace("(  for", "(plain for"))
    return " and ".join(found.values())


def _code(sign: str) -> str:
    return f"U+{ord(sign):04X}"
