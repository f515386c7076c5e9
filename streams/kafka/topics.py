"""The topics in one table, and what they and the consumer groups are called on the broker."""

from __future__ import annotations

from streams.config.sections import KafkaSettings

TRANSCRIPTS = "autoqa.transcripts.v1"
SAMPLES = "autoqa.samples.v1"
VARIANTS = "autoqa.variants.v1"
EVALUATIONS = "autoqa.evaluations.v1"
PAIRS = "autoqa.pairs.v1"
DEPLOYMENTS = "autoqa.model-deployments.v1"
DEAD_LETTERS = "autoqa.dead-letters.v1"

TOPICS = (TRANSCRIPTS, SAMPLES, VARIANTS, EVALUATIONS, PAIRS, DEPLOYMENTS, DEAD_LETTERS)


def topic_name(kafka: KafkaSettings, topic: str) -> str:
    """The topic's name on the broker."""
    return f"{kafka.topic_prefix}{topic}"


def group_name(kafka: KafkaSettings, stage: str) -> str:
    """The consumer group of a stage: each has its own, so that one rebalances and scales apart from the others."""
    return f"{kafka.topic_prefix}{kafka.group}-{stage}"
