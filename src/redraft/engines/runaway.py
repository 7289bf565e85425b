"""In: chunks of any engine as they come. Out: the same, ended with the first with which the text runs away."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from redraft.edit.guard.runaway import Runaway
from redraft.engines import Chunk

Progress = Callable[[str, int], None]  # what a text grows by, and how long it will probably be: 0 where nobody knows


def stopped(chunks: Iterator[Chunk], watch: Runaway, progress: Progress | None = None) -> Iterator[Chunk]:
    """The last chunk of a text that has run away has the finish "runaway"; the engine is asked for no more.

    `progress` hears of each chunk.
    """
    for chunk in chunks:
        if progress is not None:
            progress(chunk.text, watch.expected)
        if watch.feed(chunk.text) and not chunk.finish:
            yield replace(chunk, finish="runaway")
            return
        yield chunk
