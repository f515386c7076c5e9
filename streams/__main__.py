"""The console entry: `--help` and `--version` at once, a command in its own words.

0 done, 1 the run failed, 2 wrong usage or input, 130 interrupted.
"""

from __future__ import annotations

import os
import sys

from streams.cli.commands import quick_answer


def main() -> None:
    """Run the command line; the process ends with its exit code."""
    try:
        code = _run(sys.argv[1:])
    except KeyboardInterrupt:
        sys.exit(_fail(130, "interrupted"))
    except BrokenPipeError:
        # Whoever reads our output has enough.
        _drop_output()
        sys.exit(0)
    except OSError as error:
        _drop_output()
        sys.exit(_fail(1, f"{error.filename or 'input or output failed'}: {error.strerror or error}"))
    sys.exit(code)


def _run(arguments: list[str]) -> int:
    answer = quick_answer(arguments)
    if answer is None:
        # Not before: importing click takes several times as long as answering `--help`.
        from streams.cli.run import run_command

        return run_command()
    print(answer, flush=True)
    return 0


def _fail(code: int, message: str) -> int:
    print(f"evenhand: {message}", file=sys.stderr)
    return code


def _drop_output() -> None:
    # What is left in the buffer can't be written either: Python would complain again while it flushes at exit.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
