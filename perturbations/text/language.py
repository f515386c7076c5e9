"""Which languages the rules know: English alone."""

from __future__ import annotations

import re


def speaks_english(language: str) -> bool:
    """Whether rules that know English apply: `en`, `en-GB`, `en_US`, `English`."""
    return re.split(r"[-_]", language.strip().lower())[0] in ("en", "eng", "english")
