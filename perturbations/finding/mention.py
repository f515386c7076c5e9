"""Every place where words of the agent's name stand, as runs: "Mary", "Mary Ann Smith", "Mr. Reyes", "Michael R."."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from perturbations.finding.agent_name import AgentName
from perturbations.finding.agent_span import NameSpan
from perturbations.finding.lexicon import not_names, ordinary_words, surnames
from perturbations.finding.name_reading import vocabulary
from perturbations.finding.parsed_turn import ParsedTurn
from perturbations.text.word import Word

_SENTENCE_START = re.compile(r"(?:^|[.!?\n])\W*$")
_CLOSE = re.compile(r"[ \t]+|\.[ \t]+")


@dataclass(frozen=True)
class Mention:
    """A run of words that may be the agent's name: word indices of one turn.

    The first name with middle names is `[first, last)`, the surname `[last, stop)`; one of the two may be empty.
    `begin` is `first`, or the index of the first title in front.
    """

    begin: int
    first: int
    last: int
    stop: int

    @property
    def has_first(self) -> bool:
        """Whether the first name stands there."""
        return self.first < self.last

    @property
    def has_last(self) -> bool:
        """Whether the surname stands there."""
        return self.last < self.stop

    def spans(self, turn: ParsedTurn) -> list[NameSpan]:
        """The parts with their places."""
        found: list[NameSpan] = []
        if self.has_first:
            found.append(NameSpan(turn.index, turn.words[self.first].start, self._first_end(turn), "first"))
        if self.has_last:
            start, end = turn.words[self.last].start, turn.words[self.stop - 1].end
            found.append(NameSpan(turn.index, start, end, "last", "initial" if end - start == 1 else "name"))
        return found

    def _first_end(self, turn: ParsedTurn) -> int:
        """Where the first name ends: "Mary J." with the full stop of the initial, where the surname follows."""
        last = turn.words[self.last - 1]
        dotted = self.has_last and self.last - self.first > 1 and len(last.text) == 1
        return last.end + (dotted and turn.text.startswith(".", last.end))

    def is_doubtful(self, turn: ParsedTurn) -> bool:
        """Whether it may be an ordinary word: one alone, and nothing in its letters tells."""
        word = turn.words[self.first]
        if self.stop - self.first > 1 or not (word.key in ordinary_words() or word.key in not_names()):
            return False
        starts = _SENTENCE_START.search(turn.text[max(0, word.start - 6) : word.start]) is not None
        return not turn.cased or not word.is_capitalised or starts


def find_mentions(turn: ParsedTurn, name: AgentName) -> Iterator[Mention]:
    """Every run of words of the agent's name, whoever is meant by it, in order."""
    index = 0
    while index < len(turn.words):
        mention = _mention_at(turn, index, name)
        if mention is not None:
            yield mention
            index = mention.stop
        else:
            index += 1


def _mention_at(turn: ParsedTurn, index: int, name: AgentName) -> Mention | None:
    words = turn.words
    begin = index
    while begin > 0 and words[begin - 1].key in vocabulary("titles") and _are_close(turn, begin - 1):
        begin -= 1
    if words[index].key in name.firsts:
        last = _past(turn, index + 1, name.middle)
        stop = _past(turn, last, name.last) if name.last else last
        if stop == last and name.last and _is_initial(turn, last, name.last[-1]):
            stop = last + 1
        return Mention(begin, index, last, stop)
    if name.last and begin < index and words[index].key == name.last[0]:
        stop = _past(turn, index, name.last)
        return Mention(begin, index, index, stop) if stop > index else None
    return None


def _past(turn: ParsedTurn, index: int, keys: tuple[str, ...]) -> int:
    """The index behind these words where they stand there, else `index`."""
    for offset, key in enumerate(keys):
        place = index + offset
        if place >= len(turn.words) or turn.words[place].key != key:
            return index
        if place > 0 and not (offset == 0 and place == index and place == 0) and not _are_close(turn, place - 1):
            return index
    return index + len(keys)


def _is_initial(turn: ParsedTurn, index: int, surname: str) -> bool:
    if index >= len(turn.words) or not _are_close(turn, index - 1):
        return False
    word = turn.words[index]
    return len(word.text) == 1 and word.key == surname[0] and word.is_capitalised


def _are_close(turn: ParsedTurn, index: int) -> bool:
    """Whether this word and the next are parts of one name or title."""
    left, right = turn.words[index], turn.words[index + 1]
    between = turn.text[left.end : right.start]
    if not _CLOSE.fullmatch(between):
        return False
    return "." not in between or len(left.text) == 1 or left.key in vocabulary("titles")


def other_surname_follows(turn: ParsedTurn, mention: Mention, name: AgentName) -> bool:
    """Whether a surname that isn't the agent's follows the first name: someone else is meant."""
    if mention.has_last or mention.stop >= len(turn.words) or not _are_close(turn, mention.stop - 1):
        return False
    word: Word = turn.words[mention.stop]
    if word.key in name.customer_lasts:
        return True
    if word.whole in not_names() or turn.words[mention.stop - 1].is_possessive:
        return False
    if turn.cased and turn.words[mention.first].is_capitalised:
        return word.is_capitalised and word.text != "I"
    return word.key in surnames() and word.key not in ordinary_words()
