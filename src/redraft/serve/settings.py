"""In: nothing. Out: what a server is told when it is started."""

from dataclasses import dataclass, field

from redraft.access import LOOPBACK
from redraft.apply import Readers
from redraft.budget import AT_ONCE
from redraft.edit.prompts.prompt import Format


@dataclass(frozen=True)
class Limits:
    """What one server takes on: waiting jobs, seconds of a job in all, seconds for a head and for a body to arrive,
    bytes of the latter, and seconds that reading an edit may take, models not counted."""

    waiting: int = 64
    seconds: float = 120.0
    body_seconds: float = 30.0
    head_seconds: float = 10.0
    body_bytes: int = 4 * 1024 * 1024
    reading_seconds: float = AT_ONCE


@dataclass(frozen=True)
class Settings:
    """Which engine serves, where it listens, and who is let in; an empty `key` lets in everybody who can connect.

    `origins` are the origins of other pages that browsers may call from, none by default.
    """

    engine: str = "embedded"
    readers: Readers = "auto"
    dtype: str | None = None
    template: str | None = None
    output_format: Format = "whole"
    window: int | None = None
    host: str = LOOPBACK
    port: int = 8000
    key: str = field(default="", repr=False)
    origins: tuple[str, ...] = ()
    workers: int = 1
    limits: Limits = field(default_factory=Limits)
