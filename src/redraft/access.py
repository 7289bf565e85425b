"""In: an address to listen on, a key, and what a request brings. Out: whether they may go together."""

import hmac
import ipaddress

from redraft.errors import RedraftError

KEY = "REDRAFT_API_KEY"  # the environment variable: unlike an option it is in no list of processes
LOOPBACK = "127.0.0.1"


def is_loopback(host: str) -> bool:
    """Whether only programs of this machine reach the address; a name other than localhost may lead anywhere."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


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
