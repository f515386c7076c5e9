"""From the judge's text to answers: what is unambiguous is taken, everything else is an outcome, nothing is guessed.

The reply asked for is one JSON object, `{"answers": [{"question_id", "answer", "confidence"}], "coaching_note":
{"positives", "positive_score", "improvements", "improvement_score"}}`. It may stand in prose, in a code fence or
after reasoning; the words around it are never searched for a verdict.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluators.evaluation import Answer, Notes, Outcome
from evaluators.provider import Completion, StopReason
from evaluators.replies.extract import Unreadable, is_refusal, reply_object
from perturbations.records.transcript import Question, Verdict

_VERDICTS: Mapping[str, Verdict] = {"yes": "yes", "no": "no", "na": "na", "n/a": "na", "not applicable": "na"}

# "85", "85.5", "85 %"; no sign, no "85/100", no "85 of 100": those could be on another scale. ASCII digits alone: \d
# would take those of every script.
_POINTS = re.compile(r"(\d{1,3}(?:\.\d+)?)\s*%?", re.ASCII)

_EntryReading = tuple[Verdict | None, float | None, Outcome]
"""What one entry of the reply says: verdict and confidence, both None where the outcome isn't `ok`."""


@dataclass(frozen=True)
class ParsedReply:
    """What the reply says, one answer for each question asked where there was an object to read.

    `outcome` is that of the answers: `ok` where at least one is good. `reason` is one word where it isn't `ok`.
    `notes_outcome` tells whether the coaching note could be read; where not, both its scores are None.
    """

    outcome: Outcome
    reason: str | None = None
    answers: tuple[Answer, ...] = ()
    positive_score: float | None = None
    improvement_score: float | None = None
    notes: Notes | None = None
    notes_outcome: Outcome | None = None


def parse_completion(
    completion: Completion, questions: Sequence[Question], *, has_confidence: bool = True
) -> ParsedReply:
    """What a completion says, its text read by `parse_reply`; `truncated` where the judge never saw all its input."""
    if completion.input_was_cut:
        return ParsedReply("truncated", "input")
    return parse_reply(
        completion.text,
        questions,
        stop=completion.stop,
        refused=completion.refused,
        has_confidence=has_confidence,
    )


def parse_reply(
    text: str,
    questions: Sequence[Question],
    *,
    stop: StopReason = "stop",
    refused: bool = False,
    has_confidence: bool = True,
) -> ParsedReply:
    """The answers and the coaching note in `text`.

    Without questions only the coaching note is read. `stop` is why the model stopped: at its limit (`length`) only a
    reply that is complete as it stands counts.
    `refused` is the provider's own word that this is a refusal. `has_confidence` false is for a service that gives
    no confidence: an answer without one is then good.
    """
    try:
        reply = reply_object(text, stop=stop, refused=refused)
    except Unreadable as unreadable:
        return ParsedReply(unreadable.outcome, unreadable.reason)
    notes, positive, improvement = _coaching_note(reply.get("coaching_note"))
    answers = _answers(reply, questions, has_confidence)
    outcome, reason = _overall(answers) if questions else ("ok", None)
    return ParsedReply(
        outcome=outcome,
        reason=reason,
        answers=answers,
        positive_score=positive,
        improvement_score=improvement,
        notes=notes,
        notes_outcome="unparsed" if notes is None else "ok",
    )


def read_verdict(value: object, *, allow_na: bool) -> Verdict | None:
    """`yes`, `no` or `na` where the value is exactly that in any case, with at most one full stop; else None."""
    if not isinstance(value, str):
        return None
    verdict = _VERDICTS.get(value.strip().removesuffix(".").rstrip().lower())
    return None if verdict == "na" and not allow_na else verdict


def read_points(value: object) -> float | None:
    """A score from 0 to 100, from a number or a string such as "85" or "85%"; else None.

    Values strictly between 0 and 1 are refused: whether they are points or a fraction of 1 can't be known.
    """
    if isinstance(value, bool):
        # For Python True is a 1.
        return None
    if isinstance(value, str):
        points = _number_in(value)
    elif isinstance(value, int | float):
        # The range first: an int beyond the range of floats can't be made a float, and is beyond 100 as well.
        points = float(value) if -1 < value <= 100 else math.nan
    else:
        return None
    # NaN is in no range. Adding 0.0 makes 0.0 of -0.0, which would be another text in the record.
    return points + 0.0 if points == 0 or 1 <= points <= 100 else None


