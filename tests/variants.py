"""Variants and arms for tests that don't await, on an event loop or not; by the package's own rules by default."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, TypeVar

from perturbations.draw import Draw
from perturbations.materials import own_materials
from perturbations.records.transcript import Transcript
from perturbations.records.variant import Variant, VariantMessage
from perturbations.rows import ROWS, Row
from perturbations.variant_maker import VariantMaker
from perturbations.writer import Change, NotApplicable

Result = TypeVar("Result")


def make_variant(
    transcript: Transcript, row: Row, attribute: str, *, seed: int, draw: int = 0, maker: VariantMaker | None = None
) -> Variant:
    """The transcript with this attribute set."""
    return _result((maker or by_rules()).variant(transcript, row, attribute, seed=seed, draw=draw))


def make_variants(
    transcript: Transcript, rows: Iterable[str], *, seed: int, draw: int = 0, maker: VariantMaker | None = None
) -> list[Variant]:
    """One variant for each attribute of each of the rows."""
    arms = [(ROWS[name], attribute) for name in rows for attribute in ROWS[name].attributes]
    return _result((maker or by_rules()).variants(transcript, arms, seed=seed, draw=draw))


def make_arms(
    transcript: Transcript, *, rows: Sequence[str], seed: int, repeats: int, **options: Any
) -> list[VariantMessage]:
    """The messages of every arm of the transcript."""
    return _result(by_rules().arms(transcript, rows=rows, seed=seed, repeats=repeats, **options))


def written(row: str, transcript: Transcript, draw: Draw) -> Change | NotApplicable:
    """What the row's rule makes of the draw."""
    return by_rules().rules.by_row[row](transcript, draw)


@cache
def by_rules() -> VariantMaker:
    """The maker that comes with the package."""
    return VariantMaker(own_materials())


def _result(coroutine: Coroutine[Any, Any, Result]) -> Result:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(coroutine)
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()
