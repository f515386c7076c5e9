"""The command `evenhand`; the modules of its subcommands are imported only when they are called."""

from __future__ import annotations

from importlib import import_module

import click

from streams.cli.commands import ABOUT, COMMANDS
from streams.version import VERSION


class OutputClosed(Exception):
    """Whoever read our output has enough."""


class _Lazy(click.Group):
    """A group whose commands are imported when they are called."""

    def invoke(self, ctx: click.Context) -> object:
        """Run the command. A closed pipe is told in our words: click would make it an exit code of 1."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise OutputClosed from None

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        folder, _ = COMMANDS[cmd_name]
        command = vars(import_module(f"streams.cli.{folder}.{cmd_name}"))[cmd_name]
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        # From the table, so that the help imports nothing.
        with formatter.section("Commands"):
            formatter.write_dl([(name, " ".join(about.split())) for name, (_, about) in COMMANDS.items()])


@click.group(cls=_Lazy, help=ABOUT, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="evenhand")
def evenhand() -> None:
    """See `streams.cli.commands.ABOUT`."""
