"""In: the sentences of an answer. Out: whether they are in another language than English, the only one that is read."""

import re

_CODE = re.compile(r"`[^`]*`|https?://\S+")
_LETTERS = re.compile(r"[^\W\d_]+")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]+")
_LEAST = 2  # words that tell a language; one may be a name
_ENGLISH = """
the is and of to in this with it for that are now from be was you your we i have has not on at as by an so only
if then which would should just these those its they there here what when will can both new
"""
_OTHERS = """
der die das und nicht ist ein eine den dem mit auf von wird noch jetzt auch nur sich bei als im zu le la les un
une des du et est pas pour dans avec sur qui que ce cette il elle sont aussi au aux el los las una del y en es
por para con se su lo como pero al más está ahora também não o os uma do da dos em no na nos nas ao com mais já
agora het een van niet naar wordt zijn ook nu bij op te dat deze voor gli di che non per nel della sono si jest
nie się w z och att som på av är det ikke og til bir ve bu için ile jak aby pro nebo ja
"""
_OF_ENGLISH, _OF_OTHERS = frozenset(_ENGLISH.split()), frozenset(_OTHERS.split())


def is_foreign(prose: str) -> bool:
    """Whether most words that tell a language are another one's, or most letters of another script.

    A word that English has, too, tells nothing.
    """
    said = _CODE.sub(" ", prose)
    words = [word.lower() for word in _LETTERS.findall(said)]
    if 2 * sum(_LATIN.fullmatch(word) is None for word in words) > len(words):
        return True
    english = sum(word in _OF_ENGLISH for word in words)
    others = sum(word in _OF_OTHERS for word in words)
    return others >= _LEAST and others > english
