"""Where the rules of a style row apply in a turn, and with which wordings."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from perturbations.style.style_rules import NEUTRAL, StyleRule, style_rules
from perturbations.text.phrases import ends_with_pattern, masked, phrase_pattern, sentence_starts, tail


@dataclass(frozen=True)
class Site:
    """A place in one turn that a rule applies to, with the wordings that may stand there, in lower case.

    `mark` is where the sentence's last mark becomes another one, and which.
    """

    turn: int
    start: int
    end: int
    options: tuple[str, ...]
    mark: tuple[int, str] | None = None


def find_sites(row: str, attribute: str, turn: int, text: str, *, previous: str = "") -> Iterator[Site]:
    """Where the row's rules for this attribute apply in the text of one turn: in order, not overlapping.

    `previous` is what another speaker said right before.
    """
    scanner = _scanner(row, attribute)
    text = masked(text)
    sentences = (*sentence_starts(text), len(text))
    used: set[tuple[int, str]] = set()
    position = 0
    while (phrase := scanner.anything.search(text, position)) is not None:
        if scanner.left_alone is not None and (kept := scanner.left_alone.match(text, phrase.start())):
            position = kept.end()
            continue
        number = bisect_right(sentences, phrase.start()) - 1
        sentence = sentences[number], sentences[number + 1]
        place = _Position(text, phrase.start(), sentence, previous)
        for rule in scanner.rules:
            if (number, rule.rule.group) not in used and (match := rule.match(place, scanner)) is not None:
                break
        else:
            position = phrase.start() + 1
            continue
        options = tuple(_expanded(match, wording) for wording in rule.rule.write)
        yield Site(turn, match.start(), match.end(), options, _mark(text, match.end(), sentence[1], rule.rule.ends))
        position = match.end()
        if rule.rule.group is not None:
            used.add((number, rule.rule.group))


def _mark(text: str, start: int, end: int, ends: str | None) -> tuple[int, str] | None:
    """The place of the sentence's closing mark, where it isn't the one that it should be."""
    last = len(text[start:end].rstrip()) + start - 1
    if ends is None or last < start or text[last] not in ".?" or text[last] == ends:
        return None
    return last, ends


def _expanded(match: re.Match[str], wording: str) -> str:
    words = match.expand(wording)
    # "Hold on" moves behind the words that are put before it: its capital belongs to its old place.
    first = re.match(r"[A-Z][a-z]+", match[0])
    return words if first is None else words.replace(first[0], first[0].lower(), 1)


@dataclass(frozen=True)
class _Position:
    """A position in a turn with what a rule may ask about: its sentence and what was said before the turn."""

    text: str
    position: int
    sentence: tuple[int, int]
    previous: str


@dataclass(frozen=True)
class _Compiled:
    """A rule with its phrases as patterns."""

    rule: StyleRule
    find: re.Pattern[str]
    unless: re.Pattern[str] | None
    after: re.Pattern[str] | None

    def match(self, place: _Position, scanner: _Scanner) -> re.Match[str] | None:
        """What the rule finds at this place, where all its conditions hold."""
        match = self.find.match(place.text, place.position)
        if match is None or not scanner.is_in_place(self.rule, place):
            return None
        if self.unless is not None and self.unless.search(place.text, *place.sentence):
            return None
        if self.after is not None and not self.after.search(place.previous):
            return None
        return match


@dataclass(frozen=True)
class _Scanner:
    """The rules of one attribute, compiled."""

    rules: tuple[_Compiled, ...]
    anything: re.Pattern[str]
    left_alone: re.Pattern[str] | None
    openers: re.Pattern[str]
    embedders: re.Pattern[str]

    def is_in_place(self, rule: StyleRule, place: _Position) -> bool:
        """Whether the place is where the rule may apply, by what leads up to it."""
        if rule.at == "anywhere":
            return True
        before = tail(place.text, place.position)
        if rule.at == "question":
            return self.embedders.search(before) is None
        if rule.at == "start":
            return re.search(r"(?:\A|[^\w\s'\u2019,;])\s*\Z", before) is not None
        after_mark = re.search(r"(?:\A|[^\w\s'\u2019])\s*\Z", before) is not None
        return after_mark or self.openers.search(before) is not None


@cache
def _scanner(row: str, attribute: str) -> _Scanner:
    style = style_rules(row)
    rules = style.neutral if attribute == NEUTRAL else style.intense
    left_alone = style.keep + style.not_markers if attribute == NEUTRAL else style.keep
    return _Scanner(
        rules=tuple(
            _Compiled(rule, phrase_pattern(rule.find), _optional(rule.unless), _optional(rule.after))
            for rule in rules
        ),
        anything=phrase_pattern(*left_alone, *(rule.find for rule in rules)),
        left_alone=_optional(*left_alone),
        openers=ends_with_pattern(style.openers),
        embedders=ends_with_pattern(style.embedders),
    )


def _optional(*phrases: str | None) -> re.Pattern[str] | None:
    given = [phrase for phrase in phrases if phrase is not None]
    return phrase_pattern(*given) if given else None
