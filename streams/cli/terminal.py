"""What people see: lines and progress on standard error, tables on standard output.

rich is imported where something is drawn: commands that print JSON don't wait for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.progress import Progress

PIPE_WIDTH = 150
"""How wide a table is where no terminal says."""


def say(message: str) -> None:
    """A line for people, on stderr."""
    click.echo(message, err=True)


def show(*tables: RenderableType) -> None:
    """Tables and lines, one below the other, on stdout."""
    console = _console(stderr=False)
    for table in tables:
        console.print(table)


def show_aside(table: RenderableType) -> None:
    """A table on stderr, beside what a command prints."""
    _console(stderr=True).print(table)


def progress_bar() -> Progress:
    """A progress bar on stderr; silent where stderr is no terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

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


def _console(*, stderr: bool) -> Console:
    """The terminal in its width; a file or a pipe gets lines that are wide enough for the tables."""
    from rich.console import Console

    console = Console(stderr=stderr)
    return console if console.is_terminal else Console(stderr=stderr, width=PIPE_WIDTH)
