from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators.simulated.strength import (
    Unplantable,
    call_flips,
    combined_flips,
    expected_difference,
    own_flips,
    own_shift,
)

points = st.floats(min_value=0, max_value=40)


@pytest.mark.parametrize(
    ("probabilities", "odd"),
    [((), 0.0), ((0.1,), 0.1), ((0.1, 0.2), 0.1 * 0.8 + 0.9 * 0.2), ((0.5, 0.03), 0.5), ((0.0, 0.07), 0.07)],
)
def test_an_odd_number_of_changes_is_a_flip(probabilities: tuple[float, ...], odd: float) -> None:
    assert combined_flips(*probabilities) == pytest.approx(odd)


@given(st.floats(0, 0.49), st.floats(0, 0.49))
def test_the_effect_and_the_noise_together_are_what_is_observed(effect: float, noise: float) -> None:
    observed = combined_flips(effect, noise)
    assert own_flips(max(observed, noise), noise) == pytest.approx(effect, abs=1e-9)


@given(st.floats(0, 0.5))
def test_two_calls_that_err_on_their_own_differ_by_the_noise(between: float) -> None:
    assert combined_flips(call_flips(between), call_flips(between)) == pytest.approx(between)


@pytest.mark.parametrize(("observed", "noise"), [(0.03, 0.038), (0.51, 0.0), (1.0, 0.2)])
def test_flips_below_the_noise_or_above_a_coin_are_refused(observed: float, noise: float) -> None:
    with pytest.raises(Unplantable):
        own_flips(observed, noise)


@pytest.mark.parametrize(
    ("shift", "noise", "against_nothing", "difference"),
    [
        (0, 0, False, 0),
        (4, 0, False, 4),  # equal signs half of the time, else 8 points
        (4, 0, True, 4),
        (0, 3, False, 3),
        (0, 3, True, 3),
        (1, 3, False, 3.5),
        (5, 3, False, 6.5),
        (1, 3, True, 3.5),
        (5, 3, True, 5.5),
        (7, 3, True, 7),
    ],
)
def test_the_expected_difference_by_hand(
    shift: float, noise: float, against_nothing: bool, difference: float
) -> None:
    assert expected_difference(shift, noise, against_nothing=against_nothing) == pytest.approx(difference)


@given(points, points, st.booleans())
def test_the_shift_shows_what_is_to_be_observed(extra: float, noise: float, against_nothing: bool) -> None:
    shift = own_shift(noise + extra, noise, against_nothing=against_nothing)
    assert shift >= 0
    shown = expected_difference(shift, noise, against_nothing=against_nothing)
    assert shown == pytest.approx(noise + extra, abs=1e-9)


def test_the_shift_is_continuous_where_the_formula_changes() -> None:
    for against_nothing, place in product((False, True), (1.5, 2.0)):
        below, above = (own_shift(4 * place + step, 4.0, against_nothing=against_nothing) for step in (-1e-9, 1e-9))
        assert below == pytest.approx(above, abs=1e-6)


def test_a_difference_below_the_noise_is_refused() -> None:
    with pytest.raises(Unplantable, match="below the noise"):
        own_shift(2.9, 3.0)
