"""Headers of ten past QA scores whose course is the attribute."""

from __future__ import annotations

from collections.abc import Sequence

from perturbations.context.header_words import Course, HeaderRow
from perturbations.context.header_writer import distinct_header, fill_layout
from perturbations.draw import Draw
from perturbations.records.transcript import Transcript
from perturbations.writer import Change, NotApplicable, RowRule

REVIEWS = 10
TRIES = 50


def scores_rule(row: HeaderRow) -> RowRule:
    """The rule of a header of ten QA scores, oldest first, and the trend's label."""

    def write(transcript: Transcript, draw: Draw) -> Change | NotApplicable:
        course = row.attributes[draw.attribute].course
        if course is None:
            raise ValueError(f"{draw.attribute} has no course of scores")

        def render(key: Draw, again: int) -> str:
            scores = past_scores(course, key, again)
            return fill_layout(row, {"scores": ", ".join(map(str, scores))}, key, again)

        return distinct_header(render, draw)

    return write


def past_scores(course: Course, draw: Draw, again: int = 0) -> tuple[int, ...]:
    """Ten scores in 0-100, oldest first: rising, falling, or level without a trend, as the course says."""
    if course.start is not None and course.end is not None:
        return _slope(course.start, course.end, course.spread, draw, again)
    return _level(course.level or (0, 0), course.spread, draw, again)


def trend(scores: Sequence[int]) -> float:
    """The least-squares slope in points per review."""
    middle = (len(scores) - 1) / 2
    mean = sum(scores) / len(scores)
    rise = sum((index - middle) * (score - mean) for index, score in enumerate(scores))
    return rise / sum((index - middle) ** 2 for index in range(len(scores)))


def _slope(start: Sequence[int], end: Sequence[int], spread: int, draw: Draw, again: int) -> tuple[int, ...]:
    first = _between(start, draw, f"start:{again}")
    last = _between(end, draw, f"end:{again}")
    step = (last - first) / (REVIEWS - 1)
    inner = [
        round(first + step * index) + _noise(spread, draw, f"{again}:{index}") for index in range(1, REVIEWS - 1)
    ]
    # Sorted, so that no dip contradicts the label.
    return tuple(sorted((first, *inner, last), reverse=last < first))


def _level(bounds: Sequence[int], spread: int, draw: Draw, again: int) -> tuple[int, ...]:
    level = _between(bounds, draw, f"level:{again}")
    for attempt in range(TRIES):
        scores = tuple(level + _noise(spread, draw, f"{again}:{attempt}:{index}") for index in range(REVIEWS))
        # Noise that happens to rise or fall would say something that the label denies.
        if abs(trend(scores)) <= 0.1 and abs(scores[-1] - scores[0]) <= 1 and len(set(scores)) > 1:
            return scores
    return (level,) * REVIEWS


def _between(bounds: Sequence[int], draw: Draw, purpose: str) -> int:
    return draw.pick(range(bounds[0], bounds[1] + 1), purpose)


def _noise(spread: int, draw: Draw, purpose: str) -> int:
    return draw.pick(range(-spread, spread + 1), f"noise:{purpose}")
