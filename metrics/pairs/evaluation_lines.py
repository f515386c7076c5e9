"""Evaluations from lines of JSON: each line is an evaluation or a reason, and the rest goes on."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from evaluators.evaluation import Evaluation
from perturbations.records.errors import RecordError
from perturbations.records.reading import read_record, without_nulls


@dataclass(frozen=True)
class BadLine:
    """A line that is no evaluation: where it stands and what is wrong, without any of its text."""

    file: str
    number: int
    reason: str
    detail: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.number}" if self.file else f"line {self.number}"
        return f"{place}: {self.reason}: {self.detail}"


@dataclass(frozen=True)
class EvaluationLines:
    """What the lines of one file gave, in their order."""

    evaluations: tuple[Evaluation, ...]
    bad_lines: tuple[BadLine, ...]


def read_evaluations(lines: Iterable[bytes] | Iterable[tuple[int, bytes]], *, file: str = "") -> EvaluationLines:
    """The evaluations of these lines, plain or with their numbers; blank ones are passed over, bad ones reported."""
    evaluations: list[Evaluation] = []
    bad_lines: list[BadLine] = []
    for counted, line in enumerate(lines, start=1):
        number, raw = line if isinstance(line, tuple) else (counted, line)
        content = raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw
        if not content.strip():
            continue
        try:
            evaluations.append(read_evaluation(content))
        except RecordError as error:
            bad_lines.append(BadLine(file, number, error.reason, error.detail))
    return EvaluationLines(tuple(evaluations), tuple(bad_lines))


def read_evaluation(raw: bytes | None) -> Evaluation:
    """The evaluation in `raw`, UTF-8 JSON; a field that is null is one that the sender doesn't know.

    Raises RecordError with the reasons of `read_record`. An `ok` evaluation has to say its answers, though there
    may be none among them.
    """
    try:
        evaluation = read_record(Evaluation, raw)
    except RecordError as error:
        if raw is None or error.reason != "invalid":
            raise
        evaluation = _without_nulls(raw, error)
    if evaluation.outcome == "ok" and "answers" not in evaluation.model_fields_set:
        raise RecordError("invalid", "answers: Field required where outcome is 'ok'")
    return evaluation.without_id() if evaluation.evaluation_id == "" else evaluation


def _without_nulls(raw: bytes, error: RecordError) -> Evaluation:
    # Reading twice costs time, but only for lines that didn't read at first.
    data = json.loads(raw)
    if not isinstance(data, dict) or None not in data.values():
        raise error
    return read_record(Evaluation, json.dumps(without_nulls(data)).encode("ascii"))
