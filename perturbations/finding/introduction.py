"""Where a speaker says their own name: "my name is X", "this is X", "you're through to X", "X speaking"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Literal, cast

from perturbations.data_file import read_rows
from perturbations.finding.lexicon import is_first_name
from perturbations.finding.name_reading import Reading, can_be_first, read_name, vocabulary
from perturbations.text.phrases import phrase_pattern
from perturbations.text.word import Word, is_cased

_WORDS_OF_A_MARK = "pii|phi|name|redact|person|mask|agent|removed|anon|hidden|deleted|private"
_MARK = (
    rf"[\[<({{]{{1,3}}[\w :/.-]{{0,40}}?(?:{_WORDS_OF_A_MARK})[\w :/.-]{{0,40}}[\])>}}]{{1,3}}"
    r"|\[[*_#x. -]+\]|\*{3,}|\bx{3,}\b|#{3,}|_{3,}|█+"
)
REDACTION = re.compile(_MARK, re.IGNORECASE)
"""Marks that stand where a name was taken out: [PII], <NAME>, {{agent_name}}, XXXX, ****."""

Strength = Literal["strong", "weak", "faint"]

_SPACE = re.compile(r"[\s,:;…\"“'\u2018(\u2013—.-]*")
_AFTER_CUE = re.compile(
    r"(?:[\s,:;…\"“'\u2018(\u2013—.-]|\b(?:um|uh|uhm|er|mr|mrs|ms|miss|mister|mx)\b)*", re.IGNORECASE
)
_NAME_FIRST = ("speaking", "here")


@dataclass(frozen=True)
class Introduction:
    """One place where a speaker gives a name as their own.

    `strength`: by words that say nothing but a name (`strong`, "my name is"), that may say something else (`weak`,
    "this is"), or that may name someone else (`faint`, "it's"). `redacted`: a mark stands where the name was said.
    `reading` is None there, and where only a title follows; `titles` holds its words.
    """

    start: int
    strength: Strength
    reading: Reading | None
    titles: tuple[Word, ...] = ()
    redacted: bool = False


@cache
def _cue_pattern() -> re.Pattern[str]:
    cues = [f"(?P<cue{number}>{row['cue']})" for number, row in enumerate(read_rows("introductions.csv"))]
    return phrase_pattern(*cues)


def find_introductions(text: str, words: Sequence[Word]) -> list[Introduction]:
    """Every place of this turn where its speaker gives a name, in order."""
    found = [_after_cue(text, words, cue) for cue in _cue_pattern().finditer(text)]
    found += _before_cue(text, words)
    return sorted((each for each in found if each is not None), key=lambda each: each.start)


def _after_cue(text: str, words: Sequence[Word], cue: re.Match[str]) -> Introduction | None:
    row = read_rows("introductions.csv")[int((cue.lastgroup or "cue0").removeprefix("cue"))]
    strength = cast(Strength, row["strength"])
    end_of_lead = _AFTER_CUE.match(text, cue.end())
    if end_of_lead and REDACTION.match(text, end_of_lead.end()):
        return Introduction(cue.start(), strength, None, redacted=True)
    index, titles = _past_fillers(text, words, _first_word_from(words, cue.end()), cue.end())
    if index is None:
        return Introduction(cue.start(), strength, None, titles) if titles else None
    reading = read_name(text, words, index)
    if reading is None or not _is_a_name(
        text, words, reading, strength=strength, titled=bool(titles), cue=cue.start()
    ):
        return Introduction(cue.start(), strength, None, titles) if titles else None
    return Introduction(cue.start(), strength, reading, titles)


def _past_fillers(text: str, words: Sequence[Word], index: int, end: int) -> tuple[int | None, tuple[Word, ...]]:
    """The index of the word where the name begins (None: no word follows closely), and the titles before it."""
    titles: list[Word] = []
    while index < len(words):
        lead = _SPACE.match(text, end)
        if lead is None or lead.end() != words[index].start or "\n" in lead[0]:
            return None, tuple(titles)
        word = words[index]
        if word.key in vocabulary("titles"):
            titles.append(word)
        elif word.whole not in vocabulary("fillers"):
            return index, tuple(titles)
        end, index = word.end, index + 1
    return None, tuple(titles)


def _is_a_name(
    text: str, words: Sequence[Word], reading: Reading, *, strength: Strength, titled: bool, cue: int
) -> bool:
    word = words[reading.first]
    cased = is_cased(text)
    following = words[reading.stop] if reading.stop < len(words) else None
    if cased and word.is_capitalised and reading.is_followed_by_more(text, words):
        return False
    if words[reading.stop - 1].is_possessive:
        return False
    if strength == "strong" or titled:
        return can_be_first(word, cased=cased) and (is_first_name(word.key) or reading.is_bounded(text, words))
    if not is_first_name(word.key):
        # "this is Intellibank" and "this is Xochitl" look alike: something else must tell a person.
        return (
            cased
            and word.is_capitalised
            and can_be_first(word, cased=True)
            and (
                (
                    following is not None
                    and following.key in vocabulary("after_a_person")
                    and reading.is_bounded(text, words)
                )
                or (reading.is_bounded(text, words) and _names_a_company_before(text, words, cue))
            )
        )
    if cased and not word.is_capitalised:
        return False
    if not reading.is_doubtful(words):
        return reading.is_bounded(text, words)
    if strength == "faint":
        return False
    if cased:
        return reading.is_bounded(text, words)
    return following is None or following.whole in vocabulary("after_a_doubtful_person")


def _names_a_company_before(text: str, words: Sequence[Word], cue: int) -> bool:
    stop = _first_word_from(words, cue)
    near = words[max(0, stop - 15) : stop]
    return any(left.key in vocabulary("before_a_person") and right.is_capitalised for left, right in pairwise(near))


def _before_cue(text: str, words: Sequence[Word]) -> list[Introduction | None]:
    """Names before their cue: "Michael speaking", "Susan here", "Michael from Acme" at a turn's start."""
    found: list[Introduction | None] = []
    for index, word in enumerate(words):
        if word.whole not in _NAME_FIRST:
            continue
        mark = _mark_before(text, word.start)
        if mark is not None:
            found.append(Introduction(mark, "weak", None, redacted=True))
        if mark is not None or index == 0:
            continue
        begin = index - 1
        if begin > 0 and _belong_together(text, words[begin - 1], words[begin]):
            begin -= 1
        for first in (begin, index - 1):
            reading = read_name(text, words, first)
            if reading is not None and reading.stop == index and is_first_name(words[first].key):
                if _stands_first(text, words, first, sure=word.whole == "speaking") and not (
                    reading.is_doubtful(words) and not is_cased(text)
                ):
                    found.append(
                        Introduction(words[first].start, "strong" if word.whole == "speaking" else "weak", reading)
                    )
                break
    return found