def _overall(answers: Sequence[Answer]) -> tuple[Outcome, str | None]:
    outcomes = {answer.outcome for answer in answers}
    if "ok" in outcomes:
        return "ok", None
    if outcomes == {"refused"}:
        return "refused", "refusal"
    return "unparsed", "no_good_answer"


def _answers(reply: Mapping[str, object], questions: Sequence[Question], has_confidence: bool) -> tuple[Answer, ...]:
    entries = _entries(reply, questions)
    # A judge that writes one confidence as 0.9 writes them all so: what its 1 means is told by its other entries.
    on_unit_scale = any(_is_fraction(entry.get("confidence")) for given in entries.values() for entry in given)
    answers = []
    for question in questions:
        readings = [
            _entry_reading(entry, question, on_unit_scale=on_unit_scale, has_confidence=has_confidence)
            for entry in entries.get(question.question_id, [])
        ]
        answers.append(_answer(question, readings))
    return tuple(answers)


def _entries(reply: Mapping[str, object], questions: Sequence[Question]) -> dict[str, list[Mapping[str, object]]]:
    """What the reply gives for each question id, in its order; unknown ids are left out.

    Several entries of one question all stay: whether they agree is looked at where they are read.
    """
    listed = reply.get("answers")
    if "answer" in reply:
        # The short form for one question. Beside a list it would be a second verdict.
        given: list[object] = [] if "answers" in reply else [reply]
    else:
        given = listed if isinstance(listed, list) else []
    known = {question.question_id for question in questions}
    entries: dict[str, list[Mapping[str, object]]] = {}
    for entry in given:
        if not isinstance(entry, dict):
            continue
        name = entry.get("question_id")
        # Left out, the id is clear where only one question was asked; null is a wrong id, not one left out.
        if name is None and "question_id" not in entry and len(questions) == 1:
            name = questions[0].question_id
        # An id "7" comes back as the number 7 from models that like numbers.
        if isinstance(name, int) and not isinstance(name, bool):
            name = str(name)
        # Stripped only where it isn't known as it stands: an id may have spaces of its own.
        if isinstance(name, str) and name not in known:
            name = name.strip()
        if isinstance(name, str) and name in known:
            entries.setdefault(name, []).append(entry)
    return entries


def _answer(question: Question, readings: Sequence[_EntryReading]) -> Answer:
    # The same said twice is said; two different entries for one question leave open which of them is meant.
    if not readings or len(set(readings)) > 1:
        return Answer.to(question, outcome="unparsed")
    verdict, confidence, outcome = readings[0]
    return Answer.to(question, outcome=outcome, answer=verdict, confidence=confidence)


def _entry_reading(
    entry: Mapping[str, object], question: Question, *, on_unit_scale: bool, has_confidence: bool
) -> _EntryReading:
    value = entry.get("answer")
    verdict = read_verdict(value, allow_na=question.allow_na)
    confidence = read_points(entry.get("confidence"))
    if confidence == 1 and on_unit_scale:
        # 1 beside 0.9 may be certainty on a scale to 1, or one point of 100.
        confidence = None
    without = not has_confidence and entry.get("confidence") is None
    if verdict is not None and (without or confidence is not None):
        return verdict, confidence, "ok"
    return None, None, "refused" if isinstance(value, str) and is_refusal(value) else "unparsed"


def _is_fraction(value: object) -> bool:
    number = _number_in(value) if isinstance(value, str) else value
    return isinstance(number, float) and 0 < number < 1


def _number_in(text: str) -> float:
    """The number that the text is, with or without a percent sign; NaN where it is none."""
    match = _POINTS.fullmatch(text.strip())
    return math.nan if match is None else float(match[1])


def _coaching_note(value: object) -> tuple[Notes | None, float | None, float | None]:
    if not isinstance(value, dict):
        return None, None, None
    positive, improvement = read_points(value.get("positive_score")), read_points(value.get("improvement_score"))
    positives, improvements = _texts(value.get("positives")), _texts(value.get("improvements"))
    if positive is None or improvement is None or positives is None or improvements is None:
        return None, None, None
    return Notes(positives=positives, improvements=improvements), positive, improvement


def _texts(value: object) -> tuple[str, ...] | None:
    # One point is often written without its list; null, or a list with anything else in it, is another form.
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
        return None
    return tuple(_storable(item) for item in items)


def _storable(text: str) -> str:
    """The text without halves of surrogate pairs, which JSON can spell and no store can keep.

    UTF-16 puts the two halves of a pair together on its way back, and replaces one that stands alone.
    """
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
