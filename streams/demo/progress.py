"""When the stream is through: from the store's counts and the worker's dead letters."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile

import aiohttp
from prometheus_client.parser import text_string_to_metric_families

from metrics.clickhouse.progress import Progress
from streams.worker.stages import STAGES

OF_TRANSCRIPTS = tuple(takewhile(lambda name: name != "evaluate", STAGES))
"""The stages whose records are transcripts; what the others take belongs to an evaluation."""


@dataclass(frozen=True)
class Position:
    """Where the stream is: what the store holds, and what went to the dead letters on the way."""

    sent: int
    progress: Progress
    lost_transcripts: int
    lost_evaluations: int

    @property
    def finished(self) -> bool:
        """Whether everything that was sent has come out, as evaluations or as dead letters."""
        return (
            self.progress.transcripts + self.lost_transcripts >= self.sent
            and self.progress.evaluations + self.lost_evaluations >= self.progress.expected
        )

    @property
    def expected(self) -> int:
        """How many evaluations will come out, estimated while not all arms are made."""
        if not self.progress.transcripts:
            return 0
        return max(self.progress.expected, round(self.progress.expected * self.sent / self.progress.transcripts))


async def read_dead_letters(metrics_url: str) -> tuple[int, int]:
    """Dead letters so far: (transcripts, evaluations), from the worker's counters."""
    async with aiohttp.ClientSession() as session, session.get(metrics_url) as response:
        text = await response.text()
    before, after = 0.0, 0.0
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            if sample.name == "evenhand_dead_letters_total":
                if sample.labels["stage"] in OF_TRANSCRIPTS:
                    before += sample.value
                else:
                    after += sample.value
    return int(before), int(after)
