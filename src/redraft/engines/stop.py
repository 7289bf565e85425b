"""In: text as it is generated, in pieces. Out: the text that may be shown, ending before the first stop string."""


class Stop:
    """Holds back what may become a stop string; how the text is cut into pieces changes nothing.

    The stop string that is complete first ends the output; of two that end together, the longer.
    """

    def __init__(self, strings: tuple[str, ...]) -> None:
        self.strings = strings
        self._held = ""
        self.stopped = False

    def feed(self, text: str) -> str:
        text = self._held + text
        found = ((start + len(stop), start) for stop in self.strings if (start := text.find(stop)) >= 0)
        _, end = min(found, default=(0, -1))
        if end >= 0:
            self.stopped = True
            self._held = ""
            return text[:end]
        shown = len(text) - max((_begun(text, stop) for stop in self.strings), default=0)
        self._held = text[shown:]
        return text[:shown]

    def flush(self) -> str:
        """What was held back when no more text comes."""
        held, self._held = self._held, ""
        return held


def _begun(text: str, stop: str) -> int:
    """How many characters at the end of `text` may be the beginning of `stop`."""
    return next((n for n in range(min(len(stop) - 1, len(text)), 0, -1) if text.endswith(stop[:n])), 0)
