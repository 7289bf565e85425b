"""In: lines and sentences of an answer, and the words of the file. Out: what they say: markers, notes, operations."""

from redraft.edit.words.comments import comment_body
from redraft.edit.words.known import Known
from redraft.edit.words.markers import is_marker
from redraft.edit.words.notes import Deletion, deletion, tells_removal
from redraft.edit.words.prose import sayings
from redraft.edit.words.saying import Place, Saying, Verb
from redraft.edit.words.shortening import shortened

__all__ = [
    "Deletion",
    "Known",
    "Place",
    "Saying",
    "Verb",
    "comment_body",
    "deletion",
    "is_marker",
    "sayings",
    "shortened",
    "tells_removal",
]
