"""What can go wrong with a configuration."""

from __future__ import annotations

from typing import ClassVar


class SettingsError(Exception):
    """A configuration that can't be used: says which key, and what is allowed."""

    exit_code: ClassVar[int] = 2
