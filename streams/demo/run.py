"""The demo: stream a file of transcripts through the whole app and show the figures."""

from __future__ import annotations

import asyncio
import signal
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from evaluators.evaluation import Evaluation
from evaluators.simulated.profile_records import Profile
from evaluators.simulated.truth import planted
from metrics.alarms.alarms import Alarm
from metrics.clickhouse.client import StoreClient, connect
from metrics.clickhouse.progress import read_progress
from metrics.clickhouse.stored_records import all_evaluations, pairs_in_window
from metrics.figures.measure import Measurement, dump, measure
from metrics.pairs.dedup import deduplicate
from metrics.pairs.pairing import pair_evaluations
from perturbations.rows import ROBUSTNESS
from streams.config.form import marking_of
from streams.config.settings import Settings
from streams.demo.demo_judge import SIMULATED
from streams.demo.embedded import DemoSetUp, start_embedded
from streams.demo.live import LiveFigures, TruthByRow, live_page
from streams.demo.now import NowReader
from streams.demo.progress import Position, read_dead_letters
from streams.embedded.children import Children
from streams.kafka.send import Sent, send_transcripts

POLL_SECONDS = 1.0
STALL_SECONDS = 120.0


class DemoError(Exception):
    """The demo can't go on: what, and what to do."""

    exit_code: ClassVar[int] = 1


class NothingToStream(DemoError):
    """The file holds no transcript."""

    exit_code: ClassVar[int] = 2


@dataclass(frozen=True)
class Options:
    """What to stream, whom to ask, where to show and write it."""

    transcripts: str
    judge: str = SIMULATED
    profile: Path | None = None
    once: bool = False
    out: Path | None = None
    port: int = 0


@dataclass(frozen=True)
class Finished:
    """What it came to: all figures, the planted truth, what was lost, and the alarms, given at `alpha`."""

    measurement: Measurement
    planted: TruthByRow
    position: Position
    alarms: Sequence[Alarm]
    alpha: float


@dataclass(frozen=True)
class Watcher:
    """What the command wants to hear: where the page is, how far the stream is, and the end."""

    page: Callable[[str], None]
    position: Callable[[Position], None]
    bad_line: Callable[[int, str], None]
    finished: Callable[[Finished], None]


async def run_demo(base: Settings, options: Options, profile: Profile | None, watcher: Watcher) -> Sent:
    """Run it; with `once` it ends with the file, else it goes on showing until it is cancelled.

    Raises DemoError, and what the parts raise that can't start.
    """
    running = asyncio.current_task()
    if running is not None:
        # As Ctrl-C does: everything is stopped and cleaned up on the way out.
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, running.cancel)
    with tempfile.TemporaryDirectory(prefix="evenhand-demo-") as directory:
        async with Children() as children:
            set_up = await start_embedded(
                children, Path(directory), base, judge=options.judge, profile=options.profile
            )
            settings = set_up.settings
            rows = settings.sampling.chosen_rows
            truth = {row: planted(profile, row) for row in (*rows, ROBUSTNESS)} if profile is not None else {}
            figures = LiveFigures(rows, truth, alpha=settings.alarms.alpha)
            async with (
                live_page(figures, options.port) as address,
                await connect(settings.clickhouse.dsn.get_secret_value()) as client,
            ):
                now = NowReader(client, settings)
                watcher.page(address)
                sent = await send_transcripts(settings, options.transcripts, on_bad_line=watcher.bad_line)
                if not sent.transcripts:
                    raise NothingToStream(f"no transcripts in {options.transcripts}")
                position = await _until_through(client, set_up, children, sent, figures, watcher, now)
                evaluations = [evaluation async for evaluation in all_evaluations(client)]
                measurement = measure(
                    evaluations, thresholds=settings.metrics.thresholds, marking=marking_of(settings)
                )
                await _check_against_live(client, evaluations)
                last = await now.read(with_alarms=True)
                figures.update(last, position, finished=True)
                if options.out is not None:
                    await asyncio.to_thread(write_report, options.out, measurement, evaluations)
                watcher.finished(Finished(measurement, truth, position, last.alarms, settings.alarms.alpha))
                if not options.once:
                    await asyncio.Event().wait()
                return sent


def write_report(out: Path, measurement: Measurement, evaluations: Sequence[Evaluation]) -> None:
    """Write `figures.json` (the form of `measure --json`) and `evaluations.jsonl` into `out`. Raises DemoError."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        (out / "figures.json").write_text(dump(measurement), encoding="utf-8")
        with (out / "evaluations.jsonl").open("w", encoding="utf-8") as lines:
            lines.writelines(evaluation.model_dump_json() + "\n" for evaluation in evaluations)
    except OSError as error:
        raise DemoError(f"can't write to {out}: {error.strerror}") from None


async def _until_through(
    client: StoreClient,
    set_up: DemoSetUp,
    children: Children,
    sent: Sent,
    figures: LiveFigures,
    watcher: Watcher,
    now: NowReader,
) -> Position:
    seen: Position | None = None
    moved_at = time.monotonic()
    while True:
        children.check()
        lost = await read_dead_letters(set_up.metrics_url)
        position = Position(sent.distinct, await read_progress(client), *lost)
        watcher.position(position)
        if position.finished:
            return position
        if position != seen:
            seen, moved_at = position, time.monotonic()
            figures.update(await now.read(), position, finished=False)
        elif time.monotonic() - moved_at > STALL_SECONDS:
            raise DemoError(
                f"nothing has moved for {STALL_SECONDS:.0f} s: {position.progress.evaluations:,} of "
                f"{position.expected:,} evaluations are in; is the judge answering?"
            )
        await asyncio.sleep(POLL_SECONDS)


async def _check_against_live(client: StoreClient, evaluations: Sequence[Evaluation]) -> None:
    """The pairs that the stream stored must be those that the evaluations make: the figures are the same, exactly."""
    made = {pair.pair_id: pair for pair in pair_evaluations(deduplicate(evaluations).evaluations)}
    until = time.monotonic() + 30
    while True:
        stored = {pair.pair_id: pair for pair in await pairs_in_window(client)}
        if stored == made:
            return
        if time.monotonic() > until:
            raise DemoError(
                f"the stream's {len(stored):,} pairs differ from the {len(made):,} that its evaluations make: "
                "the figures can't be trusted"
            )
        await asyncio.sleep(POLL_SECONDS)
