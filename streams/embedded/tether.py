"""Run a program that dies with its parent, whatever ends the parent: `tether.py PARENT_PID PROGRAM ARGUMENT...`.

Linux ends the program when its parent is gone, SIGKILL included; the parent is the thread that started it, so start
children from a thread that lives as long as they shall. Elsewhere there is nothing of the kind: the program runs
untethered, and only an orderly end of the parent ends it.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def main() -> None:
    """Tie this process to its parent, then become the program."""
    parent = int(sys.argv[1])
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it went before it could be watched
            raise SystemExit(1)
    os.execvp(sys.argv[2], sys.argv[2:])


if __name__ == "__main__":
    main()
