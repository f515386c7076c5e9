"""Which system is meant where there may be several."""

from __future__ import annotations

import pytest

from metrics.errors import MeasureError
from metrics.pairs.systems import choose_system


def test_the_only_one_needs_no_choice_and_none_is_none() -> None:
    assert choose_system(["a:e"], where="in the input") == "a:e"
    assert choose_system(["a:e", "b:e"], "b:e", where="in the input") == "b:e"
    assert choose_system([], where="in the input") is None


@pytest.mark.parametrize(
    ("systems", "chosen", "message"),
    [
        (["a", "b:e"], None, "2 systems before the change, choose one: 'a', 'b:e'"),
        (["a", "b:e"], "c", "no evaluation of system 'c' before the change; systems there: 'a', 'b:e'"),
        ([], "c", "no evaluation of system 'c' before the change; systems there: none"),
    ],
)
def test_what_can_be_chosen_is_said(systems: list[str], chosen: str | None, message: str) -> None:
    with pytest.raises(MeasureError) as error:
        choose_system(systems, chosen, where="before the change")
    assert str(error.value) == message
