"""In: lines and sentences of an answer, and the words of the file. Out: what they say: markers, notes, operations."""

from redraft.edit.words.comments import comment_body
from redraft.edit.words.directive import Directive, Place, Verb
from redraft.edit.words.known import Known
from redraft.edit.words.markers import is_marker
from redraft.edit.words.notes import Deletion, deletion, tells_removal
from redraft.edit.words.prose import directives
from redraft.edit.words.shortening import shortened

__all__ = [
    "Deletion",
    "Directive",
    "Known",
    "Place",
    "Verb",
    "comment_body",
    "deletion",
    "directives",
    "is_marker",
    "shortened",
    "tells_removal",
]
