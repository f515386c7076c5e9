"""What became of the variants, row by row: the paper's Table 9, and how much of a transcript a row changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel

from perturbations.records.edit import Replacement
from perturbations.records.reading import OWN
from perturbations.records.transcript import Transcript
from perturbations.records.variant import Status, Variant
from perturbations.rows import ROWS


class ArmStats(BaseModel):
    """Counts of variants by what became of them.

    `retried` are those of the accepted that took more than one draw. `rejected` and `not_applicable` count by reason.
    `rejection_rate` is rejected / (accepted + rejected), in [0, 1]. `agent_turns` are the original agent turns of the
    transcripts whose variant was accepted; `agent_turns_changed` those of them in which text was replaced; the share
    is in [0, 1]. A turn that was added is in neither. Rates of nothing are None.
    """

    model_config = OWN

    accepted: int
    retried: int
    original: int
    rejected: dict[str, int]
    not_applicable: dict[str, int]
    rejection_rate: float | None
    agent_turns: int
    agent_turns_changed: int
    agent_turns_changed_share: float | None


class RowStats(ArmStats):
    """One row's counts over all its attributes, and by attribute.

    `transcripts` were read; for `complete` of them every attribute that was asked for is there. `placebo` counts the
    second draws, None where none was asked for.
    """

    transcripts: int
    complete: int
    by_attribute: dict[str, ArmStats]
    placebo: ArmStats | None = None


@dataclass
class _Counts:
    fates: Counter[tuple[Status, str | None]] = field(default_factory=Counter)
    retried: int = 0
    agent_turns: int = 0
    changed: int = 0

    def add(self, transcript: Transcript, variant: Variant) -> None:
        self.fates[variant.status, variant.reason] += 1
        if variant.status != "accepted":
            return
        self.retried += variant.retries > 0
        replaced = {edit.turn for edit in variant.edits if isinstance(edit, Replacement)}
        for index, turn in enumerate(transcript.turns):
            self.agent_turns += turn.speaker == "agent"
            self.changed += turn.speaker == "agent" and index in replaced

    def of(self, status: Status) -> int:
        return sum(count for (each, _), count in self.fates.items() if each == status)

    def reasons(self, status: Status) -> dict[str, int]:
        counts = {reason or "": count for (each, reason), count in self.fates.items() if each == status}
        return dict(sorted(counts.items()))


class VariantStats:
    """Counts variants as they are made."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str, int], _Counts] = {}
        self._transcripts: Counter[str] = Counter()
        self._complete: Counter[str] = Counter()

    def add(self, transcript: Transcript, row: str, variants: Sequence[Variant]) -> None:
        """Count all variants of one row of one transcript."""
        for variant in variants:
            self._counts.setdefault((row, variant.attribute, variant.draw), _Counts()).add(transcript, variant)
        self._transcripts[row] += 1
        arms = [variant for variant in variants if variant.draw == 0]
        self._complete[row] += all(variant.status in ("accepted", "original") for variant in arms)

    def by_row(self) -> dict[str, RowStats]:
        """The figures of every row that was counted, in the order of the rows' table."""
        return {row: self._stats_of(row) for row in ROWS if row in self._transcripts}

    def _stats_of(self, row: str) -> RowStats:
        arms = {
            attribute: self._counts[row, attribute, 0]
            for attribute in ROWS[row].attributes
            if (row, attribute, 0) in self._counts
        }
        placebos = [counts for (name, _, draw), counts in self._counts.items() if name == row and draw == 1]
        return RowStats(
            transcripts=self._transcripts[row],
            complete=self._complete[row],
            by_attribute={attribute: _stats(counts) for attribute, counts in arms.items()},
            placebo=_stats(_sum(placebos)) if placebos else None,
            **_stats(_sum(arms.values())).model_dump(),
        )


def _sum(counts: Iterable[_Counts]) -> _Counts:
    total = _Counts()
    for each in counts:
        total.fates.update(each.fates)
        total.retried += each.retried
        total.agent_turns += each.agent_turns
        total.changed += each.changed
    return total


def _stats(counts: _Counts) -> ArmStats:
    accepted, rejected = counts.of("accepted"), counts.of("rejected")
    return ArmStats(
        accepted=accepted,
        retried=counts.retried,
        original=counts.of("original"),
        rejected=counts.reasons("rejected"),
        not_applicable=counts.reasons("not_applicable"),
        rejection_rate=rejected / (accepted + rejected) if accepted + rejected else None,
        agent_turns=counts.agent_turns,
        agent_turns_changed=counts.changed,
        agent_turns_changed_share=counts.changed / counts.agent_turns if counts.agent_turns else None,
    )
