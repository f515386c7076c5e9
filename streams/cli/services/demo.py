"""`evenhand demo`."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from contextlib import nullcontext
from pathlib import Path

import click
from rich.text import Text

from evaluators.judges.local_judge import require_local_judge
from evaluators.simulated.profile import ProfileError, default_profile, load_profile
from evaluators.simulated.profile_records import Profile
from metrics.tables.alarms import alarms_table
from metrics.tables.figures import figures_table
from streams.cli.errors import InputError
from streams.cli.input_file import readable
from streams.cli.options import with_settings
from streams.cli.terminal import progress_bar, say, show
from streams.config.overrides import PREFIX
from streams.config.settings import Settings
from streams.demo.demo_judge import (
    LOCAL,
    LOCAL_DIALOGUES,
    SIMULATED,
    fit_for_local,
    is_local,
    is_simulated,
    our_dialogues,
)
from streams.demo.progress import Position
from streams.demo.run import Finished, Options, Watcher, run_demo

ON_PLACEBOS = (
    "  The simulated judge knows a style by its words. A placebo words it anew, so in the style rows (emotional\n"
    "  labor most) a part of it counts as another style: CFR above placebos is a little less there.\n"
)
"""What is to be known beside the simulated judge's placebos."""

LINE_SECONDS = 10.0
"""Where no progress bar can be drawn, a line this often says how far it is."""


@click.command(
    epilog="Examples: evenhand demo;  evenhand demo --once --out out;  evenhand demo --transcripts calls.jsonl --once"
)
@click.option("--transcripts", help="File of transcripts, one JSON object a line; 80 real dialogues by default.")
@click.option(
    "--judge",
    default=SIMULATED,
    show_default=True,
    help=f"A [judges.NAME] of the configuration, or {LOCAL}, a real model.",
)
@click.option(
    "--profile",
    type=click.Path(dir_okay=False, path_type=Path),
    help="What the simulated judge does, row by row (TOML).",
)
@click.option("--once", is_flag=True, help="End when the file is done, with the table on the terminal.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Write figures and evaluations here.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="The live page's port; any free one by default."
)
@with_settings
def demo(
    settings: Settings,
    *,
    transcripts: str | None,
    judge: str,
    profile: Path | None,
    once: bool,
    out: Path | None,
    port: int,
) -> None:
    """Stream real transcripts through the whole app on embedded parts and show the figures live.

    Starts a broker, the store, a simulated judge and a worker on free ports of this machine, and stops them at the
    end. The simulated judge has its unfairness planted, so the table shows the truth beside what was measured. The
    local judge is a real model of 135M parameters: a poor analyst and a slow one, so it gets fewer dialogues, one row
    and five questions where nothing else is chosen.
    """
    loaded = _profile(judge, profile)
    local = is_local(judge, settings)
    if not (local or is_simulated(judge) or judge in settings.judges):
        known = ", ".join((SIMULATED, LOCAL, *settings.judges))
        raise InputError(f"--judge: no [judges.{judge}] in the configuration (known: {known})")
    if local:
        require_local_judge()
        settings = fit_for_local(settings)
    _leave_no_overrides(settings)
    ours = our_dialogues(LOCAL_DIALOGUES if local else None)
    with nullcontext(transcripts) if transcripts is not None else ours as streamed:
        options = Options(streamed, judge, profile, once, out, port)
        bad_lines = _run(settings, options, loaded)
    if bad_lines:
        raise click.exceptions.Exit(1)


def _run(settings: Settings, options: Options, profile: Profile | None) -> int:
    with readable(options.transcripts), progress_bar() as progress:
        task = progress.add_task("starting", total=None)

        told_at = time.monotonic()

        def on_position(position: Position) -> None:
            nonlocal told_at
            if progress.disable and time.monotonic() - told_at >= LINE_SECONDS:
                told_at = time.monotonic()
                say(f"judging: {position.progress.evaluations:,} of {position.expected:,} evaluations")
            progress.update(
                task, description="judging", completed=position.progress.evaluations, total=position.expected or None
            )

        def on_finished(end: Finished) -> None:
            progress.stop()
            show(figures_table(end.measurement, planted=end.planted), alarms_table(end.alarms, alpha=end.alpha))
            if end.planted:
                show(Text(ON_PLACEBOS, style="dim"))
            lost = end.position.lost_transcripts + end.position.lost_evaluations
            if lost:
                say(f"{lost:,} records went to the dead letters")
            if options.out is not None:
                say(f"wrote {options.out / 'figures.json'} and {options.out / 'evaluations.jsonl'}")
            if not options.once:
                say("the page stays up; Ctrl-C ends the demo")

        watcher = Watcher(
            page=lambda address: say(f"live figures at {address}"),
            position=on_position,
            bad_line=lambda number, fault: say(f"line {number}: {fault}"),
            finished=on_finished,
        )
        try:
            sent = asyncio.run(run_demo(settings, options, profile, watcher))
        except asyncio.CancelledError:
            raise click.exceptions.Exit(128 + signal.SIGTERM) from None
        return sent.bad_lines


def _profile(judge: str, profile: Path | None) -> Profile | None:
    if not is_simulated(judge):
        if profile is not None:
            raise InputError(f"--profile belongs to the simulated judge, not to {judge!r}")
        return None
    try:
        return default_profile() if profile is None else load_profile(profile)
    except (ProfileError, OSError) as error:
        raise InputError(f"--profile: {error}") from None


def _leave_no_overrides(settings: Settings) -> None:
    # The children read a configuration that was made for them: what overrode ours must not override theirs.
    keys = {config.api_key_env for config in settings.judges.values()}
    for name in [name for name in os.environ if name.startswith(PREFIX) and name not in keys]:
        del os.environ[name]
