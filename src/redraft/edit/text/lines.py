"""In: a line. Out: what it is made of."""


def is_telling(text: str) -> bool:
    """Whether a line holds more than brackets and signs."""
    return any(map(str.isalnum, text))
