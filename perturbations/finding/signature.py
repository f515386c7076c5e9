"""Where an agent signs: a name under "Best regards,", after a dash at a turn's end, or as a label in front."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from perturbations.finding.introduction import REDACTION, Introduction
from perturbations.finding.lexicon import first_names, vocabulary
from perturbations.finding.name_reading import read_name
from perturbations.text.phrases import phrase_pattern
from perturbations.text.utterance import Utterance

_ALSO_THANKS = ("thanks", "thank you", "many thanks", "cheers", "best", "take care")
# "- Michael" at the end, of three words at most: after a dash inside a sentence the turn goes on.
_DASH = re.compile(r"(?:[.!?]|^|\n|\s)\s{0,4}[-~\u2013—^]{1,2}\s?(?=[^\W\d_]+(?:[ \t]{1,4}[^\W\d_]+\.?){0,2}\s*$)")
# "Michael: Hello" in front, as exported chats have it.
_LABEL = re.compile(r"\s*(?:agent\s+)?(?=[^\W\d_]+(?:[ \t]+[^\W\d_]+){0,2}\s*:\s)", re.IGNORECASE)
# A signature is followed by the end of its line, or by a position: "Priya Sharma, Customer Care".
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


def find_signatures(said: Utterance) -> list[Introduction]:
    """Every place of this text of an agent's where a name is signed, in order."""
    signatures: list[Introduction] = []
    for sign_off in _sign_off().finditer(said.text):
        if REDACTION.match(said.text, sign_off.end()):
            signatures.append(Introduction(sign_off.start(), "weak", None, redacted=True))
        else:
            signatures += _signed(said, sign_off.end(), needs_line_end=True)
    for mark in (_DASH.search(said.text), _LABEL.match(said.text)):
        if mark is not None:
            signatures += _signed(said, mark.end(), needs_line_end=False)
    return sorted(signatures, key=lambda each: each.start)


def _signed(said: Utterance, position: int, *, needs_line_end: bool) -> Iterator[Introduction]:
    """The signature that begins at this place, if one does; without a sign-off before it a known first name alone."""
    index = said.index_from(position)
    word = said.word_at(index)
    if word is None or word.start != position:
        return
    reading = read_name(said, index)
    if reading is None:
        return
    if needs_line_end:
        is_signed = _LINE_END.match(said.text, said.words[reading.stop - 1].end) is not None
    else:
        is_signed = word.key in first_names()
    if is_signed:
        yield Introduction(position, "weak", reading)
