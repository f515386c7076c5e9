"""Where an agent signs: a name under "Best regards,", after a dash at a turn's end, or as a label in front."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from perturbations.finding.introduction import REDACTION, Introduction
from perturbations.finding.lexicon import first_names
from perturbations.finding.name_reading import read_name, vocabulary
from perturbations.text.phrases import phrase_pattern
from perturbations.text.word import Word

_ALSO_THANKS = ("thanks", "thank you", "many thanks", "cheers", "best", "take care")
_DASH = re.compile(r"(?:[.!?]|^|\n|\s)\s{0,4}[-~\u2013—^]{1,2}\s?(?=[^\W\d_]+(?:[ \t]{1,4}[^\W\d_]+\.?){0,2}\s*$)")
_LABEL = re.compile(r"\s*(?:agent\s+)?(?=[^\W\d_]+(?:[ \t]+[^\W\d_]+){0,2}\s*:\s)", re.IGNORECASE)
_LINE_END = re.compile(r"[ \t]{0,8}[.,]?[ \t]{0,8}(?:\n|$|\|)|[ \t]{0,8}[,|]")


@cache
def _sign_off() -> re.Pattern[str]:
    every = phrase_pattern(*sorted(vocabulary("sign_offs"), key=len, reverse=True)).pattern
    plain = phrase_pattern(*sorted(vocabulary("sign_offs") - set(_ALSO_THANKS), key=len, reverse=True)).pattern
    # "Thanks, Michael" thanks Michael; "Thanks,\nMichael" is signed by him.
    return re.compile(
        rf"{every}[ \t]{{0,8}}[,.!]?[ \t]{{0,8}}\n\s*"
        rf"|{plain}[ \t]{{0,8}},?[ \t]{{1,8}}(?=\S+(?:[ \t]{{1,8}}\S+){{0,2}}\s*$)",
        re.IGNORECASE,
    )


def find_signatures(text: str, words: Sequence[Word]) -> list[Introduction]:
    """Every place of this agent turn where a name is signed, in order."""
    by_start = {word.start: index for index, word in enumerate(words)}
    found: list[Introduction] = []
    for sign_off in _sign_off().finditer(text):
        if REDACTION.match(text, sign_off.end()):
            found.append(Introduction(sign_off.start(), "weak", None, redacted=True))
        elif sign_off.end() in by_start:
            found += _signed(text, words, by_start[sign_off.end()], known_only=False)
    for pattern in (_DASH, _LABEL):
        mark = pattern.search(text) if pattern is _DASH else pattern.match(text)
        if mark is not None and mark.end() in by_start:
            found += _signed(text, words, by_start[mark.end()], known_only=True)
    return sorted(found, key=lambda each: each.start)


def _signed(text: str, words: Sequence[Word], index: int, *, known_only: bool) -> list[Introduction]:
    reading = read_name(text, words, index)
    if reading is None or (known_only and words[index].key not in first_names()):
        return []
    end = words[reading.stop - 1].end
    if not known_only and _LINE_END.match(text, end) is None:
        return []
    return [Introduction(words[index].start, "weak", reading)]
