"""What an LLM is asked to change for one attribute, with the names and remarks that are drawn for it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

from evaluators.questions.prompt import fill_template
from perturbations.draw import RETRIES, Draw
from perturbations.finding.agent import Agent, find_agent
from perturbations.finding.agent_name import split_name
from perturbations.finding.lexicon import usual_gender
from perturbations.identity.agent_disability import drawn_cue
from perturbations.identity.agent_gender import known_group
from perturbations.identity.cues import drawn_frame
from perturbations.identity.group_name import drawn_gender, kept_gender
from perturbations.identity.name_draw import draw_name, none_left
from perturbations.identity.names import COMMON, Name
from perturbations.materials import Materials
from perturbations.records.transcript import Gender, Transcript
from perturbations.rows import Row
from perturbations.text.word import words_of
from perturbations.writer import NotApplicable


@dataclass(frozen=True)
class RewriteTask:
    """The task in words. `first_name` is the drawn name that must come to stand in the text, None in other rows."""

    text: str
    first_name: str | None = None


def rewrite_task(
    transcript: Transcript, row: Row, attribute: str, draw: Draw, materials: Materials
) -> RewriteTask | NotApplicable:
    """The task of this attribute.

    Names and remarks are those that the rules would draw, so that a row with cues has the names of the row without,
    and a placebo others. Not applicable where a mark stands where the agent's name was said (`name_redacted`), where
    nothing is left to draw, and where no agent speaks (`no_agent_turn`).
    """
    if not any(turn.speaker == "agent" for turn in transcript.turns):
        return NotApplicable("no_agent_turn")
    if row.category == "style":
        return RewriteTask(fill_template(f"rewrite_{row.name}", {"attribute": attribute}))
    if row.name == "agent_disability":
        cue = drawn_cue(materials.disability_cues, transcript.channel, draw)
        if isinstance(cue, NotApplicable):
            return cue
        return RewriteTask(fill_template("rewrite_agent_disability", {"remark": cue.text}))
    drawn = _drawn_names(transcript, row, attribute, draw, materials)
    if isinstance(drawn, NotApplicable):
        return drawn
    first, last = drawn
    values = {"attribute": attribute, "first_name": first.name, "surname": last.name if last else ""}
    if row.name == "agent_gender":
        return RewriteTask(fill_template("rewrite_agent_gender", values), first.name)
    if not row.name.endswith("_cues"):
        return RewriteTask(fill_template("rewrite_names", values), first.name)
    cues = materials.ethnicity_cues if row.dimension == "agent_ethnicity" else materials.religion_cues
    frame = drawn_frame([frame for frame in cues if frame.place == "aside"], draw)
    if frame is None:
        return NotApplicable("no_second_draw")
    return RewriteTask(fill_template("rewrite_cues", {**values, "remark": frame.texts[attribute]}), first.name)


def wording_number(draw: Draw) -> int:
    """Which of several wordings is asked for, from 1: each retry and each placebo another one."""
    return 1 + draw.attempt + (RETRIES + 1) * draw.draw


def _drawn_names(
    transcript: Transcript, row: Row, attribute: str, draw: Draw, materials: Materials
) -> tuple[Name, Name | None] | NotApplicable:
    lists = materials.names
    agent = find_agent(transcript)
    if agent == NotApplicable("name_redacted"):
        return NotApplicable("name_redacted")
    taken = _words(transcript, agent)
    if row.name == "agent_gender":
        group = known_group(agent, lists) if isinstance(agent, Agent) else COMMON
        first = draw_name(lists.firsts(group, cast(Gender, attribute)), draw, "first_name", taken=taken)
        return (first, None) if first is not None else none_left(draw)
    # A retry of a row with cues keeps the name.
    key = replace(draw, attempt=0) if row.name.endswith("_cues") else draw
    gender = _gender(transcript, agent, key)
    first = draw_name(lists.firsts(attribute, gender), key, "first_name", taken=taken)
    if first is None:
        return none_left(draw)
    last = draw_name(lists.lasts(attribute), key, "surname", taken=taken | {first.key})
    return (first, last) if last is not None else none_left(draw)


def _gender(transcript: Transcript, agent: Agent | NotApplicable, draw: Draw) -> Gender:
    if isinstance(agent, Agent):
        return kept_gender(agent, draw)
    known = transcript.agent.gender or usual_gender(split_name(transcript.agent.name).first)
    return known if known is not None else drawn_gender(draw)


def _words(transcript: Transcript, agent: Agent | NotApplicable) -> frozenset[str]:
    """The keys of names that must not be drawn: those that the transcript holds, and the two people's."""
    if isinstance(agent, Agent):
        return agent.words
    people = f"{transcript.agent.name or ''} {transcript.customer.name or ''}"
    texts = [people, *(turn.text for turn in transcript.turns)]
    return frozenset(word.key for text in texts for word in words_of(text))
