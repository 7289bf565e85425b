"""In: chunks of any engine as they come. Out: the same, ended with the first with which the text runs away."""

from collections.abc import Iterator
from dataclasses import replace

from redraft.edit.guard.runaway import Runaway
from redraft.engines import Chunk


def stopped(chunks: Iterator[Chunk], watch: Runaway) -> Iterator[Chunk]:
    """The last chunk of a text that has run away has the finish "runaway"; the engine is asked for no more."""
    for chunk in chunks:
        if watch.feed(chunk.text) and not chunk.finish:
            yield replace(chunk, finish="runaway")
            return
        yield chunk
