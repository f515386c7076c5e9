"""How a Kafka client is told where the broker is and who we are."""

from __future__ import annotations

import logging
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from streams.config.errors import SettingsError
from streams.config.overrides import PREFIX
from streams.config.sections import KafkaSettings

HEADROOM_BYTES = 100_000
"""What a dead letter's headers may add to a record that is as large as a record may be."""


def client_options(kafka: KafkaSettings) -> dict[str, Any]:
    """The connection arguments that every aiokafka client takes. Raises SettingsError where they can't be used."""
    options: dict[str, Any] = {
        "bootstrap_servers": kafka.bootstrap_servers,
        "security_protocol": kafka.security_protocol,
        "ssl_context": ssl_context_of(kafka),
    }
    if kafka.security_protocol.startswith("SASL"):
        username, password = sasl_user(kafka)
        options |= {
            "sasl_mechanism": kafka.sasl_mechanism or "PLAIN",
            "sasl_plain_username": username,
            "sasl_plain_password": password,
        }
    return options


@contextmanager
def overheard() -> Iterator[list[str]]:
    """What aiokafka logs meanwhile, in place of the log: why a connection failed is said there alone."""
    logged: list[str] = []

    class _Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            logged.append(record.getMessage())

    logger, listener = logging.getLogger("aiokafka"), _Listener()
    propagates = logger.propagate
    logger.addHandler(listener)
    logger.propagate = False
    try:
        yield logged
    finally:
        logger.removeHandler(listener)
        logger.propagate = propagates


def sasl_user(kafka: KafkaSettings) -> tuple[str, str]:
    """User name and password. Raises SettingsError where either is missing."""
    if not kafka.sasl_username or kafka.sasl_password is None:
        raise SettingsError(
            f"kafka.security_protocol {kafka.security_protocol} needs kafka.sasl_username, and "
            f"{PREFIX}KAFKA_SASL_PASSWORD in the environment"
        )
    return kafka.sasl_username, kafka.sasl_password.get_secret_value()


def ssl_context_of(kafka: KafkaSettings) -> ssl.SSLContext | None:
    """The configured certificates; None for a connection without TLS. Raises SettingsError for unusable files."""
    if "SSL" not in kafka.security_protocol:
        return None
    try:
        context = ssl.create_default_context(cafile=str(kafka.ssl_cafile) if kafka.ssl_cafile else None)
    except OSError as error:
        raise SettingsError(f"kafka.ssl_cafile {kafka.ssl_cafile} can't be used: {error.strerror}") from None
    if kafka.ssl_certfile is not None:
        try:
            context.load_cert_chain(kafka.ssl_certfile, kafka.ssl_keyfile)
        except OSError as error:
            raise SettingsError(
                f"kafka.ssl_certfile {kafka.ssl_certfile} (with kafka.ssl_keyfile {kafka.ssl_keyfile or 'none'}) "
                f"can't be used: {error.strerror}"
            ) from None
    return context
