"""In: a file, an answer and a text. Out: the first law that the text breaks, in a sentence for people."""

from redraft.laws.laws import Broken, broken

__all__ = ["Broken", "broken"]
