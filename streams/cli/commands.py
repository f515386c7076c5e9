"""The table of the commands, and what `evenhand --help` and `--version` print, made of it alone.

Free of imports that take time: both are answered before click is imported, let alone a command.
"""

from __future__ import annotations

import os
import sys

from streams.version import VERSION
from streams.worker.stages import STAGES

COMMANDS = {
    "demo": ("services", "See it run: embedded parts, real transcripts, a simulated judge."),
    "worker": ("services", f"Run the stream's agents: {', '.join(STAGES)}."),
    "exporter": ("services", "Export exact fairness figures from ClickHouse to Prometheus."),
    "store": ("services", "Serve the in-process ClickHouse engine on loopback."),
    "topics": ("setup", "Create the topics, or check them."),
    "migrate": ("setup", "Create or update the tables in ClickHouse."),
    "schema": ("setup", "Print the JSON Schemas of the records."),
    "check": ("setup", "Tell which part of a configuration is unreachable or wrong."),
    "ingest": ("services", "Send transcripts from a file onto the topic."),
    "perturb": ("offline", "Print the counterfactual variants of transcripts."),
    "evaluate": ("offline", "Ask a judge about every arm of transcripts, without Kafka."),
    "measure": ("offline", "Measure fairness from files of evaluations."),
    "plan": ("offline", "Work out transcripts, judge calls, money and days for a wanted\nprecision."),
    "costs": ("offline", "Tokens and dollars by model and row."),
    "alarms": ("services", "List the alarms that the stored pairs give, with their evidence."),
    "judge": ("services", "Serve the simulated judge."),
}
"""Each command's folder under `streams/cli/` and what it does, broken as it stands in lines of 80 characters."""

ABOUT = """\
Watch production Auto-QA for unfairness: how often verdicts flip when only
what must not matter changes.

Start with `evenhand demo`. Each command explains itself: `evenhand COMMAND
--help`.
"""

_COLUMNS = 80
"""What the help is laid out for: the width that click uses at most, and where there is no terminal."""


def quick_answer(arguments: list[str]) -> str | None:
    """What is printed for `--help` or `--version` alone; None where click has to find out what is meant.

    A terminal narrower than 80 columns is left to click as well, which wraps the help for it.
    """
    if arguments == ["--version"]:
        return f"evenhand, version {VERSION}"
    if arguments in (["--help"], ["-h"]) and _columns() >= _COLUMNS:
        return main_help()
    return None


def main_help() -> str:
    """The help of `evenhand` itself in lines of up to 80 characters, as click lays it out."""
    name_width = max(map(len, COMMANDS))
    lines = ["Usage: evenhand [OPTIONS] COMMAND [ARGS]...", "", *_indented(ABOUT), ""]
    lines += ["Options:", "  --version   Show the version and exit.", "  -h, --help  Show this message and exit.", ""]
    lines.append("Commands:")
    for name, (_, about) in COMMANDS.items():
        first, *more = about.splitlines()
        lines += [f"  {name:<{name_width}}  {first}", *(" " * (name_width + 4) + line for line in more)]
    return "\n".join(lines)


def _indented(text: str) -> list[str]:
    return [f"  {line}".rstrip() for line in text.splitlines()]


def _columns() -> int:
    """The terminal's width as `shutil.get_terminal_size` finds it; importing that takes as long as all of this."""
    try:
        return int(os.environ["COLUMNS"]) or _COLUMNS
    except (KeyError, ValueError):
        pass
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns if sys.__stdout__ is not None else _COLUMNS
    except (OSError, ValueError):
        return _COLUMNS
