"""How many examples hypothesis draws: few in a run of all tests, many in `python -m benchmarks.properties`."""

from __future__ import annotations

from hypothesis import settings

PROFILES = {"suite": 50, "long": 1_000}
"""Examples of a property that asks for no more than others, by profile (`--hypothesis-profile`)."""


def load_profiles() -> None:
    """Register the profiles, and take `suite` where pytest is told no other. None bounds the time of an example."""
    for name, count in PROFILES.items():
        settings.register_profile(name, max_examples=count, deadline=None)
    settings.load_profile("suite")


def examples(times: float) -> settings:
    """So many times the examples of the profile that is loaded, for a property that needs more or fewer."""
    return settings(max_examples=max(1, round(times * settings().max_examples)), deadline=None)
