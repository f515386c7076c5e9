"""The figures of rows from their pairs."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control
from statsmodels.stats.multitest import multipletests  # type: ignore[import-untyped]

from metrics.estimators.multiplicity import benjamini_hochberg
from metrics.estimators.paired_difference import difference_p_value
from metrics.figures.clusters import flips
from metrics.figures.figures import adjusted, robustness_figures, row_figures, rows_figures
from metrics.figures.thresholds import Thresholds
from metrics.pairs.pair import Pair
from metrics.pairs.pairing import pair_evaluations
from perturbations.rows import ROWS
from tests.builders import make_answers, make_evaluation, make_pair
from tests.examples import examples

ALL = Thresholds(1, 1)


@examples(1)
@given(st.data())
def test_equations_3_and_4_on_complete_data(data: st.DataObject) -> None:
    row = ROWS[data.draw(st.sampled_from(sorted(ROWS)))]
    transcripts, questions = 3, 2
    y: dict[tuple[int, str, int], bool] = {}
    s: dict[tuple[int, str], int] = {}
    evaluations = []
    for i in range(transcripts):
        for c in row.attributes:
            letters = data.draw(st.text("yn", min_size=questions, max_size=questions))
            s[i, c] = data.draw(st.integers(0, 100))
            y.update({(i, c, q): letters[q] == "y" for q in range(questions)})
            place = ("robustness", "original") if row.is_original(c) else (row.name, c)
            evaluations.append(
                make_evaluation(
                    f"c-{i}", *place, make_answers(letters, confidences=s[i, c]), positive_score=100 - s[i, c]
                )
            )
    figures = rows_figures(pair_evaluations(evaluations), needed=ALL)[row.name]
    p_d = list(combinations(row.attributes, 2))
    n = transcripts * questions
    cfr = sum(y[i, a, q] != y[i, b, q] for i in range(transcripts) for q in range(questions) for a, b in p_d)
    masd = sum(abs(s[i, a] - s[i, b]) for i in range(transcripts) for a, b in p_d)
    assert figures.cfr == cfr / (len(p_d) * n)
    assert figures.masd.confidence.value == pytest.approx(masd / (len(p_d) * transcripts))
    assert figures.masd.positive.value == pytest.approx(masd / (len(p_d) * transcripts))
    assert figures.yes_to_no + figures.no_to_yes == figures.flips == sum(pair.flips for pair in figures.by_pair)
    assert sum(question.flips for question in figures.by_question) == figures.flips
    for part in figures.by_attribute:
        others = [c for c in row.attributes if c != part.attribute]
        share = {c: sum(y[i, c, q] for i in range(transcripts) for q in range(questions)) / n for c in row.attributes}
        expected = share[part.attribute] - sum(share[c] for c in others) / len(others)
        assert part.net_advantage == pytest.approx(expected)
        assert part.yes_share == pytest.approx(share[part.attribute])
        shift = sum(s[i, part.attribute] - s[i, c] for i in range(transcripts) for c in others)
        assert part.confidence.value == pytest.approx(shift / (len(others) * transcripts))
        assert part.positive.value == pytest.approx(-shift / (len(others) * transcripts))


def pairs_of(count: int, a: str, b: str, **fields: str) -> list[Pair]:
    return [make_pair(a, b, transcript_id=f"c-{i}", **fields) for i in range(count)]  # type: ignore[arg-type]


def test_only_pairs_of_attributes_are_in_the_rows_cfr() -> None:
    pairs = [
        *pairs_of(3, "yy", "yn"),
        *pairs_of(3, "yy", "nn", arm_a="original", arm_b="male"),
        *pairs_of(3, "ny", "nn", arm_a="male", arm_b="male"),
    ]
    figures = row_figures(ROWS["agent_gender"], pairs, needed=ALL)
    assert (figures.pairs, figures.cfr) == (3, 0.5)
    assert [(pair.arm_a, pair.arm_b) for pair in figures.by_pair] == [("male", "female")]
    assert [(pair.arm_a, pair.arm_b, pair.cfr) for pair in figures.by_original] == [("original", "male", 1.0)]
    assert (figures.placebo.pairs, figures.placebo.cfr) == (3, 0.5)
    assert figures.excess_placebo == 0.0
    assert figures.excess is None
    assert figures.reasons["excess"] == "too few (0 of 1) comparisons"


def test_na_is_beside_the_rate() -> None:
    figures = row_figures(ROWS["agent_gender"], pairs_of(2, "yaay", "yyan"), needed=ALL)
    assert (figures.comparisons, figures.flips, figures.na_changes, figures.cfr) == (4, 2, 4, 0.5)
    assert [(q.question_id, q.comparisons, q.na_changes) for q in figures.by_question] == [
        ("q1", 2, 0),
        ("q2", 0, 2),
        ("q3", 0, 2),
        ("q4", 2, 0),
    ]


@pytest.mark.parametrize(
    ("transcripts", "reason"),
    [
        (9, "too few (45 of 50) comparisons"),
        (19, "too few (19 of 20) transcripts"),
        (20, None),
    ],
)
def test_too_few(transcripts: int, reason: str | None) -> None:
    figures = row_figures(ROWS["agent_gender"], pairs_of(transcripts, "yyyyy", "yyyyn"))
    assert figures.flips == transcripts
    assert figures.reasons.get("cfr") == reason
    assert (figures.cfr is None) == (reason is not None)


def test_one_transcript_has_a_figure_and_no_interval() -> None:
    figures = row_figures(ROWS["agent_gender"], pairs_of(1, "yy", "yn"), needed=ALL)
    assert (figures.cfr, figures.cfr_interval) == (0.5, None)
    assert figures.reasons["cfr_interval"] == "an interval needs at least 2 transcripts"


def test_p_values_are_adjusted_over_the_rows_that_have_one() -> None:
    pairs = pairs_of(20, "yyyyy", "yyyyy", row="robustness")
    for flipping, row in enumerate(("agent_gender", "agent_profile", "formality"), start=3):
        attributes = [a for a in ROWS[row].attributes if a != "original"][:2]
        pairs += [
            make_pair(
                "yyyyy",
                "nyyyy" if i < flipping else "yyyyy",
                transcript_id=f"c-{i}",
                row=row,
                arm_a=attributes[0],
                arm_b=attributes[1],
            )
            for i in range(20)
        ]
    rows = adjusted(rows_figures(pairs))
    tested = {name: row for name, row in rows.items() if row.p_value is not None}
    assert set(tested) == {"agent_gender", "agent_profile", "formality"}
    expected = multipletests([row.p_value for row in tested.values()], method="fdr_bh")[1]
    assert [row.p_adjusted for row in tested.values()] == pytest.approx(list(expected))
    gender = [pair for pair in pairs if pair.row == "agent_gender"]
    repeats = [pair for pair in pairs if pair.row == "robustness"]
    assert tested["agent_gender"].p_value == difference_p_value(flips(gender), flips(repeats))
    assert rows["politeness"].p_adjusted is None
    assert "p_adjusted" in rows["politeness"].reasons


@given(st.lists(st.none() | st.floats(0, 1) | st.sampled_from([0.01, 0.5]), max_size=16))
def test_p_values_are_adjusted_as_scipy_does_to_the_last_digit(p_values: list[float | None]) -> None:
    tested = [p for p in p_values if p is not None]
    expected = iter(false_discovery_control(tested) if tested else [])
    assert benjamini_hochberg({f"{i}": p for i, p in enumerate(p_values)}) == {
        f"{i}": next(expected) for i, p in enumerate(p_values) if p is not None
    }


def test_nothing_tested_is_nothing_adjusted() -> None:
    assert adjusted({}) == {}


def test_masd_stands_above_that_of_repeats() -> None:
    pairs = []
    for i in range(20):
        pairs.append(make_pair(transcript_id=f"c-{i}", a={"positive_score": 50.0}, b={"positive_score": 58.0}))
        repeated = {"positive_score": 50.0 + 3 * (i % 2)}
        pairs.append(make_pair(transcript_id=f"c-{i}", row="robustness", a={"positive_score": 50.0}, b=repeated))
    positive = rows_figures(pairs, needed=ALL)["agent_gender"].masd.positive
    assert (positive.value, positive.excess) == (8.0, 6.5)
    assert positive.excess_interval is not None
    assert positive.excess_interval[0] < 6.5 < positive.excess_interval[1]


def test_robustness_is_made_of_repeats_alone() -> None:
    pairs = pairs_of(20, "yyn", "ynn", row="robustness") + pairs_of(20, "yyy", "nnn")
    robustness = robustness_figures(pairs)
    assert (robustness.pairs, robustness.cfr, robustness.yes_to_no) == (20, 1 / 3, 20)
    assert robustness.kappa == pytest.approx(0.4)


def test_a_withheld_figure_gives_its_reason_everywhere() -> None:
    figures = row_figures(
        ROWS["agent_gender"], pairs_of(30, "yyyyy", "yyyyn"), needed=Thresholds(withheld="two judges")
    )
    assert figures.comparisons == 150
    assert set(figures.reasons.values()) == {"two judges"}
    assert figures.by_pair[0].cfr is figures.by_attribute[0].net_advantage is figures.masd.positive.value is None
