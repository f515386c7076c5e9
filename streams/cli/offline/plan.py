"""`evenhand plan`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import click

from evaluators.calling.call_split import parts_of, prompt_of
from evaluators.calling.tokens import output_budget
from evaluators.evaluation import Evaluation
from evaluators.judges.judge_config import JudgeConfig
from evaluators.judges.models import model_card
from evaluators.price import estimated_dollars
from metrics.figures.measurement import as_text
from metrics.planning.observed_rows import ObservedRow, dollars_per_evaluation, observed_rows
from metrics.planning.plan import OTHER_ARMS, Means, Plan
from metrics.planning.plan import plan as planned
from metrics.tables.plan import plan_table
from perturbations.arms import with_rubric
from perturbations.records.errors import RecordError
from perturbations.records.transcript import Question, read_transcript
from perturbations.rows import ROWS
from streams.cli.input_file import readable
from streams.cli.offline.evaluation_files import read_evaluation_files
from streams.cli.options import check_rows, with_settings
from streams.cli.terminal import say, show
from streams.config.form import rubric_of
from streams.config.settings import Settings
from streams.lines import read_lines


@click.command(
    epilog="Examples: evenhand plan --precision 0.01 --rate-per-day 20000;  "
    "evenhand plan --evaluations out/evaluations.jsonl --rate-per-day 20000 --json"
)
@click.option(
    "--precision",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help="Half width of each CFR's 95 % interval, a ratio; metrics.precision by default.",
)
@click.option("--rate-per-day", type=click.FloatRange(0, min_open=True), help="Transcripts that come in, a day.")
@click.option(
    "--evaluations", "files", multiple=True, metavar="FILE", help="Evaluations that tell the rates; may be repeated."
)
@click.option("--transcripts", metavar="FILE", help="Transcripts like those to come: their length tells the price.")
@click.option("--judge", "judge_name", help="A [judges.NAME] of the configuration; the default one where absent.")
@click.option("--system", help="The system and epoch whose rates count, where the evaluations hold several.")
@click.option("--row", "rows", multiple=True, help="Only this row; may be given more than once.")
@click.option("--json", "as_json", is_flag=True, help="Print the plan as JSON, unrounded.")
@with_settings
def plan(
    settings: Settings,
    *,
    precision: float | None,
    rate_per_day: float | None,
    files: tuple[str, ...],
    transcripts: str | None,
    judge_name: str | None,
    system: str | None,
    rows: tuple[str, ...],
    as_json: bool,
) -> None:
    """Work out transcripts, judge calls, money and days for a wanted precision of each row's CFR.

    From the design of the configuration (sampling), the rates seen so far or an assumed one, the traffic, and the
    judge's price and limits. What isn't known is said as unknown.
    """
    check_rows(rows, ROWS)
    evaluations, bad = read_evaluation_files(files)
    rubric = rubric_of(settings)
    config = _judge(settings, judge_name)
    cost = _cost(settings, config, evaluations, transcripts, rubric)
    means = _means(settings, config, cost, rubric, precision, rate_per_day)
    chosen = [name for name in settings.sampling.chosen_rows if not rows or name in rows]
    observed = observed_rows(evaluations, means.design, system=system)
    figures = planned(chosen, means, observed=observed, fewer=_fewer(evaluations, means, system))
    figures = figures.with_reasons(_reasons(figures, cost, rate_per_day))
    if as_json:
        click.echo(as_text(figures.model_dump(mode="json")), nl=False)
    else:
        show(plan_table(figures))
    if bad:
        raise click.exceptions.Exit(1)


@dataclass(frozen=True)
class _Cost:
    """Dollars of an evaluation with where they come from, or why they are unknown."""

    dollars: float | None
    source: str


def _judge(settings: Settings, name: str | None) -> JudgeConfig | None:
    if name is None and settings.default_judge not in settings.judges:
        return None
    return settings.judge_named(name)[1]


def _means(
    settings: Settings,
    config: JudgeConfig | None,
    cost: _Cost,
    rubric: Sequence[Question],
    precision: float | None,
    rate_per_day: float | None,
) -> Means:
    sampling = settings.sampling
    limits = None if config is None else config.limits
    per_minute = (
        None if limits is None or limits.requests_per_minute is None else limits.requests_per_minute * 24 * 60
    )
    per_day = [n for n in (None if limits is None else limits.calls_per_day, per_minute) if n is not None]
    return Means(
        precision=settings.metrics.precision if precision is None else precision,
        design=sampling.design,
        repeats=sampling.repeats,
        questions=len(rubric),
        least=settings.metrics.minimum_transcripts,
        calls=1 if config is None else len(parts_of(rubric, config)),
        dollars=cost.dollars,
        sampled_per_day=None if rate_per_day is None else rate_per_day * sampling.rate,
        calls_per_day=min(per_day) if per_day else None,
        dollars_per_day=None if limits is None else limits.dollars_per_day,
    )


def _fewer(evaluations: Sequence[Evaluation], means: Means, system: str | None) -> dict[int, dict[str, ObservedRow]]:
    return {
        arms: observed_rows(evaluations, replace(means.design, arms_per_row=arms), system=system)
        for arms in OTHER_ARMS
    }


def _cost(
    settings: Settings,
    config: JudgeConfig | None,
    evaluations: Sequence[Evaluation],
    transcripts: str | None,
    rubric: tuple[Question, ...],
) -> _Cost:
    if config is None:
        return _Cost(None, "no judge is configured")
    price = model_card(config).price
    if price is None:
        return _Cost(None, f"the price of {config.model} is unknown: set price in the judge's configuration")
    listed = "" if price.as_of is None else f" of {price.as_of}"
    seen = dollars_per_evaluation(evaluations, price)
    if seen is not None:
        return _Cost(seen, f"from the tokens seen and the price{listed}")
    if transcripts is None:
        return _Cost(None, "the tokens are unknown: give --evaluations with usage, or --transcripts")
    dollars = _estimated(settings, config, transcripts, rubric)
    if dollars is None:
        return _Cost(None, f"{transcripts} holds no transcript")
    return _Cost(dollars, f"at most, from the transcripts' length, the tokens allowed and the price{listed}")


def _estimated(settings: Settings, config: JudgeConfig, file: str, rubric: tuple[Question, ...]) -> float | None:
    card = model_card(config)
    costs: list[float] = []
    with readable(file):
        for number, line in read_lines(file):
            try:
                transcript = with_rubric(
                    read_transcript(line, max_bytes=settings.sampling.max_transcript_bytes), rubric
                )
            except RecordError as error:
                say(f"line {number}: {error}")
                continue
            for part in parts_of(transcript.questions, config):
                prompt = prompt_of(part, config, transcript.turns, None)
                budget = config.max_output_tokens or output_budget(max(1, len(part.questions)), reasons=card.reasons)
                cost = estimated_dollars(
                    characters=len(prompt.system) + len(prompt.user), output_tokens=budget, price=card.price
                )
                costs.append(0.0 if cost is None else cost)
    calls = len(parts_of(rubric, config))
    return calls * math.fsum(costs) / len(costs) if costs else None


def _reasons(figures: Plan, cost: _Cost, rate_per_day: float | None) -> dict[str, str]:
    reasons = {"dollars": cost.source}
    if rate_per_day is None:
        reasons["days"] = "the traffic is unknown: give --rate-per-day"
    if not any(row.seen_transcripts for row in figures.rows.values()):
        reasons["cfr"] = "assumed: give --evaluations for the rates seen so far"
    return reasons
