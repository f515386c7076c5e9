"""Where a speaker says their own name: "my name is X", "this is X", "you're through to X", "X speaking"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Literal, cast

from perturbations.data_file import read_rows
from perturbations.finding.lexicon import is_first_name, is_rather_surname, vocabulary
from perturbations.finding.name_reading import NameReading, read_name
from perturbations.text.phrases import phrase_pattern
from perturbations.text.utterance import Utterance
from perturbations.text.word import Word

_WORDS_OF_A_MARK = "pii|phi|name|redact|person|mask|agent|removed|anon|hidden|deleted|private"
# In brackets a mark must say that something was taken out ("[noise]" doesn't); crosses and bars say it by themselves.
_MARK = (
    rf"[\[<({{]{{1,3}}[\w :/.-]{{0,40}}?(?:{_WORDS_OF_A_MARK})[\w :/.-]{{0,40}}[\])>}}]{{1,3}}"
    r"|\[[*_#x. -]+\]|\*{3,}|\bx{3,}\b|#{3,}|_{3,}|█+"
)
REDACTION = re.compile(_MARK, re.IGNORECASE)
"""Marks that stand where a name was taken out: [PII], <NAME>, {{agent_name}}, XXXX, ****."""

CueStrength = Literal["strong", "weak", "faint"]
"""Whether the words around say nothing but a name ("my name is"), may say something else ("this is"), or may name
someone else ("it's")."""

# What may part a cue from its name, or two words of what is skipped between them: "my name is... Michael".
_SPACE = re.compile(r"[\s,:;…\"“'\u2018(\u2013—.-]*")
# The same before a mark, where words can't be told from the word table: the mark may hold words of its own.
_BEFORE_MARK = re.compile(
    r"(?:[\s,:;…\"“'\u2018(\u2013—.-]|\b(?:um|uh|uhm|er|mr|mrs|ms|miss|mister|mx)\b)*", re.IGNORECASE
)
_NAME_FIRST = ("speaking", "here")
_LOOK_BACK = 40
"""How many letters before "speaking" a mark may begin: the longest mark that is known."""
_NEAR = 15
"""How many words before "this is X" a company may be named: "thank you for calling Acme, this is Xochitl"."""


@dataclass(frozen=True)
class Introduction:
    """One place where a speaker gives a name as their own; `start` is where its words begin.

    `redacted`: a mark stands where the name was said. `reading` is None there, and where only a title follows;
    `titles` holds the titles in front of the name.
    """

    start: int
    strength: CueStrength
    reading: NameReading | None
    titles: tuple[Word, ...] = ()
    redacted: bool = False

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the name's words, none where no name is given."""
        return self.reading.keys if self.reading is not None else ()

    @property
    def is_surname(self) -> bool:
        """Whether the name is a surname alone: "this is Mr. Reyes" gives one, "this is miss jane" doesn't."""
        return bool(self.titles) and len(self.keys) == 1 and is_rather_surname(self.keys[0])


@cache
def _cue_pattern() -> re.Pattern[str]:
    # One group for each row of the table, so that a match tells which row it is of.
    cues = [f"(?P<cue{number}>{row['cue']})" for number, row in enumerate(read_rows("introductions.csv"))]
    return phrase_pattern(*cues)


def find_introductions(said: Utterance) -> list[Introduction]:
    """Every place of this text where its speaker gives a name, in order."""
    introductions = [*_names_after_cues(said), *_names_before_cues(said)]
    return sorted(introductions, key=lambda each: each.start)


def _names_after_cues(said: Utterance) -> Iterator[Introduction]:
    """Names behind their cue: "my name is um Robert"."""
    for cue in _cue_pattern().finditer(said.text):
        row = read_rows("introductions.csv")[int((cue.lastgroup or "cue0").removeprefix("cue"))]
        strength = cast(CueStrength, row["strength"])
        lead = _BEFORE_MARK.match(said.text, cue.end())
        if lead and REDACTION.match(said.text, lead.end()):
            yield Introduction(cue.start(), strength, None, redacted=True)
            continue
        index, titles = _past_fillers(said, cue.end())
        reading = read_name(said, index) if index is not None else None
        if reading is not None and not _is_own(said, reading, strength, is_titled=bool(titles), cue=cue.start()):
            reading = None
        if reading is not None or titles:
            yield Introduction(cue.start(), strength, reading, titles)


