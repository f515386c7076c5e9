"""DSNs in every form, and none that shows its password."""

import pytest

from metrics.clickhouse.dsn import Dsn
from metrics.clickhouse.errors import DsnError


@pytest.mark.parametrize(
    ("text", "shown", "driver"),
    [
        (
            "clickhouse://user:secret@host:9999/fair",
            "clickhouse://user@host:9999/fair",
            "http://user:secret@host:9999/fair",
        ),
        ("clickhouse://host", "clickhouse://host:8123/default", "http://host:8123/default"),
        ("http://127.0.0.1:8123/", "http://127.0.0.1:8123/default", "http://127.0.0.1:8123/default"),
        ("https://u:secret@ch.cloud/db", "https://u@ch.cloud:8443/db", "https://u:secret@ch.cloud:8443/db"),
        ("clickhouses://u@host/db", "clickhouses://u@host:8443/db", "https://u@host:8443/db"),
        ("clickhouse://u@host:8443/db", "clickhouse://u@host:8443/db", "https://u@host:8443/db"),
        ("http://[::1]:8123/db", "http://[::1]:8123/db", "http://[::1]:8123/db"),
        (" http://h/db?verify=false\n", "http://h:8123/db", "http://h:8123/db?verify=false"),
        ("http://u:p%40ss%2Fsecret@h/db", "http://u@h:8123/db", "http://u:p%40ss%2Fsecret@h:8123/db"),
    ],
)
def test_forms(text: str, shown: str, driver: str) -> None:
    dsn = Dsn(text)
    assert str(dsn) == shown
    assert "secret" not in repr(dsn)
    assert dsn.with_password() == driver


def test_another_database() -> None:
    assert Dsn("clickhouse://u:p@h/db").with_password(database="other") == "http://u:p@h:8123/other"


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("", "'no scheme' is not understood"),
        ("host:8123", "'host' is not understood"),
        ("postgres://u:secret@h/db", "'postgres' is not understood"),
        ("clickhouse://", "there is no host"),
        ("clickhouse:///db", "there is no host"),
        ("clickhouse://u:secret@h:port/db", "the port or host can't be read"),
        ("clickhouse://u:secret@h:99999/db", "the port or host can't be read"),
        ("clickhouse://[u:secret@h/db", "the port or host can't be read"),
    ],
)
def test_what_is_no_dsn_is_said_without_its_password(text: str, match: str) -> None:
    with pytest.raises(DsnError, match=match) as failed:
        Dsn(text)
    assert "secret" not in str(failed.value)
    assert "clickhouse://user:password@host:8123/database" in str(failed.value)
