"""What a Faust app shows the broker: who we are, and which certificates we trust."""

from __future__ import annotations

import faust
from faust.types.auth import CredentialsT

from streams.config.sections import KafkaSettings
from streams.kafka.connection import sasl_user, ssl_context_of


def faust_credentials(kafka: KafkaSettings) -> CredentialsT | None:
    """The credentials of a Faust app; None for a plain connection. Raises SettingsError where they can't be used."""
    context = ssl_context_of(kafka)
    if kafka.security_protocol.startswith("SASL"):
        username, password = sasl_user(kafka)
        return faust.SASLCredentials(
            username=username,
            password=password,
            mechanism=kafka.sasl_mechanism or "PLAIN",
            ssl_context=context,
        )
    return faust.SSLCredentials(context) if context is not None else None
