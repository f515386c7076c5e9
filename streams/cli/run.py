"""One command run to its end: what is wrong becomes one sentence on standard error and an exit code.

Errors that may end a command carry their exit code (`exit_code` of their class), so that commands let them pass. Any
other error is a fault of ours, and keeps its traceback.
"""

from __future__ import annotations

import sys
from typing import Protocol, runtime_checkable

import click

from streams.cli.root import OutputClosed, evenhand


@runtime_checkable
class EndsCommand(Protocol):
    """An error that says in one sentence what is wrong, and with which code the process ends."""

    exit_code: int


def run_command() -> int:
    """Run the command line; gives the exit code. Raises OSError where output can't be written, KeyboardInterrupt."""
    try:
        code = evenhand.main(prog_name="evenhand", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        return _fail(2, error.format_message())
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx is not None else "evenhand"
        return _fail(2, f"{command}: {error.format_message()}")
    except click.Abort:
        raise KeyboardInterrupt from None
    except OutputClosed:
        raise BrokenPipeError from None
    except Exception as error:
        if isinstance(error, OSError) or not isinstance(error, EndsCommand):
            raise
        return _fail(error.exit_code, f"evenhand: {error}")
    return code if isinstance(code, int) else 0


def _fail(code: int, message: str) -> int:
    click.echo(message, err=True)
    return code
