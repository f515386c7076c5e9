"""Style rows by rules: the agent's turns with the markers of a style taken out or put in (operation 1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from perturbations.draw import Draw
from perturbations.records.edit import Edit, Replacement, apply_edits
from perturbations.records.transcript import Transcript
from perturbations.rows import Row, rows_of
from perturbations.style.style_markers import count_markers
from perturbations.style.style_rules import NEUTRAL, StyleRules, style_rules
from perturbations.style.style_site import Site, find_sites
from perturbations.text.language import speaks_english
from perturbations.text.rewording import reworded
from perturbations.writer import Change, NotApplicable, RowRule


def style_rule(row: Row) -> RowRule:
    """The rule of this style row, by the rules of its data file."""

    def write(transcript: Transcript, draw: Draw) -> Change | NotApplicable:
        return _restyled(row.name, transcript, draw)

    return write


def _restyled(row: str, transcript: Transcript, draw: Draw) -> Change | NotApplicable:
    attribute = draw.attribute
    if not speaks_english(transcript.language):
        return NotApplicable("language")
    sites = [
        site
        for index, turn in enumerate(transcript.turns)
        if turn.speaker == "agent"
        for site in find_sites(row, attribute, index, turn.text, previous=_heard(transcript, index))
    ]
    if not sites:
        return NotApplicable("nothing_to_neutralise" if attribute == NEUTRAL else "nothing_to_restyle")
    if attribute != NEUTRAL:
        sites = _some(sites, style_rules(row).share, draw)
    if draw.draw > 0 and all(len(site.options) < 2 for site in sites):
        return NotApplicable("no_second_draw")
    edits = _edits(transcript, sites, style_rules(row), draw)
    wrong = _entangled_turns(row, attribute, transcript, edits)
    if wrong and attribute == NEUTRAL:
        return NotApplicable("entangled")
    kept = tuple(edit for edit in edits if edit.turn not in wrong)
    return Change(edits=kept) if kept else NotApplicable("nothing_to_restyle")


def _entangled_turns(row: str, attribute: str, transcript: Transcript, edits: Sequence[Edit]) -> set[int]:
    """The turns where the edits don't do what the row is about, and that alone.

    Neutral leaves no marker of the row, the other attribute more than there were, and both as many markers of every
    other style row as before. Rules see to that one by one; words that come to stand side by side can thwart it.
    """
    changed = apply_edits(transcript.turns, edits)
    wrong: set[int] = set()
    for turn in {edit.turn for edit in edits}:
        before, after = transcript.turns[turn].text, changed[turn].text
        own = count_markers(row, after)
        fits = own == 0 if attribute == NEUTRAL else own > count_markers(row, before)
        others = (other.name for other in rows_of("style") if other.name != row)
        if not fits or any(count_markers(other, before) != count_markers(other, after) for other in others):
            wrong.add(turn)
    return wrong


def _heard(transcript: Transcript, turn: int) -> str:
    before = transcript.turns[turn - 1] if turn > 0 else None
    return before.text if before is not None and before.speaker != "agent" else ""


def _some(sites: Sequence[Site], share: float, draw: Draw) -> list[Site]:
    # Keyed without the draw: a placebo words the same places anew, so that it holds as much of the style as the arm.
    key = replace(draw, draw=0)
    chances = [key.fraction(f"site:{site.turn}:{site.start}") for site in sites]
    limit = max(share, min(chances) + 1e-12)
    return [site for site, chance in zip(sites, chances, strict=True) if chance < limit]


def _edits(transcript: Transcript, sites: Sequence[Site], style: StyleRules, draw: Draw) -> tuple[Edit, ...]:
    by_turn: dict[int, list[Site]] = {}
    for site in sites:
        by_turn.setdefault(site.turn, []).append(site)
    edits: list[Edit] = []
    for turn, here in by_turn.items():
        wordings = sorted(
            [(site.start, site.end, _wording(site, draw)) for site in here]
            + [(at, at + 1, mark) for at, mark in {site.mark for site in here if site.mark is not None}]
        )
        alone = draw.pick(style.alone, f"alone:{turn}")
        edits += [
            Replacement(turn=turn, start=piece.start, end=piece.end, before=piece.before, after=piece.after)
            for piece in reworded(transcript.turns[turn].text, wordings, alone=alone)
        ]
    return tuple(edits)


def _wording(site: Site, draw: Draw) -> str:
    """One of the site's options; a placebo never takes one that its arm can take, where there are two or more.

    The options, turned by hash, fall into two halves: one for the arm, one for the placebo; retries go through them.
    """
    count = len(site.options)
    turned = int(replace(draw, draw=0, attempt=0).fraction(f"wording:{site.turn}:{site.start}") * count)
    options = site.options[turned:] + site.options[:turned]
    half = (count + 1) // 2
    own = options[half:] if draw.draw > 0 and count > 1 else options[:half]
    return own[draw.attempt % len(own)]
