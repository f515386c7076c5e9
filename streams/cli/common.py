"""What commands share: the configuration option, errors as exit codes, input lines, progress."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from streams.config.settings import load_settings

Result = TypeVar("Result")

PIPE_WIDTH = 150


class InputError(Exception):
    """Wrong input: what, and what is allowed."""

    exit_code: ClassVar[int] = 2


class RunError(Exception):
    """The run did not come to what was asked for."""

    exit_code: ClassVar[int] = 1


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


def run_async(work: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine to its end."""
    return asyncio.run(work)


@contextmanager
def readable(file: str) -> Iterator[None]:
    """Turns a file that can't be read into an InputError that names it; other errors, of writing say, pass."""
    try:
        yield
    except OSError as error:
        if not isinstance(error.filename, str) or Path(error.filename) != Path(file):
            raise
        raise InputError(f"can't read {file}: {error.strerror}") from None


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


def output_console() -> Console:
    """Where tables go: the terminal in its width; a file or a pipe gets lines that are wide enough for them."""
    console = Console()
    return console if console.is_terminal else Console(width=PIPE_WIDTH)


def say(message: str) -> None:
    """A line for people, on stderr."""
    click.echo(message, err=True)
