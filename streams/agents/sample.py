"""Sample: live transcripts in, the kept share out."""

from __future__ import annotations

from pydantic import BaseModel

from metrics.prometheus.counters import Counters
from perturbations.planning.sampling import keep
from perturbations.records.reading import OWN
from perturbations.records.transcript import Moment, Transcript, read_transcript
from streams.kafka.topics import SAMPLES, TRANSCRIPTS
from streams.runtime.stage import Incoming, Outgoing


class Sample(BaseModel):
    """A kept transcript and when the broker took it, which orders the versions of one transcript."""

    model_config = OWN

    transcript: Transcript
    received_at: Moment


class SampleStage:
    """Reads all live traffic and passes on what hash(seed, transcript_id) keeps."""

    name = "sample"
    source = TRANSCRIPTS
    is_paused = False

    def __init__(
        self, counters: Counters, *, rate: float, seed: int, max_transcript_bytes: int, concurrency: int
    ) -> None:
        self.concurrency = concurrency
        self._rate = rate
        self._seed = seed
        self._max_transcript_bytes = max_transcript_bytes
        self._counters = counters

    async def handle(self, incoming: Incoming) -> list[Outgoing]:
        """The sample, or nothing. Raises RecordError for what is no transcript."""
        transcript = read_transcript(incoming.value, max_bytes=self._max_transcript_bytes)
        if transcript.status == "in_progress":
            self._counters.transcript("in_progress")
            return []
        if not keep(transcript.transcript_id, rate=self._rate, seed=self._seed):
            self._counters.transcript("not_sampled")
            return []
        self._counters.transcript("sampled")
        sample = Sample(transcript=transcript, received_at=incoming.timestamp)
        return [Outgoing(SAMPLES, transcript.transcript_id.encode(), sample.model_dump_json().encode())]
