"""Drift alarms with the anchors' verdict."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import numpy as np
import pytest

from evaluators.evaluation import Evaluation, Judge
from metrics.alarms.alarms import AlarmRules, alarms_of
from metrics.alarms.series import TranscriptFlips, epochs_of
from metrics.alarms.verdicts import attributed
from metrics.tables.alarms import alarms_table
from perturbations.planning.anchors import FIRST_ROUND
from tests.builders import make_evaluation
from tests.metrics.alarms.test_state import START, flips
from tests.shown import shown

RULES = AlarmRules(alpha=0.05, limit=0.9)


def rounds(changed_minute: float, *, lasting: int, model: str = "m", count: int = 15) -> list[Evaluation]:
    """Anchors judged every 100 minutes; from the change on `lasting` of 20 answers are others for good."""
    made = []
    for a in range(count):
        for n in range(30):
            moment = START + timedelta(minutes=100 * n + a)
            turned = lasting if moment >= START + timedelta(minutes=changed_minute) else 0
            noise = (a + n) % 7 == 0
            letters = "n" * turned + "y" * (19 - turned) + ("n" if noise else "y")
            made.append(
                make_evaluation(
                    f"anchor:{a}",
                    answers=letters,
                    repeat=FIRST_ROUND + n,
                    evaluated_at=moment,
                    judge=Judge(model=model),
                )
            )
    return made


def silent() -> list[TranscriptFlips]:
    """A transcript a minute that flips 1 in 10 now and then, and from number 1,500 on 4 or 5 in 10."""
    rng = np.random.default_rng(5)
    made = [transcript for i in range(1500) for transcript in flips(int(rng.random() < 0.3), 1, first=i)]
    return made + [
        transcript for i in range(1500, 1800) for transcript in flips(4 + int(rng.random() < 0.5), 1, first=i)
    ]


def verdicts(transcripts: Sequence[TranscriptFlips], anchors: Sequence[Evaluation]) -> dict[str, str | None]:
    epochs = epochs_of(transcripts)
    alarms = attributed(alarms_of(epochs, RULES), epochs, anchors)
    return {a.kind: None if a.attribution is None else a.attribution.verdict for a in alarms}


@pytest.mark.parametrize(("lasting", "expected"), [(3, "judge"), (0, "traffic")])
def test_a_swap_is_judged_by_what_happened_when_it_began(lasting: int, expected: str) -> None:
    transcripts = flips(0, 1200) + flips(4, 300, first=1200, epoch="e2")
    assert verdicts(transcripts, rounds(1200, lasting=lasting)) == {"drift": expected}


@pytest.mark.parametrize(("lasting", "expected"), [(3, "judge"), (0, "traffic")])
def test_a_silent_change_is_looked_for_where_the_fractions_break(lasting: int, expected: str) -> None:
    assert verdicts(silent(), rounds(1500, lasting=lasting)) == {"silent_drift": expected}


def test_another_judges_anchors_tell_nothing_and_few_give_no_verdict() -> None:
    transcripts = flips(0, 1200) + flips(4, 300, first=1200, epoch="e2")
    epochs = epochs_of(transcripts)
    for anchors in ([], rounds(1200, lasting=3, model="other"), rounds(1200, lasting=3, count=9)):
        (alarm,) = attributed(alarms_of(epochs, RULES), epochs, anchors)
        assert alarm.attribution is not None
        assert alarm.attribution.verdict is None
        assert "too few" in (alarm.attribution.reason or "")
    lines = {"m": "judges.main", "other": "judges.main"}
    (alarm,) = attributed(alarms_of(epochs, RULES), epochs, rounds(1200, lasting=3, model="other"), lineages=lines)
    assert alarm.attribution is not None
    assert alarm.attribution.verdict == "judge"
    assert "the judge" in shown(alarms_table([alarm], alpha=0.05))


def test_excess_comes_from_nowhere_else() -> None:
    epochs = epochs_of(flips(5, 100))
    (alarm,) = attributed(alarms_of(epochs, AlarmRules(alpha=0.05)), epochs, [])
    assert (alarm.kind, alarm.attribution) == ("excess", None)
