"""The command `evenhand` and the table of its subcommands, imported only when called: `--help` must not wait."""

from __future__ import annotations

from importlib import import_module

import click

COMMANDS = {
    "demo": ("services", "See it run: embedded parts, real transcripts, a simulated judge."),
    "worker": ("services", "Run the stream's agents: sample, perturb, evaluate, pair, deploy."),
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
    "plan": ("offline", "Work out transcripts, judge calls, money and days for a wanted precision."),
    "costs": ("offline", "Tokens and dollars by model and row."),
    "alarms": ("services", "List the alarms that the stored pairs give, with their evidence."),
    "judge": ("services", "Serve the simulated judge."),
}


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
        command = getattr(import_module(f"streams.cli.{COMMANDS[cmd_name][0]}.{cmd_name}"), cmd_name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        # From the table, so that the help imports nothing.
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, about) in COMMANDS.items()])


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="evenhand")
def evenhand() -> None:
    """Watch production Auto-QA for unfairness: how often verdicts flip when only what must not matter changes.

    Start with `evenhand demo`. Each command explains itself: `evenhand COMMAND --help`.
    """
