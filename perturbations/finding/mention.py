"""Mentions: every run of words that is the agent's name, whoever is meant: "Mary", "Mary Ann Smith", "Mr. Reyes"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from perturbations.finding.agent_name import AgentName
from perturbations.finding.introduction import CueStrength
from perturbations.finding.lexicon import vocabulary
from perturbations.finding.parsed_turn import ParsedTurn
from perturbations.text.utterance import Utterance
from perturbations.text.word import Word, fold

_BEFORE, _AFTER = 4, 6
"""How many words around a mention are looked at: the longest phrases that point at someone, or praise them."""

# Not every mark: "Mary's" and "e-mail" go on. A dash between blanks parts, as does a line break.
_MARK = re.compile(r"[.,!?;:\n…()\"“”—\u2013]|\s-\s")
_SENTENCE_START = re.compile(r"(?:^|[.!?\n])\W*$")
# "Ali, A-L-I", "mary that's m a r y": the first letter, with another single one behind it.
_SPELLING = re.compile(r"[\s,.]{0,3}(?:that's |it's |spelled )?([^\W\d_])[-. ,]{1,2}[^\W\d_](?!\w)", re.IGNORECASE)
_HINT = re.compile(r"[\s,]*(?:(?:that's|it's|spelled|spelt)\s+)?with\s+(an?\s+[^\W\d_])(?!\w)", re.IGNORECASE)


@dataclass(frozen=True)
class Hint:
    """A hint at a letter of the name right before it, at `[start, end)`: "a C" in "Catherine with a C"."""

    start: int
    end: int
    letter: str


@dataclass(frozen=True)
class Mention:
    """A run of words that may name the agent, by the numbers of its words, with what stands around it.

    The titles in front are `[begin, first)`, the first name with middle names `[first, last)`, the surname or its
    initial `[last, stop)`. First name or surname may be empty, not both.
    """

    turn: ParsedTurn
    begin: int
    first: int
    last: int
    stop: int

    @property
    def titles(self) -> tuple[Word, ...]:
        """The titles in front of the name."""
        return self.turn.said.words[self.begin : self.first]

    @property
    def first_name(self) -> tuple[Word, ...]:
        """The first name with middle names."""
        return self.turn.said.words[self.first : self.last]

    @property
    def surname(self) -> tuple[Word, ...]:
        """The surname, or its initial."""
        return self.turn.said.words[self.last : self.stop]

    @property
    def words(self) -> tuple[Word, ...]:
        """The words of the name, without titles."""
        return self.turn.said.words[self.first : self.stop]

    @property
    def end(self) -> int:
        """Where the name ends in the turn's text."""
        return self.words[-1].end

    @property
    def is_capitalised(self) -> bool:
        """Whether it is written as a name where capitals tell something."""
        return self.turn.said.cased and self.words[0].is_capitalised

    @property
    def is_possessive(self) -> bool:
        """Whether a possessive ending (or a short "is") follows: "Mary's"."""
        return self.words[-1].is_possessive

    @property
    def starts_sentence(self) -> bool:
        """Whether the name, its titles left out, begins a sentence."""
        start = self.words[0].start
        return _SENTENCE_START.search(self.turn.said.text[max(0, start - 6) : start]) is not None

    @property
    def runs_on(self) -> bool:
        """Whether the word behind may be a part of the same name."""
        return _runs_on(self.words[-1])

    @property
    def gap_before(self) -> str:
        """All that stands between the word before and the first title or name."""
        return self.turn.said.gap_before(self.begin)

    @property
    def before(self) -> tuple[Word, ...]:
        """The nearest words before, in order."""
        return self.turn.said.words[max(0, self.begin - _BEFORE) : self.begin]

    @property
    def after(self) -> tuple[Word, ...]:
        """The nearest words after, in order; fewer than six where the text ends with them."""
        return self.turn.said.words[self.stop : self.stop + _AFTER]

    @property
    def mark_before(self) -> str:
        """The last mark before the name, empty where none stands there; a line break is one."""
        marks = _MARK.findall(self.gap_before)
        return (marks[-1].strip() or "\n") if marks else ""

    @property
    def mark_after(self) -> str:
        """The first mark after the name, likewise."""
        marks = _MARK.findall(self.words[-1].gap)
        return (marks[0].strip() or "\n") if marks else ""

    @property
    def introduced_by(self) -> CueStrength | None:
        """The surest cue by which the speaker gives this very name as their own."""
        return self.turn.own_names.get(self.first)

    @property
    def is_speakers(self) -> bool:
        """Whether it begins within a name that the speaker gives as their own: "my name is James *John* Smith"."""
        return self.first in self.turn.own_names

    @property
    def spelled_from(self) -> str:
        """The key of the letter with which a spelling begins right behind the name, empty where none does."""
        spelling = _SPELLING.match(self.turn.said.text, self.end)
        return fold(spelling[1]) if spelling is not None else ""

    @property
    def hint(self) -> Hint | None:
        """The hint at a letter that stands right behind the name."""
        hint = _HINT.match(self.turn.said.text, self.end)
        return Hint(hint.start(1), hint.end(1), fold(hint[1][-1])) if hint is not None else None


def find_mentions(turns: Sequence[ParsedTurn], name: AgentName) -> Iterator[Mention]:
    """Every mention of the name, in order; none overlaps another."""
    for turn in turns:
        index = 0
        while index < len(turn.said.words):
            mention = _mention_at(turn, index, name)
            if mention is not None:
                yield mention
            index = mention.stop if mention is not None else index + 1


def _mention_at(turn: ParsedTurn, index: int, name: AgentName) -> Mention | None:
    """The mention of which the name, titles left out, begins at this word, if one does.

    A surname alone is a mention only behind a title: "Mr. Reyes", but not the town of Reyes.
    """
    said, key = turn.said, turn.said.words[index].key
    if key in name.firsts:
        last = _past(said, index + 1, name.middle)
        stop = _past(said, last, name.last)
        if stop == last and name.last and _is_initial(said, last, name.last[-1]):
            stop = last + 1
        return Mention(turn, _before_titles(said, index), index, last, stop)
    if name.last and key == name.last[0] and _is_titled(said, index):
        stop = _past(said, index, name.last)
        return Mention(turn, _before_titles(said, index), index, index, stop) if stop > index else None
    return None


def _past(said: Utterance, index: int, keys: Sequence[str]) -> int:
    """The index behind these words where they stand there, close to each other and what is before, else `index`."""
    words = said.words[index : index + len(keys)]
    if [word.key for word in words] != list(keys):
        return index
    # The first word of a text has none before it to be close to.
    gaps = range(max(index, 1), index + len(keys))
    return index + len(keys) if all(_runs_on(said.words[place - 1]) for place in gaps) else index


def _is_initial(said: Utterance, index: int, surname: str) -> bool:
    """Whether the surname's initial stands there: "Michael R."."""
    word = said.word_at(index)
    if word is None or not _runs_on(said.words[index - 1]):
        return False
    return len(word.text) == 1 and word.key == surname[0] and word.is_capitalised


def _before_titles(said: Utterance, index: int) -> int:
    """Where the titles in front of this word begin."""
    while _is_titled(said, index):
        index -= 1
    return index


def _is_titled(said: Utterance, index: int) -> bool:
    return index > 0 and said.words[index - 1].key in vocabulary("titles") and _runs_on(said.words[index - 1])


def _runs_on(word: Word) -> bool:
    """Whether this word and the next may be parts of one name: a full stop between them must be an abbreviation's."""
    is_short = len(word.text) == 1 or word.key in vocabulary("titles")
    return word.is_close_to_next and (is_short or "." not in word.gap)
