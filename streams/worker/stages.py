"""The table of stages: what each needs of its worker, and how it is built from that.

Free of imports that take time: the command line names the stages before it runs any.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as type checkers read it, without the time that importing `typing` takes
if TYPE_CHECKING:
    from collections.abc import Callable

    from streams.agents.perturb import ArmsWanted
    from streams.config.settings import Settings
    from streams.runtime.stage import Stage
    from streams.worker.parts import Need, Parts


class StageSpec:
    """What a stage needs of its worker, and how it is built from that. Raises SettingsError where it can't be."""

    def __init__(self, *needs: Need, build: Callable[[Parts], Stage]) -> None:
        self.needs = needs
        self.build = build


def _sample(parts: Parts) -> Stage:
    from streams.agents.sample import SampleStage

    settings = parts.settings
    return SampleStage(
        parts.counters,
        rate=settings.sampling.rate,
        seed=settings.seed,
        max_transcript_bytes=settings.sampling.max_transcript_bytes,
        concurrency=settings.worker.sample_concurrency,
    )


def _perturb(parts: Parts) -> Stage:
    from streams.agents.perturb import PerturbStage

    return PerturbStage(
        parts.counters,
        wanted=arms_wanted(parts.settings),
        maker=parts.variant_maker,
        sink=parts.store,
        concurrency=parts.settings.worker.perturb_concurrency,
    )


def _evaluate(parts: Parts) -> Stage:
    from datetime import UTC, datetime

    from streams.agents.evaluate import EvaluateStage

    return EvaluateStage(
        parts.counters,
        judges=parts.judges,
        now=lambda: datetime.now(UTC),
        concurrency=parts.settings.worker.evaluate_concurrency,
    )


def _pair(parts: Parts) -> Stage:
    from streams.agents.pair import PairStage

    worker = parts.settings.worker
    return PairStage(
        parts.counters,
        store=parts.store,
        batch_evaluations=worker.batch_evaluations,
        batch_seconds=worker.batch_seconds,
    )


def _deploy(parts: Parts) -> Stage:
    from streams.agents.deploy import DeployStage

    return DeployStage(sink=parts.store)


STAGES: dict[str, StageSpec] = {
    "sample": StageSpec(build=_sample),
    "perturb": StageSpec("store", "variant_maker", build=_perturb),
    "evaluate": StageSpec("judges", build=_evaluate),
    "pair": StageSpec("store", build=_pair),
    "deploy": StageSpec("store", build=_deploy),
}
"""Every stage by its name, along the stream. A worker runs all of them, or those that it is told to."""


def arms_wanted(settings: Settings) -> ArmsWanted:
    """What the configuration asks of each sampled transcript. Raises SettingsError: unusable rubric or anchors."""
    from streams.agents.perturb import ArmsWanted
    from streams.config.anchor_file import anchors_of
    from streams.config.form import rubric_of

    return ArmsWanted(
        rows=settings.sampling.chosen_rows,
        rubric=rubric_of(settings),
        judges=frozenset(settings.judges),
        default_judge=settings.default_judge,
        seed=settings.seed,
        repeats=settings.sampling.repeats,
        design=settings.sampling.design,
        anchors=anchors_of(settings),
        anchor_share=settings.anchors.share,
    )
