"""The console entry: runs a command and turns what goes wrong into one sentence and an exit code.

0 done, 1 the run failed, 2 wrong usage or input, 130 interrupted.
"""

from __future__ import annotations

import sys

from streams.cli.commands import quick_answer


def main() -> None:
    """Run the command line; the process ends with its exit code."""
    answer = quick_answer(sys.argv[1:])
    if answer is None:
        # Not before: importing click takes several times as long as answering `--help`.
        from streams.cli.run import run_command

        run_command()
    else:
        print(answer)


if __name__ == "__main__":
    main()
