"""What a table looks like on a terminal."""

from __future__ import annotations

from rich.console import Console, RenderableType


def shown(table: RenderableType, *, width: int = 160) -> str:
    """The text that is printed."""
    console = Console(width=width)
    with console.capture() as captured:
        console.print(table)
    return captured.get()
