"""In: a file, an answer and a text. Out: the first law that the text breaks, in a sentence for people."""

from redraft.laws.change import Broken
from redraft.laws.laws import broken, broken_choice, broken_judged, broken_text, broken_writing

__all__ = ["Broken", "broken", "broken_choice", "broken_judged", "broken_text", "broken_writing"]
