"""The words of metadata headers, read from a data file and checked: layouts, labels and the values to draw from."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations
from typing import Annotated, Any, Self

from pydantic import BaseModel, Field, ValidationError, field_validator, model_validator

from perturbations.records.reading import OWN
from perturbations.records.transcript import Transcript
from perturbations.rows import ROWS, Row, Trend, rows_of
from perturbations.source import Source, packaged, refuse
from perturbations.text.phrases import phrase_pattern

HEADER_ROWS = tuple(row.name for row in rows_of("context"))
PLACEHOLDER = re.compile(r"\{(\w+)\}")

_LABEL, _SCORES = "label", "scores"
_TRENDS: dict[Trend, str] = {
    "rise": "rise: start below end",
    "fall": "fall: start above end",
    "level": "stay on a level",
}

HeaderText = Annotated[str, Field(min_length=1)]
PastScore = Annotated[int, Field(ge=0, le=100)]
ScoreRange = tuple[PastScore, PastScore]


class HeaderWording(BaseModel):
    """A value of a header; `unless` is a phrase in an agent turn that it would contradict."""

    model_config = OWN

    text: HeaderText
    unless: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, data: Any) -> Any:
        return {"text": data} if isinstance(data, str) else data

    @field_validator("unless")
    @classmethod
    def _readable(cls, phrase: str | None) -> str | None:
        try:
            phrase_pattern(phrase or "")
        except re.error as error:
            raise ValueError(f"no regular expression: {error}") from None
        return phrase

    def contradicts(self, transcript: Transcript) -> bool:
        """Whether an agent turn holds the phrase that rules this wording out."""
        if self.unless is None:
            return False
        ruled_out = phrase_pattern(self.unless)
        return any(turn.speaker == "agent" and ruled_out.search(turn.text) for turn in transcript.turns)


class Course(BaseModel):
    """How past scores run: from a first to a last score drawn from two ranges, or around one `level`.

    `spread` is how far a score may lie from its course, in points.
    """

    model_config = OWN

    start: ScoreRange | None = None
    end: ScoreRange | None = None
    level: ScoreRange | None = None
    spread: Annotated[int, Field(ge=0, le=20)] = 1

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if (self.start is None) != (self.end is None) or (self.start is None) == (self.level is None):
            raise ValueError("needs either start and end, or level")
        for bounds in (self.start, self.end, self.level):
            if bounds is not None and bounds[0] > bounds[1]:
                raise ValueError("a range is the lower score, then the higher one")
        reach = self.reach()
        if reach[0] < 0 or reach[1] > 100:
            raise ValueError("level and spread must stay within 0 to 100")
        overlap = self.start and self.end and max(self.start[0], self.end[0]) <= min(self.start[1], self.end[1])
        if overlap:
            raise ValueError("start and end must not overlap: the scores rise or fall")
        return self

    def reach(self) -> tuple[int, int]:
        """The lowest and highest score that can be drawn on a level; (0, 100) for a slope."""
        return (0, 100) if self.level is None else (self.level[0] - self.spread, self.level[1] + self.spread)

    def trend(self) -> Trend:
        """Whether the scores rise, fall or stay on a level."""
        if self.start is None or self.end is None:
            return "level"
        return "rise" if self.end[0] > self.start[1] else "fall"

    def is_told_from(self, other: Course) -> bool:
        """Whether scores on this course can't be scores on the other."""
        if self.trend() != other.trend():
            return True
        low, high = self.reach(), other.reach()
        return self.level is not None and (low[1] < high[0] or high[1] < low[0])


class HeaderAttribute(BaseModel):
    """One attribute: its label, the same in every draw, and for each further name the values to draw from."""

    model_config = OWN

    label: HeaderText
    values: dict[str, Annotated[tuple[HeaderWording, ...], Field(min_length=1)]] = Field(default_factory=dict)
    course: Course | None = None


class HeaderRow(BaseModel):
    """One row: the header's texts, with {label} and the attributes' value names in braces, and its attributes."""

    model_config = OWN

    layouts: Annotated[tuple[HeaderText, ...], Field(min_length=1)]
    attributes: dict[str, HeaderAttribute]


