"""How often a drift is laid at the right door: 60 changes of the judge and 60 of the traffic.

    python -m benchmarks.attribution

40 anchors of 30 questions are judged five times before and twice after. Two rounds of the same judge disagree on 3 %
of the answers; a changed judge gives another lasting answer to 4 % of the questions. A change of the traffic leaves
the anchors' texts as they are, so only the noise remains. Where nothing changed there is no drift to attribute.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta

import numpy as np

from evaluators.evaluation import Answer, Evaluation
from metrics.alarms.attribution import DriftCause, attribute_change
from perturbations.rows import ORIGINAL, ROBUSTNESS

ANCHORS, QUESTIONS, BEFORE, AFTER = 40, 30, 5, 2
DISAGREEMENT = 0.03
LASTING = 0.04
CHANGE = datetime(2026, 11, 30, 12, tzinfo=UTC)


def verdicts(kind: str, count: int, rng: np.random.Generator) -> list[DriftCause | None]:
    """The verdicts on so many changes of the `judge` or of the `traffic`."""
    return [attribute_change(_anchors(kind, rng), CHANGE).verdict for _ in range(count)]


def _anchors(kind: str, rng: np.random.Generator) -> list[Evaluation]:
    # A call errs so often that two of them disagree as often as is said.
    error = (1 - np.sqrt(1 - 2 * DISAGREEMENT)) / 2
    made = []
    for i in range(ANCHORS):
        old = rng.random(QUESTIONS) < 0.8
        new = old ^ (rng.random(QUESTIONS) < (LASTING if kind == "judge" else 0.0))
        for n in range(BEFORE + AFTER):
            answers = (old if n < BEFORE else new) ^ (rng.random(QUESTIONS) < error)
            made.append(
                Evaluation(
                    transcript_id=f"anchor-{i}",
                    row=ROBUSTNESS,
                    attribute=ORIGINAL,
                    repeat=n,
                    outcome="ok",
                    evaluated_at=CHANGE + timedelta(days=n - BEFORE + 0.5),
                    answers=tuple(
                        Answer(question_id=f"q{q}", answer="yes" if yes else "no") for q, yes in enumerate(answers)
                    ),
                )
            )
    return made


def main() -> None:
    """Print the verdicts."""
    rng = np.random.default_rng(7)
    for kind in ("judge", "traffic"):
        counted = Counter(verdicts(kind, 60, rng))
        print(f"{kind:8} changed: {dict(counted)}, right in {counted[kind]} of 60")


if __name__ == "__main__":
    main()
