"""Secrets come from the environment alone: what of a configuration may not stand in a file, or nowhere at all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from streams.config.errors import SettingsError
from streams.config.overrides import PREFIX

API_KEY_HOLE = "{api_key}"

_SECRET_HEADER = re.compile(r"authorization|cookie|api.?key|passw|secret|token", re.IGNORECASE)
_SECRET_PARAMETER = re.compile(r"^key$|api.?key|passw|secret|token", re.IGNORECASE)


def refuse_secrets_in_file(data: Mapping[str, Any], file: object) -> None:
    """Raises SettingsError, which repeats none of it, where a file holds a secret that has a variable of its own."""
    kafka, clickhouse = data.get("kafka"), data.get("clickhouse")
    if isinstance(kafka, dict) and "sasl_password" in kafka:
        raise SettingsError(f"{file}: kafka.sasl_password is a secret: set {PREFIX}KAFKA_SASL_PASSWORD instead")
    dsn = clickhouse.get("dsn") if isinstance(clickhouse, dict) else None
    if isinstance(dsn, str) and (_password_by_hand(dsn) or _secret_parameter(dsn)):
        raise SettingsError(
            f"{file}: clickhouse.dsn holds a password: set {PREFIX}CLICKHOUSE_DSN in the environment instead"
        )


def refuse_open_secrets(data: Mapping[str, Any]) -> None:
    """Raises SettingsError where a judge's key stands in a value that is shown: an address or a header."""
    for name, judge in _judges(data):
        address = judge.get("base_url")
        if isinstance(address, str) and (_password(address) or _secret_parameter(address)):
            raise SettingsError(
                f"judges.{name}.base_url holds a secret: put it into the variable that api_key_env names"
            )
        http = judge.get("http")
        headers = http.get("headers") if isinstance(http, dict) else None
        for header, value in headers.items() if isinstance(headers, dict) else ():
            if _SECRET_HEADER.search(header) and isinstance(value, str) and API_KEY_HOLE not in value:
                raise SettingsError(
                    f"judges.{name}.http.headers.{header} may hold a secret: write {API_KEY_HOLE} where the key "
                    "goes, and put the key into the variable that api_key_env names"
                )


def _judges(data: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    judges = data.get("judges")
    for name, judge in judges.items() if isinstance(judges, dict) else ():
        if isinstance(judge, dict):
            yield name, judge


def _password_by_hand(dsn: str) -> bool:
    # A password with a slash or an @ in it is not where a parser of URLs looks for it.
    credentials = (dsn.partition("://")[2] or dsn).rpartition("@")[0]
    return credentials.partition(":")[2] != ""


def _password(address: str) -> bool:
    try:
        return bool(urlsplit(address).password)
    except ValueError:
        return False


def _secret_parameter(address: str) -> bool:
    try:
        given = parse_qsl(urlsplit(address).query)
    except ValueError:
        return False
    return any(value and _SECRET_PARAMETER.search(name) for name, value in given)
