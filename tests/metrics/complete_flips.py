"""Alarms straight from pairs, with no store in between: what completeness means, told once more in a few lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from metrics.alarms.alarms import Alarm, AlarmRules, alarms_of
from metrics.alarms.series import Epoch, TranscriptFlips, epochs_of
from metrics.pairs.dedup import EPOCH_ZERO
from metrics.pairs.pair import Pair
from perturbations.rows import ROWS

DEFAULT = AlarmRules()


def alarms(pairs: Iterable[Pair], rules: AlarmRules = DEFAULT) -> list[Alarm]:
    """Every alarm that these pairs give."""
    return alarms_of(series(pairs), rules)


def series(pairs: Iterable[Pair], *, expected: Mapping[str, int] | None = None) -> list[Epoch]:
    """The epochs of the transcripts that are complete in a row."""
    return epochs_of(complete_flips(pairs, expected=expected))


def complete_flips(pairs: Iterable[Pair], *, expected: Mapping[str, int] | None = None) -> list[TranscriptFlips]:
    """What each transcript adds to each row in which it is complete.

    A transcript is complete in a row with all its attribute pairs (every two attributes; `expected` says how many
    where the design, or what applies, gives a transcript fewer); one whose row is never complete never enters.
    """
    by_row: dict[tuple[str, str, str, str, str], list[Pair]] = {}
    repeats: dict[tuple[str, str, str], list[Pair]] = {}
    for pair in pairs:
        if pair.kind == "repeat":
            repeats.setdefault((pair.system_id, pair.epoch, pair.transcript_id), []).append(pair)
        elif pair.kind == "attribute":
            key = (pair.system_id, pair.judge.model, pair.epoch, pair.row, pair.transcript_id)
            by_row.setdefault(key, []).append(pair)
    wanted = {name: len(row.attribute_pairs()) for name, row in ROWS.items()} | dict(expected or {})
    return [
        _flips(of_row, repeats.get((system_id, epoch, transcript_id), []))
        for (system_id, _, epoch, row, transcript_id), of_row in by_row.items()
        if len(of_row) >= wanted[row]
    ]


def _flips(of_row: list[Pair], repeats: list[Pair]) -> TranscriptFlips:
    first = of_row[0]
    return TranscriptFlips(
        provider=first.judge.provider,
        model=first.judge.model,
        system_id=first.system_id,
        epoch=first.epoch,
        row=first.row,
        transcript_id=first.transcript_id,
        completed_at=max(pair.evaluated_at or EPOCH_ZERO for pair in of_row),
        flips=sum(pair.flips for pair in of_row),
        comparisons=sum(pair.comparisons for pair in of_row),
        repeat_flips=sum(pair.flips for pair in repeats),
        repeat_comparisons=sum(pair.comparisons for pair in repeats),
    )
