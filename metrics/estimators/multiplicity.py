"""p-values of several hypotheses, adjusted for there being several."""

from __future__ import annotations

from collections.abc import Mapping


def benjamini_hochberg(p_values: Mapping[str, float | None]) -> dict[str, float]:
    """Adjusted p-values of those that there are: p(i) m / i, made monotone from the largest of the m down.

    Rejecting those at most q keeps the expected share of false ones among the rejected at q (Benjamini and Hochberg,
    JRSS B 57, 1995).
    """
    tested = _sorted(p_values)
    values: dict[str, float] = {}
    least = 1.0
    for i, (p, name) in reversed(list(enumerate(tested, start=1))):
        least = min(least, p * (len(tested) / i))
        values[name] = least
    return values


def holm(p_values: Mapping[str, float | None]) -> dict[str, float]:
    """Adjusted p-values of those that there are: p(i) (m + 1 - i), made monotone from the smallest up, 1 at most.

    Rejecting those at most q keeps the probability of any false one at q, whatever the dependence (Holm, Scandinavian
    Journal of Statistics 6, 1979).
    """
    tested = _sorted(p_values)
    values: dict[str, float] = {}
    most = 0.0
    for i, (p, name) in enumerate(tested):
        most = min(1.0, max(most, p * (len(tested) - i)))
        values[name] = most
    return values


def _sorted(p_values: Mapping[str, float | None]) -> list[tuple[float, str]]:
    return sorted((p, name) for name, p in p_values.items() if p is not None)
