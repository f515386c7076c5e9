"""Options that several commands share."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from streams.cli.errors import InputError
from streams.config.settings import load_settings

Result = TypeVar("Result")


def with_settings(command: Callable[..., Result]) -> Callable[..., Result]:
    """Adds `--config FILE`; the command gets the loaded settings as its first argument."""

    @click.option(
        "--config",
        type=click.Path(dir_okay=False, path_type=Path),
        help="Configuration file; evenhand.toml where there is one. EVENHAND_... variables override its keys.",
    )
    @wraps(command)
    def run(*args: Any, config: Path | None, **options: Any) -> Result:
        return command(load_settings(config, os.environ), *args, **options)

    return run


def check_rows(rows: Sequence[str], allowed: Collection[str]) -> None:
    """Raises InputError for a `--row` that isn't among those that are allowed."""
    unknown = sorted(set(rows) - set(allowed))
    if unknown:
        raise InputError(f"--row: no such row: {', '.join(unknown)}; allowed: {', '.join(allowed)}")
