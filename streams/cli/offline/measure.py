"""`evenhand measure`.

Tables are imported where one is drawn: whoever wants JSON doesn't wait for rich.
"""

from __future__ import annotations

from collections.abc import Sequence

import click

from evaluators.evaluation import Evaluation
from metrics.figures.figure_records import ROW_PARTS, RowPart
from metrics.figures.grouping import FIELDS, LABEL, measure_by
from metrics.figures.measure import measure as measure_evaluations
from metrics.figures.measurement import Measurement, SystemFigures, as_plain, as_text, dump
from metrics.figures.system_comparison import compare_systems
from streams.cli.offline.evaluation_files import read_evaluation_files
from streams.cli.options import with_settings
from streams.cli.terminal import show
from streams.config.form import marking_of
from streams.config.settings import Settings


@click.command(
    epilog="Examples: evenhand measure out/evaluations.jsonl;  evenhand measure monday.jsonl tuesday.jsonl --json;  "
    "evenhand measure week.jsonl --by label:team;  evenhand measure new.jsonl --against old.jsonl"
)
@click.argument("files", nargs=-1, required=True, metavar="EVALUATIONS.jsonl...")
@click.option("--json", "as_json", is_flag=True, help="Print every figure as JSON, unrounded.")
@click.option("--system", help="Only this system and epoch, where the files hold several (a key of by_system).")
@click.option("--by", help=f"Take the figures apart: {', '.join((*ROW_PARTS, *FIELDS))} or {LABEL}KEY.")
@click.option(
    "--against", multiple=True, metavar="FILE", help="What changed since these evaluations; may be given repeatedly."
)
@click.option(
    "--against-system", metavar="KEY", help="The system to compare with; among the same files without --against."
)
@with_settings
def measure(
    settings: Settings,
    *,
    files: tuple[str, ...],
    as_json: bool,
    system: str | None,
    by: str | None,
    against: tuple[str, ...],
    against_system: str | None,
) -> None:
    """Measure fairness from files of evaluations (- for standard input), one JSON object a line.

    Order, duplicates and splits make no difference. A line that is no evaluation is told with its number and reason;
    the rest is measured, and the exit code is 1.
    """
    comparing = bool(against) or against_system is not None
    if comparing and by is not None:
        raise click.UsageError("--by and --against don't go together: one takes apart, the other compares")
    if by is not None and by not in (*ROW_PARTS, *FIELDS) and not by.startswith(LABEL):
        raise click.UsageError(f"--by: {by!r} is none of {', '.join((*ROW_PARTS, *FIELDS))}, {LABEL}KEY")
    later, bad = read_evaluation_files(files)
    earlier, bad_earlier = read_evaluation_files(against) if against else (later, 0)
    if comparing:
        _compared(settings, earlier, later, (against_system, system), as_json=as_json)
    elif by is None or by in ROW_PARTS:
        _measured(settings, later, system, by, as_json=as_json)
    else:
        _grouped(settings, later, system, by, as_json=as_json)
    if bad or bad_earlier:
        raise click.exceptions.Exit(1)


def _measured(
    settings: Settings, evaluations: Sequence[Evaluation], system: str | None, by: str | None, *, as_json: bool
) -> None:
    measurement = measure_evaluations(
        evaluations, system=system, thresholds=settings.metrics.thresholds, marking=marking_of(settings)
    )
    part = next((part for part in ROW_PARTS if part == by), None)
    if part is not None:
        _print_parts(measurement, part, as_json=as_json)
    elif as_json:
        click.echo(dump(measurement), nl=False)
    else:
        from metrics.tables.figures import figures_table

        show(figures_table(measurement))


def _print_parts(measurement: Measurement, part: RowPart, *, as_json: bool) -> None:
    several = measurement.by_system if measurement.system is None else None
    if as_json:
        plain: dict[str, object] = {"by": part, "rows": _parts(measurement, part), "reasons": measurement.reasons}
        if several is not None:
            plain["by_system"] = {key: {"rows": _parts(figures, part)} for key, figures in several.items()}
        click.echo(as_text(plain), nl=False)
    else:
        from metrics.tables.parts import parts_table

        if several is None:
            show(parts_table(measurement, part))
        else:
            show(*(parts_table(figures, part, title=key) for key, figures in several.items()))


def _parts(figures: SystemFigures, part: RowPart) -> dict[str, list[object]]:
    return {name: [record.model_dump(mode="json") for record in row.by(part)] for name, row in figures.rows.items()}


def _grouped(
    settings: Settings, evaluations: Sequence[Evaluation], system: str | None, by: str, *, as_json: bool
) -> None:
    groups = measure_by(
        evaluations,
        by,
        system=system,
        thresholds=settings.metrics.thresholds,
        marking=marking_of(settings),
        labels=settings.metrics.label_keys,
    )
    if as_json:
        plain = {name: as_plain(group) for name, group in groups.items()}
        click.echo(as_text({"by": by, "groups": plain}), nl=False)
    else:
        from metrics.tables.parts import groups_table

        show(groups_table(groups, by))


def _compared(
    settings: Settings,
    earlier: Sequence[Evaluation],
    later: Sequence[Evaluation],
    systems: tuple[str | None, str | None],
    *,
    as_json: bool,
) -> None:
    comparison = compare_systems(
        earlier, later, before_system=systems[0], after_system=systems[1], thresholds=settings.metrics.thresholds
    )
    if as_json:
        click.echo(as_text(comparison.model_dump(mode="json")), nl=False)
    else:
        from metrics.tables.change import change_table

        show(change_table(comparison))
