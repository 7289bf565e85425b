"""In: an address to listen on, a key, and what a request brings. Out: whether they may go together."""

import hmac
import ipaddress
import socket

from redraft.errors import RedraftError

KEY = "REDRAFT_API_KEY"  # the environment variable: unlike an option it is in no list of processes
LOOPBACK = "127.0.0.1"


def is_loopback(host: str) -> bool:
    """Whether only programs of this machine reach the address; a name other than localhost may lead anywhere."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def is_ours(header: str, host: str) -> bool:
    """Whether a Host header names this machine, so that no page in a browser asked under a name of its own.

    A name that others made point here is none of ours; a number is, where the server listens on more than loopback.
    """
    name = header[1:].partition("]")[0] if header.startswith("[") else header.partition(":")[0].lower()
    if is_loopback(host):
        return is_loopback(name)
    own = socket.gethostname().lower()
    return _is_number(name) or name in ("localhost", host.lower(), own, f"{own}.local", own.partition(".")[0])


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def check_address(host: str, key: str, is_open: bool = False) -> None:
    """Raises RedraftError for an address that others reach where there is no key, unless all are to be let in."""
    if key and (not key.isascii() or not key.isprintable() or " " in key):
        raise RedraftError("the key may hold only visible ASCII characters: it travels in a header")
    if not (key or is_open or is_loopback(host)):
        raise RedraftError(f"whoever reaches {host} could use this server: set {KEY}, or let in all with --open")


def has_key(authorization: str | None, key: str) -> bool:
    """Whether a header `Authorization: Bearer KEY` has the key; takes the same time for any wrong one."""
    scheme, _, given = (authorization or "").partition(" ")
    return hmac.compare_digest(given.strip().encode(), key.encode()) and scheme.lower() == "bearer"