def _past_fillers(said: Utterance, end: int) -> tuple[int | None, tuple[Word, ...]]:
    """The index of the word where the name begins (None: no word follows closely), and the titles before it.

    `end` is where the cue ends.
    """
    titles: list[Word] = []
    for index in range(said.index_from(end), len(said.words)):
        word = said.words[index]
        lead = _SPACE.match(said.text, end)
        if lead is None or lead.end() != word.start or "\n" in lead[0]:
            return None, tuple(titles)
        if word.key in vocabulary("titles"):
            titles.append(word)
        elif word.whole not in vocabulary("fillers"):
            return index, tuple(titles)
        end = word.end
    return None, tuple(titles)


def _is_own(said: Utterance, reading: NameReading, strength: CueStrength, *, is_titled: bool, cue: int) -> bool:
    """Whether what was read behind a cue is a person's name: "this is Mary", not "this is Intellibank"."""
    word, following = said.words[reading.first], said.word_at(reading.stop)
    if said.cased and word.is_capitalised and reading.is_of_organisation:
        return False
    if said.words[reading.stop - 1].is_possessive:
        return False
    if strength == "strong" or is_titled:
        return is_first_name(word.key) or reading.is_bounded
    if not is_first_name(word.key):
        return _is_unknown_person(said, reading, cue=cue)
    if said.cased and not word.is_capitalised:
        return False
    if not reading.is_doubtful:
        return reading.is_bounded
    if strength == "faint":
        return False
    if said.cased:
        return reading.is_bounded
    return following is None or following.whole in vocabulary("after_a_doubtful_person")


def _is_unknown_person(said: Utterance, reading: NameReading, *, cue: int) -> bool:
    """Whether an unknown word is a person's name: "this is Intellibank" and "this is Xochitl" look alike.

    Something else must tell a person: what follows ("Xochitl speaking"), or that the company was named before.
    """
    if not (said.cased and said.words[reading.first].is_capitalised and reading.is_bounded):
        return False
    following = said.word_at(reading.stop)
    if following is not None and following.key in vocabulary("after_a_person"):
        return True
    stop = said.index_from(cue)
    near = said.words[max(0, stop - _NEAR) : stop]
    return any(left.key in vocabulary("before_a_person") and right.is_capitalised for left, right in pairwise(near))


def _names_before_cues(said: Utterance) -> Iterator[Introduction]:
    """Names in front of their cue: "Michael speaking", "Susan here"."""
    for index, word in enumerate(said.words):
        if word.whole not in _NAME_FIRST:
            continue
        is_sure = word.whole == "speaking"
        mark = _mark_before(said.text, word.start)
        if mark is not None:
            yield Introduction(mark, "weak", None, redacted=True)
            continue
        reading = _name_up_to(said, index)
        if reading is None or not _stands_first(said, reading.first, is_sure=is_sure):
            continue
        if said.cased or not reading.is_doubtful:
            yield Introduction(said.words[reading.first].start, "strong" if is_sure else "weak", reading)


def _name_up_to(said: Utterance, stop: int) -> NameReading | None:
    """The known name that ends before this word: of two words that belong together, else of one."""
    begins = [stop - 1] if stop > 0 else []
    if stop > 1:
        left, right = said.words[stop - 2], said.words[stop - 1]
        alike = left.is_capitalised == right.is_capitalised
        if left.gap == " " and is_first_name(left.key) and alike:
            begins.insert(0, stop - 2)
    for begin in begins:
        reading = read_name(said, begin)
        if reading is not None and reading.stop == stop and is_first_name(said.words[begin].key):
            return reading
    return None


def _mark_before(text: str, position: int) -> int | None:
    """Where the mark begins that stands right before this place, if any: "[NAME] speaking"."""
    begin = max(0, position - _LOOK_BACK)
    window = text[begin:position].rstrip()
    for match in REDACTION.finditer(window):
        if match.end() == len(window):
            return begin + match.start()
    return None


def _stands_first(said: Utterance, index: int, *, is_sure: bool) -> bool:
    """Whether the name isn't spoken of: it begins the turn or a sentence, or follows a greeting.

    `is_sure`: the cue is "speaking", so that in speech without marks it may follow anything ("... acme mary
    speaking").
    """
    if index == 0:
        return True
    before = said.words[index - 1]
    if is_sure and not said.cased:
        return before.whole not in vocabulary("not_addressed_before") | vocabulary("third_party_before")
    return re.search(r"[.,!?;:\n-]", before.gap) is not None or before.key in vocabulary("openers")
