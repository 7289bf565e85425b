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
    """Something that has to be installed first; the message names the command."""
