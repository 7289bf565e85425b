"""The one error tree: a `RedraftError` is safe to show to the user as one line."""


class RedraftError(Exception):
    """Something the user can act on; its message names the thing that is wrong."""


class TooLongError(RedraftError):
    """A request that does not fit into the model's context."""


class RefusedError(RedraftError):
    """What was asked is possible, and was not done for the sake of the files."""


class ChangedError(RedraftError):
    """A file is no longer what was read; nothing was written."""


class MissingError(RedraftError):
    """Something that has to be installed first; the message names the command.

    `commands` are what somebody types to have all of it, where that is more, or other, than the message says.
    """

    def __init__(self, message: str, commands: str = "") -> None:
        super().__init__(message)
        self.commands = commands


class TimeUpError(RedraftError):
    """An edit that takes longer than it may."""

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"reading the answer takes longer than {seconds:g} seconds, and nothing was written: send fewer changes at"
            " once, or SEARCH/REPLACE blocks or a diff of the lines that change, or allow more with --time"
        )


class TooDeepError(RedraftError):
    """An edit of what is nested deeper than can be read."""

    def __init__(self) -> None:
        super().__init__(
            "the file or the answer is nested too deep to be read, and nothing was written: send SEARCH/REPLACE blocks"
            " of the lines that change"
        )
