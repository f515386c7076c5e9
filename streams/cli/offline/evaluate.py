"""`evenhand evaluate`."""

from __future__ import annotations

import asyncio
import os
from collections import Counter, deque
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, aclosing
from datetime import UTC, datetime

import click

from evaluators.calling.judge_client import JudgeClient, make_judge
from evaluators.evaluate import evaluate as ask
from evaluators.evaluation import Evaluation
from perturbations.arms import is_judged, with_rubric
from perturbations.records.errors import RecordError
from perturbations.records.transcript import Question, Transcript, read_transcript
from perturbations.records.variant import VariantMessage
from perturbations.rows import ROBUSTNESS, ROWS
from perturbations.variant_maker import VariantMaker
from streams.cli.input_file import readable
from streams.cli.options import check_rows, with_settings
from streams.cli.terminal import progress_bar, say
from streams.config.form import rubric_of
from streams.config.settings import Settings
from streams.config.variant_writing import variant_maker
from streams.lines import count_lines, read_lines


@click.command(
    epilog="Examples: evenhand evaluate calls.jsonl --judge main > evaluations.jsonl;  "
    "evenhand evaluate calls.jsonl --judge main --row agent_gender --row politeness"
)
@click.argument("file")
@click.option("--judge", "judge_name", help="Which [judges.NAME] to ask; the default one where this is absent.")
@click.option("--row", "rows", multiple=True, help="Only this row; may be given more than once.")
@with_settings
def evaluate(settings: Settings, *, file: str, judge_name: str | None, rows: Sequence[str]) -> None:
    """Ask the judge about every arm of the transcripts in FILE (- for standard input), without Kafka.

    Prints one evaluation a line: the original, its repeats and every arm of the rows, whatever their outcome, and of
    some transcripts (sampling.placebo_rate) each arm's placebo, drawn a second time.
    """
    check_rows(rows, (*ROWS, ROBUSTNESS))
    chosen = [name for name in ROWS if not rows or name in rows]
    _, config = settings.judge_named(judge_name)
    judge = make_judge(config, os.environ.get(config.api_key_env))
    rubric = rubric_of(settings)
    bad = asyncio.run(_evaluate_file(settings, file, judge, rubric, chosen))
    if bad:
        raise click.exceptions.Exit(1)


async def _evaluate_file(
    settings: Settings, file: str, judge: JudgeClient, rubric: tuple[Question, ...], rows: Sequence[str]
) -> int:
    outcomes: Counter[str] = Counter()
    bad: list[int] = []
    async with AsyncExitStack() as cleanup:
        cleanup.push_async_callback(judge.aclose)
        maker = await cleanup.enter_async_context(variant_maker(settings, os.environ))
        with readable(file), progress_bar() as progress:
            task = progress.add_task("transcripts", total=count_lines(file))

            async def arms() -> AsyncGenerator[VariantMessage, None]:
                for transcript in _transcripts(settings, file, rubric, bad):
                    for arm in await _judged(settings, transcript, rows, maker):
                        yield arm
                    progress.advance(task)

            async with aclosing(arms()) as asked, aclosing(_in_order(asked, judge)) as evaluations:
                async for evaluation in evaluations:
                    outcomes[evaluation.outcome] += 1
                    click.echo(evaluation.model_dump_json())
    counts = ", ".join(f"{count:,} {outcome}" for outcome, count in sorted(outcomes.items())) or "no evaluations"
    say(counts + (f"; {len(bad):,} lines could not be read" if bad else ""))
    return len(bad)


def _transcripts(settings: Settings, file: str, rubric: tuple[Question, ...], bad: list[int]) -> Iterator[Transcript]:
    for number, line in read_lines(file):
        try:
            yield with_rubric(read_transcript(line, max_bytes=settings.sampling.max_transcript_bytes), rubric)
        except RecordError as error:
            say(f"line {number}: {error}")
            bad.append(number)


async def _judged(
    settings: Settings, transcript: Transcript, rows: Sequence[str], maker: VariantMaker
) -> list[VariantMessage]:
    sampling = settings.sampling
    arms = await maker.arms(
        transcript, rows=rows, seed=settings.seed, repeats=sampling.repeats, design=sampling.design
    )
    return [arm for arm in arms if is_judged(arm)]


async def _in_order(arms: AsyncIterator[VariantMessage], judge: JudgeClient) -> AsyncGenerator[Evaluation, None]:
    """The evaluations in the arms' order, up to the judge's `concurrency` at once."""
    asked: deque[asyncio.Task[Evaluation]] = deque()
    try:
        async for arm in arms:
            asked.append(asyncio.create_task(ask(arm, judge, now=lambda: datetime.now(UTC))))
            if len(asked) >= judge.config.concurrency:
                yield await asked.popleft()
        while asked:
            yield await asked.popleft()
    finally:
        # Whoever reads has enough: what is still asked must end before the judge's connections do.
        for task in asked:
            task.cancel()
        await asyncio.gather(*asked, return_exceptions=True)
