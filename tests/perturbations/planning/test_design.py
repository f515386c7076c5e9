"""Which arms a transcript gets: drawn by hash, every pair equally likely, so that CFR stays what it is."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb

import pytest
from scipy.stats import chisquare

from perturbations.arms import is_judged
from perturbations.planning.design import FULL, Design
from perturbations.rows import ROWS
from tests.builders import make_transcript
from tests.variants import make_arms

IDS = [f"c-{n}" for n in range(6000)]
SIX = ROWS["agent_ethnicity_name"]


@pytest.mark.parametrize("arms", [2, 3, 5])
def test_every_set_of_arms_is_equally_likely(arms: int) -> None:
    counted = Counter(tuple(Design(arms_per_row=arms).attributes(t, SIX, seed=7)) for t in IDS)
    assert set(counted) == set(combinations(SIX.attributes, arms))
    assert chisquare(list(counted.values())).pvalue > 0.001


@pytest.mark.parametrize("arms", [2, 3, 5])
def test_over_all_sets_the_flip_rate_is_that_of_the_full_design(arms: int) -> None:
    # Three questions answered under six attributes: each set of arms sees the flips of its own pairs.
    answers = {
        a: letters for a, letters in zip(SIX.attributes, ("yyy", "yyn", "nyn", "nnn", "yny", "yyy"), strict=True)
    }

    def flips(chosen: tuple[str, ...]) -> int:
        return sum(x != y for a, b in combinations(chosen, 2) for x, y in zip(answers[a], answers[b], strict=True))

    sets = list(combinations(SIX.attributes, arms))
    mean_rate = sum(map(flips, sets)) / (3 * comb(arms, 2) * len(sets))
    assert mean_rate == pytest.approx(flips(SIX.attributes) / (3 * comb(6, 2)))


def test_rows_with_the_original_keep_all_arms() -> None:
    design = Design(arms_per_row=2)
    for row in ROWS.values():
        kept = design.attributes("c-1", row, seed=7)
        assert len(kept) == (len(row.attributes) if row.original_attribute else 2)
        assert design.pairs(row) == comb(len(kept), 2)
        assert FULL.pairs(row) == len(row.attribute_pairs())
        assert FULL.attributes("c-1", row, seed=7) == list(row.attributes)
        assert Design(arms_per_row=99).attributes("c-1", row, seed=7) == list(row.attributes)


def test_both_strategies_of_a_dimension_get_the_same_attributes() -> None:
    design = Design(arms_per_row=3)
    for transcript_id in IDS[:50]:
        name, cues = (design.attributes(transcript_id, ROWS[f"agent_religion_{s}"], seed=7) for s in ("name", "cues"))
        assert name == cues


def test_rows_are_drawn_evenly_and_keep_their_order() -> None:
    design = Design(rows_per_transcript=4)
    drawn = [design.rows(t, list(ROWS), seed=7) for t in IDS]
    assert all(rows == [name for name in ROWS if name in rows] and len(rows) == 4 for rows in drawn)
    assert chisquare(list(Counter(row for rows in drawn for row in rows).values())).pvalue > 0.001
    assert design.rows("c-1", ["politeness"], seed=7) == ["politeness"]
    assert FULL.rows("c-1", list(ROWS), seed=7) == list(ROWS)
    assert design.rows("c-1", list(ROWS), seed=7) == design.rows("c-1", list(ROWS), seed=7)
    assert any(design.rows(t, list(ROWS), seed=8) != rows for t, rows in zip(IDS, drawn, strict=True))


def test_the_share_of_placebos_and_that_a_lower_rate_is_among_a_higher_one() -> None:
    few, many = ({t for t in IDS if Design(placebo_rate=rate).has_placebo(t, seed=7)} for rate in (0.25, 0.4))
    assert few < many
    assert abs(len(few) / len(IDS) - 0.25) < 0.02
    assert not any(FULL.has_placebo(t, seed=7) for t in IDS)
    assert all(Design(placebo_rate=1.0).has_placebo(t, seed=7) for t in IDS)


def test_placebos_come_last_one_for_each_accepted_arm() -> None:
    rows = ["agent_gender", "agent_disability", "past_performance"]
    full = make_arms(make_transcript(), rows=rows, seed=7, repeats=2)
    arms = make_arms(make_transcript(), rows=rows, seed=7, repeats=2, design=Design(placebo_rate=1.0))
    assert arms[: len(full)] == full
    placebos = [message.variant for message in arms[len(full) :]]
    accepted = [message.variant for message in full if message.variant.status == "accepted"]
    assert [(p.row, p.attribute) for p in placebos] == [(a.row, a.attribute) for a in accepted]
    assert {p.draw for p in placebos} == {1}
    assert all((p.turns, p.header) != (a.turns, a.header) for p, a in zip(placebos, accepted, strict=True))
    assert sum(map(is_judged, arms)) == 2 + len(accepted) + sum(p.status == "accepted" for p in placebos)


def test_arms_are_those_of_the_design() -> None:
    design = Design(rows_per_transcript=2, arms_per_row=2)
    arms = make_arms(make_transcript(), rows=list(ROWS), seed=7, repeats=1, design=design)
    drawn = [(row.name, attribute) for row, attribute in design.arms("c-1", list(ROWS), seed=7)]
    assert [(m.variant.row, m.variant.attribute) for m in arms[1:]] == drawn
    assert len({row for row, _ in drawn}) == 2
