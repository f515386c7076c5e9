"""What is drawn for one arm of an identity row, whoever writes it: a name, a remark, or both."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

from perturbations.draw import EVERY_ATTRIBUTE, Draw
from perturbations.finding.agent import Agent, find_agent
from perturbations.finding.agent_name import AgentName, split_name
from perturbations.identity.name_draw import draw_name, none_left
from perturbations.identity.names import COMMON, DIMENSION_GROUPS, NameLists
from perturbations.identity.remark import Remark, Remarks
from perturbations.records.transcript import Gender, Transcript
from perturbations.rows import Row
from perturbations.text.word import words_of
from perturbations.writer import NotApplicable


@dataclass(frozen=True)
class Subject:
    """The agent as far as a draw needs to know them.

    `taken` are the keys of the names that must not be drawn: those that the transcript holds, and the two people's.
    `name` is None where none was found in the text, `gender` where nothing tells it. `has_surname`: whether a surname
    is drawn as well; `says_goodbye`: whether a remark may stand at the farewell.
    """

    channel: str | None
    taken: frozenset[str] = frozenset()
    name: AgentName | None = None
    gender: Gender | None = None
    has_surname: bool = True
    says_goodbye: bool = False


@dataclass(frozen=True)
class DrawnIdentity:
    """Who the agent becomes; None is what the row leaves alone."""

    first_name: str | None = None
    surname: str | None = None
    remark: Remark | None = None


def draw_identity(
    row: Row, subject: Subject, draw: Draw, names: NameLists, remarks: Remarks | None
) -> DrawnIdentity | NotApplicable:
    """The names and the remark of this draw, each None where the row has none.

    Two rows of one dimension get the same names, also where one is drawn again, and a placebo others. Not applicable:
    `no_name_left`, `no_cue`, and for a placebo `no_second_draw`.
    """
    named = _draw_names(row, subject, draw, names) if row.named_by is not None else DrawnIdentity()
    if isinstance(named, NotApplicable) or remarks is None:
        return named
    remark = remarks.draw(draw, channel=subject.channel, says_goodbye=subject.says_goodbye)
    return remark if isinstance(remark, NotApplicable) else replace(named, remark=remark)


def renamed_subject(channel: str | None, agent: Agent, *, says_goodbye: bool) -> Subject:
    """The agent where the text names them: a surname is drawn where one stands."""
    has_surname = any(span.part == "last" for span in agent.names)
    return Subject(channel, agent.words, agent.name, agent.gender, has_surname=has_surname, says_goodbye=says_goodbye)


def any_subject(transcript: Transcript) -> Subject | NotApplicable:
    """The agent for whoever finds the names in the text themself, in any language; a surname is always drawn.

    `name_redacted`: a mark stands where the name was said, and no drawn name could replace it.
    """
    agent = find_agent(transcript)
    if isinstance(agent, Agent):
        return Subject(transcript.channel, agent.words, agent.name, agent.gender)
    if agent == NotApplicable("name_redacted"):
        return agent
    people = f"{transcript.agent.name or ''} {transcript.customer.name or ''}"
    texts = [people, *(turn.text for turn in transcript.turns)]
    return Subject(
        channel=transcript.channel,
        taken=frozenset(word.key for text in texts for word in words_of(text)),
        gender=transcript.agent.gender or split_name(transcript.agent.name).usual_gender,
    )


def _draw_names(row: Row, subject: Subject, draw: Draw, names: NameLists) -> DrawnIdentity | NotApplicable:
    # A retry of a row with cues keeps the name, so that the row goes on differing from its names by cues alone.
    key = draw if row.cues is None else replace(draw, attempt=0)
    if row.named_by == "gender":
        group, gender = _own_group(subject, names), cast(Gender, draw.attribute)
    else:
        group, gender = draw.attribute, subject.gender or _shared_gender(draw)
    with_surname = row.named_by == "group" and subject.has_surname
    firsts, lasts = names.firsts(group, gender), names.lasts(group) if with_surname else []
    first = draw_name(firsts, key, "first_name", taken=subject.taken)
    if first is None:
        return none_left(draw)
    if not with_surname:
        return DrawnIdentity(first.name)
    last = draw_name(lasts, key, "surname", taken=subject.taken | {first.key})
    return DrawnIdentity(first.name, last.name) if last is not None else none_left(draw)


def _own_group(subject: Subject, names: NameLists) -> str:
    """The group that the agent's own name tells, `COMMON` where it tells none.

    That of the first name in the lists of ethnicities, else of religions, else that of the surname.
    """
    if subject.name is None:
        return COMMON
    groups = [group for groups in DIMENSION_GROUPS.values() for group in groups]
    first = names.group_of(subject.name.first, "first", groups)
    last = names.group_of(subject.name.surname, "last", groups) if subject.name.surname else None
    return first or last or COMMON


def _shared_gender(draw: Draw) -> Gender:
    """A gender that is drawn for all arms of the transcript."""
    genders: tuple[Gender, ...] = ("female", "male")
    return replace(draw.for_attribute(EVERY_ATTRIBUTE), draw=0, attempt=0).pick(genders, "gender")
