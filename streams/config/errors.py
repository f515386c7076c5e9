"""What can go wrong with a configuration."""

from __future__ import annotations


class SettingsError(Exception):
    """A configuration that can't be used: says which key, and what is allowed."""
