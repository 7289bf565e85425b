"""Who may use a server: everybody on this machine, or whoever has the key."""

import pytest

from redraft.access import check_address, has_key, is_loopback
from redraft.errors import RedraftError


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.0.1", "::1", "[::1]", "localhost"])
def test_an_address_of_this_machine_needs_no_key(host: str) -> None:
    assert is_loopback(host)
    check_address(host, "")


@pytest.mark.parametrize(
    "host", ["0.0.0.0", "::", "10.0.0.7", "example.org", "localhost.example.org", "", "127.0.0.1.nip.io"]
)
def test_any_other_address_needs_a_key_or_a_word(host: str) -> None:
    with pytest.raises(RedraftError, match="REDRAFT_API_KEY"):
        check_address(host, "")
    check_address(host, "secret")
    check_address(host, "", is_open=True)


@pytest.mark.parametrize("key", ["two words", "schlüssel", "line\nbreak"])
def test_a_key_fits_into_a_header(key: str) -> None:
    with pytest.raises(RedraftError, match="visible ASCII"):
        check_address("127.0.0.1", key)


def test_only_the_key_opens() -> None:
    assert has_key("Bearer secret", "secret")
    assert has_key("bearer  secret ", "secret")
    for wrong in (
        None,
        "",
        "Bearer",
        "Bearer ",
        "Bearer secre",
        "Bearer secret2",
        "Basic secret",
        "secret",
        "Bearer sécret",
    ):
        assert not has_key(wrong, "secret")
