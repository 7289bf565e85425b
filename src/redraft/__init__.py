"""In: a file and a sketch of its new version. Out: the rewritten file, by a language model that verifies a draft of it.

>>> import redraft
>>> redraft.load(readers="merge").apply("a = 1\\nb = 2\\n", update="a = 3\\n# ... existing code ...\\n").output
'a = 3\\nb = 2\\n'
"""

from redraft.apply import Redraft, Result, load
from redraft.edit.request import Message, Request
from redraft.engines import Chunk, Engine, Sampling
from redraft.errors import RedraftError

__all__ = ["Chunk", "Engine", "Message", "Redraft", "RedraftError", "Request", "Result", "Sampling", "load"]
