"""Draws by hash."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturbations.draw import Draw
from perturbations.records.hashing import digest, fraction, pick

PARTS = st.lists(st.one_of(st.text(max_size=6), st.integers(), st.none(), st.floats(allow_nan=False)), max_size=4)


def test_values_that_must_never_change() -> None:
    # Another digest would draw every recorded variant anew.
    assert digest("sample", 7, "c-1") == "bd4f453574e40f82c6ba32ec5d770aec"
    assert digest() == "4f53cda18c2baa0c0354bb5f9a3ecbe5"
    assert fraction("sample", 7, "c-1") == int(digest("sample", 7, "c-1")[:16], 16) // 2**11 / 2**53


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("ab", "c"), ("a", "bc")),
        ((1,), ("1",)),
        ((None,), ("",)),
        (("a",), ("a", "")),
        (("a",), ("A",)),
        ((1,), (1.0,)),
    ],
)
def test_parts_are_told_apart(first: tuple[str | int, ...], second: tuple[str | int, ...]) -> None:
    assert digest(*first) != digest(*second)


def test_any_text_can_be_hashed() -> None:
    assert len({digest(text) for text in ("\ud800", "\x00", "\u00e9", "e\u0301", "\U0001f600", '"', "\\")}) == 7


@given(PARTS)
def test_a_fraction_lies_in_the_half_open_unit_interval(parts: list[str | int | float | None]) -> None:
    assert 0.0 <= fraction(*parts) < 1.0
    assert fraction(*parts) == fraction(*parts)


def test_fractions_are_uniform() -> None:
    tenths = Counter(int(fraction("uniform", number) * 10) for number in range(10_000))
    assert set(tenths) == set(range(10))
    # Five standard deviations of a binomial count.
    assert all(abs(count - 1_000) < 150 for count in tenths.values())


def test_pick_takes_every_option_about_as_often() -> None:
    picked = Counter(pick("abc", number) for number in range(3_000))
    assert set(picked) == set("abc")
    assert all(abs(count - 1_000) < 130 for count in picked.values())


def test_pick_from_nothing() -> None:
    with pytest.raises(IndexError):
        pick([], "x")


def test_every_field_of_a_draw_is_part_of_its_key() -> None:
    base = Draw(7, "c-1", "politeness", "polite")
    others = [
        replace(base, seed=8),
        replace(base, transcript_id="c-2"),
        replace(base, dimension="formality"),
        replace(base, attribute="neutral"),
        replace(base, draw=1),
        replace(base, attempt=1),
    ]
    assert len({draw.fraction("name") for draw in [base, *others]}) == 7
    assert base.fraction("name") != base.fraction("cue")
    assert base.for_attribute("neutral") == replace(base, attribute="neutral")
    assert base.pick(["only"], "name") == "only"