@cache
def own_headers() -> Mapping[str, HeaderRow]:
    """The headers of this package."""
    return read_headers(packaged("headers.toml"))


def read_headers(source: Source, *, base: Mapping[str, HeaderRow] | None = None) -> Mapping[str, HeaderRow]:
    """The header rows of a TOML file in the form of headers.toml; the rows that it lacks are those of `base`.

    Raises MaterialsError where a table isn't a header row, lacks an attribute, has a layout with a name that not
    every attribute has values for, or one in which two attributes could look alike.
    """
    try:
        data = tomllib.loads(source.text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        refuse([source.fault(f"not TOML: {error}")])
    faults = [
        source.fault(f"[{name}] is no header row; allowed are {', '.join(HEADER_ROWS)}")
        for name in data
        if name not in HEADER_ROWS
    ]
    rows: dict[str, HeaderRow] = {}
    for name in [name for name in HEADER_ROWS if name in data]:
        try:
            rows[name] = HeaderRow.model_validate(_arranged(ROWS[name], data[name]))
        except ValidationError as error:
            faults += [
                source.fault(f"{name}.{_place(p['loc'])}: {_without_prefix(p['msg'])}") for p in error.errors()
            ]
        else:
            faults += [source.fault(f"{name}: {fault}") for fault in _row_faults(ROWS[name], rows[name])]
    for name in HEADER_ROWS:
        if name not in data and base is not None:
            rows[name] = base[name]
    refuse([*faults, *(source.fault(f"the table [{name}] is missing") for name in HEADER_ROWS if name not in rows)])
    return rows


def _arranged(row: Row, data: Any) -> Any:
    """The row's table with everything of an attribute but its label under `values`, or under `course`."""
    attributes = data.get("attributes") if isinstance(data, dict) else None
    if not isinstance(attributes, dict) or not all(isinstance(each, dict) for each in attributes.values()):
        return data
    key = "course" if row.trends else "values"
    return {
        **data,
        "attributes": {
            name: {
                **({_LABEL: each[_LABEL]} if _LABEL in each else {}),
                key: {inner: value for inner, value in each.items() if inner != _LABEL},
            }
            for name, each in attributes.items()
        },
    }


def _place(location: tuple[int | str, ...]) -> str:
    return ".".join(str(step) for step in location if step not in ("values", "course"))


def _without_prefix(message: str) -> str:
    return message.removeprefix("Value error, ")


def _row_faults(row: Row, header: HeaderRow) -> Iterator[str]:
    if set(header.attributes) != set(row.attributes):
        yield f"the attributes must be {', '.join(row.attributes)}"
        return
    for attribute, trend in zip(row.attributes, row.trends, strict=False):
        course = header.attributes[attribute].course
        if course is None or course.trend() != trend:
            yield f"{attribute}: the scores must {_TRENDS[trend]}"
    shared = set.intersection(*(_names(each) for each in header.attributes.values()))
    for number, layout in enumerate(header.layouts, start=1):
        used = set(PLACEHOLDER.findall(layout))
        for unknown in sorted(used - shared):
            known = ", ".join(f"{{{name}}}" for name in sorted(shared))
            yield f"layout {number} holds {{{unknown}}}; every attribute has {known}"
        for left, right in combinations(row.attributes, 2):
            if not any(_differ(header.attributes[left], header.attributes[right], name) for name in used & shared):
                yield f"layout {number} can come out the same for {left} and {right}: give it {{label}}"


def _names(attribute: HeaderAttribute) -> set[str]:
    return {_LABEL, *attribute.values, *([_SCORES] if attribute.course is not None else [])}


def _differ(left: HeaderAttribute, right: HeaderAttribute, name: str) -> bool:
    """Whether what stands in the place of this name always tells the two apart."""
    if name == _LABEL:
        return left.label != right.label
    if name == _SCORES:
        return left.course is not None and right.course is not None and left.course.is_told_from(right.course)
    texts = [{wording.text for wording in each.values[name]} for each in (left, right)]
    return not texts[0] & texts[1]