def _belong_together(text: str, left: Word, right: Word) -> bool:
    between = text[left.end : right.start]
    return between == " " and is_first_name(left.key) and left.is_capitalised == right.is_capitalised


def _mark_before(text: str, position: int) -> int | None:
    window = text[max(0, position - 40) : position].rstrip()
    for match in REDACTION.finditer(window):
        if match.end() == len(window):
            return max(0, position - 40) + match.start()
    return None


def _stands_first(text: str, words: Sequence[Word], index: int, *, sure: bool) -> bool:
    """Whether the name isn't spoken of: it begins the turn or a sentence, or follows a greeting.

    `sure`: the cue is "speaking", so that in speech without marks it may follow anything ("... acme mary speaking").
    """
    if index == 0:
        return True
    before = words[index - 1]
    if sure and not is_cased(text):
        return before.whole not in vocabulary("not_addressed_before") | vocabulary("third_party_before")
    return re.search(r"[.,!?;:\n-]", text[before.end : words[index].start]) is not None or before.key in vocabulary(
        "openers"
    )


def _first_word_from(words: Sequence[Word], position: int) -> int:
    low, high = 0, len(words)
    while low < high:
        middle = (low + high) // 2
        if words[middle].start < position:
            low = middle + 1
        else:
            high = middle
    return low
