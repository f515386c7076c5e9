"""How often a judge agrees with the people who took part in STAR's dialogues.

    python -m benchmarks.star_accuracy FILE [--config evenhand.toml] [--judge NAME] [--labelled OUT.jsonl]

FILE holds transcripts whose `labels.questionnaire` has the answers of the two crowd workers, as 21 of those in
`streams/demo/data` do. Asks the judge the corresponding questions (`data/star_questions.toml`) about each of them and
prints accuracy and Cohen's kappa, in all and by question, with the ids of the transcripts in which judge and person
disagree. `--labelled` writes the transcripts with these questions and their `human_answer` instead of asking: for
`evenhand evaluate`, whose evaluations then have an accuracy in `evenhand measure`, for each arm too.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from evaluators.calling.judge_client import JudgeClient, make_judge
from evaluators.evaluate import evaluate
from evaluators.evaluation import Evaluation
from metrics.figures.agreement import Agreement, QuestionAgreement
from metrics.figures.measure import measure
from metrics.figures.thresholds import Thresholds
from perturbations.arms import arm_messages
from perturbations.outcome import make_original
from perturbations.records.transcript import Question, Transcript, read_transcript
from streams.config.settings import load_settings

QUESTIONS = Path(__file__).parent / "data" / "star_questions.toml"
ANY = Thresholds(comparisons=1, transcripts=1)
"""Figures for whatever there is: their counts stand beside them."""


def labelled(transcripts: Iterable[Transcript]) -> Iterator[Transcript]:
    """Those that people answered questions about, with these questions and answers in place of their own."""
    for transcript in transcripts:
        answered = transcript.labels.get("questionnaire")
        if isinstance(answered, dict) and (questions := tuple(_questions(answered))):
            yield transcript.model_copy(update={"questions": questions})


async def asked(transcripts: Sequence[Transcript], judge: JudgeClient) -> list[Evaluation]:
    """What the judge says about each transcript as it is, up to its `concurrency` at once."""
    free = asyncio.Semaphore(judge.config.concurrency)

    async def ask(transcript: Transcript) -> Evaluation:
        (original,) = arm_messages(transcript, [(make_original(transcript), 0)], occurred_at=transcript.occurred_at)
        async with free:
            return await evaluate(original, judge, now=lambda: datetime.now(UTC))

    return await asyncio.gather(*map(ask, transcripts))


def accuracy_lines(accuracy: Agreement) -> Iterator[str]:
    """The figures as lines of a table."""
    yield f"{'question':<24}{'answers':>8}{'accuracy':>10}{'kappa':>8}  disagree"
    for question in accuracy.by_question:
        yield f"{_line(question.question_id, question)}  {' '.join(question.disagreeing)}".rstrip()
    yield _line("all", accuracy)


def _line(name: str, agreement: Agreement | QuestionAgreement) -> str:
    return f"{name:<24}{agreement.answers:>8}{_percent(agreement.agreement):>10}{_plain(agreement.kappa):>8}"


def _questions(answered: dict[str, Any]) -> Iterator[Question]:
    for entry in _known():
        for label in entry["labels"]:
            if isinstance(answer := answered.get(label), bool):
                yield Question(
                    question_id=entry["question_id"], text=entry["text"], human_answer="yes" if answer else "no"
                )
                break


@cache
def _known() -> tuple[dict[str, Any], ...]:
    return tuple(tomllib.loads(QUESTIONS.read_text(encoding="utf-8"))["questions"])


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"


def _plain(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


async def _run(transcripts: Sequence[Transcript], judge: JudgeClient) -> list[Evaluation]:
    try:
        return await asked(transcripts, judge)
    finally:
        await judge.aclose()


def main() -> None:
    """Ask and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--config", type=Path)
    parser.add_argument("--judge")
    parser.add_argument("--labelled", type=Path)
    options = parser.parse_args()
    transcripts = list(
        labelled(read_transcript(line) for line in options.file.read_bytes().splitlines() if line.strip())
    )
    if options.labelled is not None:
        lines = (transcript.model_dump_json() + "\n" for transcript in transcripts)
        options.labelled.write_text("".join(lines), encoding="utf-8")
        return
    _, config = load_settings(options.config, os.environ).judge_named(options.judge)
    evaluations = asyncio.run(_run(transcripts, make_judge(config, os.environ.get(config.api_key_env))))
    failed = sum(e.outcome != "ok" for e in evaluations)
    print("\n".join(accuracy_lines(measure(evaluations, thresholds=ANY).accuracy)))
    if failed:
        print(f"{failed} of {len(evaluations)} transcripts were not judged", file=sys.stderr)


if __name__ == "__main__":
    main()
