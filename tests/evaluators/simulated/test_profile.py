from pathlib import Path

import pytest

from evaluators.simulated.effect import ScorePoints
from evaluators.simulated.profile import ProfileError, default_profile, load_profile
from evaluators.simulated.truth import planted

ROBUSTNESS = """
[robustness]
flip_probability = 0.04
masd = { confidence = 3.0, positive = 2.0, improvement = 2.0 }
"""


def profile_text(row: str = "past_performance", flips: float = 0.1, masd: str = "") -> bytes:
    cue = '{ kind = "header_line", prefixes = ["Trend:"] }'
    body = f"[rows.{row}]\nflip_probability = {flips}\nmasd = {{ {masd} }}\ncue = {cue}\n"
    return (ROBUSTNESS + body).encode()


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (profile_text(flips=0.03), "rows.past_performance.flip_probability: 0.03 lies below the noise of 0.04"),
        (profile_text(flips=0.6), "rows.past_performance.flip_probability: .*less than or equal to 0.5"),
        (profile_text(masd="positive = 1.5"), "rows.past_performance.masd.positive: 1.5 points lie below"),
        (profile_text(masd="improvement = 60"), "masd.improvement: noise and rows move the score by up to 61.00"),
        (profile_text(row="agent_age"), "agent_age is no row; rows are agent_gender, "),
        (b"rows = 3", "rows: .*dictionary"),
        (b"yes_rate = 1.5", "yes_rate: "),
        (b"colour = 1", "colour: Extra inputs are not permitted"),
        (b"yes_rate = ", "the profile is not TOML"),
        (b"\xff", "the profile is not TOML"),
        (
            b'[rows.politeness]\nflip_probability = 0.1\ncue = { kind = "smell" }',
            "rows.politeness.cue: .*header_line",
        ),
    ],
)
def test_a_profile_that_no_judge_could_show_is_refused(source: bytes, message: str) -> None:
    with pytest.raises(ProfileError, match=message):
        load_profile(source)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match=r"none\.toml can't be read: No such file"):
        load_profile(tmp_path / "none.toml")


def test_a_score_that_a_row_leaves_out_shows_the_noise_alone() -> None:
    truth = planted(load_profile(profile_text(masd="confidence = 7.0")), "past_performance")
    assert truth.cfr == pytest.approx(0.1)
    assert truth.masd == ScorePoints(confidence=7.0, positive=2.0, improvement=2.0)


def test_the_baseline_and_a_row_without_effect_show_the_noise() -> None:
    profile = load_profile(profile_text())
    assert planted(profile, "robustness") == planted(profile, "politeness")
    assert planted(profile, "robustness").cfr == pytest.approx(0.04)
    assert planted(profile, "robustness").masd == ScorePoints(confidence=3.0, positive=2.0, improvement=2.0)


def test_against_an_original_without_a_header_the_scores_move_less() -> None:
    profile = load_profile(profile_text(masd="confidence = 7.0"))
    truth = planted(profile, "past_performance", "original")
    assert truth.cfr == pytest.approx(0.1)
    assert truth.masd.confidence == pytest.approx(5.5 / 2 + 3)


def test_the_default_profile_shows_what_it_says() -> None:
    profile = default_profile()
    for row, wanted in profile.rows.items():
        truth = planted(profile, row)
        assert truth.cfr == pytest.approx(wanted.flip_probability)
        assert truth.masd.model_dump() == pytest.approx(wanted.masd.model_dump())
