"""What commands share: the configuration option, errors as exit codes, input lines, progress."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Coroutine, Iterator
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from streams.settings import Settings, SettingsError, load_settings

Result = TypeVar("Result")


class InputError(click.ClickException):
    """Wrong input or configuration: exit code 2."""

    exit_code = 2


class RunError(click.ClickException):
    """The run failed: exit code 1."""

    exit_code = 1


def with_settings(command: Callable[..., Result]) -> Callable[..., Result]:
    """Adds `--config FILE`; the command gets the loaded settings as its first argument."""

    @click.option(
        "--config",
        type=click.Path(dir_okay=False, path_type=Path),
        help="Configuration file; evenhand.toml where there is one. EVENHAND_... variables override its keys.",
    )
    @wraps(command)
    def run(*args: Any, config: Path | None, **options: Any) -> Result:
        return command(settings_from(config), *args, **options)

    return run


def settings_from(config: Path | None) -> Settings:
    """The settings of a file and the environment; InputError says what is wrong."""
    try:
        return load_settings(config, os.environ)
    except SettingsError as error:
        raise InputError(str(error)) from None


def run_async(work: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine to its end."""
    return asyncio.run(work)


def read_lines(file: str) -> Iterator[tuple[int, bytes]]:
    """The numbered lines of a file, or of standard input for `-`; blank lines are passed over.

    Raises InputError where the file can't be read.
    """
    try:
        with sys.stdin.buffer if file == "-" else Path(file).open("rb") as source:
            for number, line in enumerate(source, start=1):
                content = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
                if content.strip():
                    yield number, content.rstrip(b"\r\n")
    except OSError as error:
        raise InputError(f"can't read {file}: {error.strerror}") from None


def count_lines(file: str) -> int | None:
    """How many lines there are to read; None where that can't be known beforehand."""
    if file == "-":
        return None
    return sum(1 for _ in read_lines(file))


def progress_bar() -> Progress:
    """A progress bar on stderr; silent where stderr is no terminal."""
    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
        disable=not console.is_terminal,
        transient=True,
    )


def say(message: str) -> None:
    """A line for people, on stderr."""
    click.echo(message, err=True)
