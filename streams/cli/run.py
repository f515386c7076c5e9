"""One command run to its end: what goes wrong becomes one sentence on standard error and an exit code.

0 done, 1 the run failed, 2 wrong usage or input, 130 interrupted. Errors that may end a command carry their exit code
(`exit_code` of their class), so that commands let them pass.
"""

from __future__ import annotations

import os
import sys
from typing import Protocol, runtime_checkable

import click

from streams.cli.root import OutputClosed, evenhand


@runtime_checkable
class EndsCommand(Protocol):
    """An error that says in one sentence what is wrong, and with which code the process ends."""

    exit_code: int


def run_command() -> None:
    """Run the command line; the process ends with its exit code."""
    try:
        code = evenhand.main(prog_name="evenhand", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        _leave(2, error.format_message())
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx is not None else "evenhand"
        _leave(2, f"{command}: {error.format_message()}")
    except (click.Abort, KeyboardInterrupt):
        _leave(130, "evenhand: interrupted")
    except (OutputClosed, BrokenPipeError):
        _drop_output()
        sys.exit(0)
    except OSError as error:
        _drop_output()
        _leave(1, f"evenhand: {error.filename or 'input or output failed'}: {error.strerror or error}")
    except Exception as error:
        if not isinstance(error, EndsCommand):
            raise
        _leave(error.exit_code, f"evenhand: {error}")
    sys.exit(code if isinstance(code, int) else 0)


def _leave(code: int, message: str) -> None:
    click.echo(message, err=True)
    sys.exit(code)


def _drop_output() -> None:
    # What is left in the buffer can't be written either: Python would complain again while it flushes at exit.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
