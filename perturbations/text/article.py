"""Whether "a" or "an" goes before a word, as far as spelling tells."""

from __future__ import annotations

import re
from collections import Counter
from typing import Literal

Article = Literal["a", "an"]

_PAIR = re.compile(
    # Not the letter in a name that is spelled out ("T A N Y A"), nor one in an address or an id ("shop.example/a").
    r"(?<![^\s(\[\"\u201c\u2018*\u2014,;!?])(?<!(?<!['\u2019])\b\w\s)(an?)[ \t]+([\w][\w'\u2019-]*)",
    re.IGNORECASE,
)
# What is spelled with one kind of letter and spoken with the other: "a one-off", "a European", "an hour".
_SOUNDS_A = re.compile(
    r"(?:one|once|ones|eu|ewe|use|usu|uni(?:on|t|que|vers|form|corn|lateral)|util|ubiq|ura|uru|uke|u-)"
)
_SOUNDS_AN = re.compile(r"(?:hour|honest|hono[ru]|heir|un(?!i|a)|up|ugl|umb|ump|ult|urg|utter|utmost)")
# Said either way ("an historic"), and what begins with a u or y that the lists above don't tell: nothing is expected.
_OPEN = re.compile(r"(?:u|herb|hist|hotel|habit|hono|y[^aeiou])")


def article_for(word: str) -> Article | None:
    """The article before this word; None where spelling doesn't tell: letters, abbreviations, some words."""
    if not word[0].isdigit() and (len(word) == 1 or (word.isupper() and len(word) <= 5)):
        return None
    lower = word.lower()
    if lower[0].isdigit():
        return "an" if re.match(r"8|1[18](?!\d)", lower) else "a"
    if _SOUNDS_A.match(lower):
        return "a"
    if _SOUNDS_AN.match(lower):
        return "an"
    if _OPEN.match(lower) or not lower[0].isascii():
        return None
    return "an" if lower[0] in "aeio" else "a"


def wrong_articles(text: str) -> Counter[tuple[str, str]]:
    """The pairs of article and next word that don't agree, in lower case, with how often each occurs.

    Real speech has them too: what matters is which ones a change brings in.
    """
    if text.isupper():
        # In capitals every short word would pass for an abbreviation.
        text = text.lower()
    wrong: Counter[tuple[str, str]] = Counter()
    for pair in _PAIR.finditer(text):
        article, word = pair[1], pair[2]
        expected = article_for(word)
        if expected is not None and article.lower() != expected:
            wrong[article.lower(), word.lower()] += 1
    return wrong
