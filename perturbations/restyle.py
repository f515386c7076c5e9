"""Style rows by rules: the agent's turns with the markers of a style taken out or put in (operation 1)."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from perturbations.draw import Draw
from perturbations.edit import Edit, Replacement
from perturbations.phrases import ends_with_pattern, masked, phrase_pattern, sentence_starts, tail
from perturbations.rewording import reworded
from perturbations.style_rules import Rule, StyleRules, style_rules
from perturbations.transcript import Transcript
from perturbations.writer import Change, NotApplicable, Writer

NEUTRAL = "neutral"


@dataclass(frozen=True)
class Site:
    """A place in one turn that a rule applies to, with the wordings that may stand there, in lower case."""

    turn: int
    start: int
    end: int
    options: tuple[str, ...]


def style_writer(row: str) -> Writer:
    """The writer of this style row, by the rules of its data file."""

    def write(transcript: Transcript, attribute: str, draw: Draw) -> Change | NotApplicable:
        return _restyled(row, transcript, attribute, draw)

    return write


def _restyled(row: str, transcript: Transcript, attribute: str, draw: Draw) -> Change | NotApplicable:
    if not speaks_english(transcript.language):
        return NotApplicable("language")
    sites = [
        site
        for index, turn in enumerate(transcript.turns)
        if turn.speaker == "agent"
        for site in find_sites(row, attribute, index, turn.text)
    ]
    if not sites:
        return NotApplicable("nothing_to_neutralise" if attribute == NEUTRAL else "nothing_to_restyle")
    if attribute != NEUTRAL:
        sites = _some(sites, style_rules(row).share, draw)
    if draw.draw > 0 and all(len(site.options) < 2 for site in sites):
        return NotApplicable("no_second_draw")
    return Change(edits=_edits(transcript, sites, style_rules(row), draw))


def speaks_english(language: str) -> bool:
    """Whether rules that know English apply: `en`, `en-GB`, `en_US`, `English`."""
    return re.split(r"[-_]", language.strip().lower())[0] in ("en", "eng", "english")


def find_sites(row: str, attribute: str, turn: int, text: str) -> Iterator[Site]:
    """Where the row's rules for this attribute apply in the text of one turn: in order, not overlapping."""
    scanner = _scanner(row, attribute)
    text = masked(text)
    sentences = sentence_starts(text)
    used: set[tuple[int, str]] = set()
    position = 0
    while (found := scanner.anything.search(text, position)) is not None:
        if scanner.looks_like is not None and (other := scanner.looks_like.match(text, found.start())):
            position = other.end()
            continue
        sentence = bisect_right(sentences, found.start()) - 1
        applied = scanner.apply(text, found.start(), _sentence(text, sentences, sentence), sentence, used)
        if applied is None:
            position = found.start() + 1
            continue
        rule, match = applied
        yield Site(turn, match.start(), match.end(), tuple(_expanded(match, wording) for wording in rule.write))
        position = match.end()
        if rule.group is not None:
            used.add((sentence, rule.group))


def _expanded(match: re.Match[str], wording: str) -> str:
    words = match.expand(wording)
    # "Hold on" moves behind the words that are put before it: its capital belongs to its old place.
    first = re.match(r"[A-Z][a-z]+", match[0])
    return words if first is None else words.replace(first[0], first[0].lower(), 1)


@dataclass(frozen=True)
class _Scanner:
    """The rules of one attribute, compiled."""

    rules: tuple[tuple[Rule, re.Pattern[str], re.Pattern[str] | None], ...]
    anything: re.Pattern[str]
    looks_like: re.Pattern[str] | None
    openers: re.Pattern[str]
    embedders: re.Pattern[str]

    def apply(
        self, text: str, position: int, sentence: tuple[int, int], number: int, used: set[tuple[int, str]]
    ) -> tuple[Rule, re.Match[str]] | None:
        """The first rule that applies at this position."""
        for rule, pattern, unless in self.rules:
            match = pattern.match(text, position)
            if match is None or (number, rule.group) in used:
                continue
            if self._is_in_place(rule, text, position) and not (unless and unless.search(text, *sentence)):
                return rule, match
        return None

    def _is_in_place(self, rule: Rule, text: str, position: int) -> bool:
        if rule.at == "anywhere":
            return True
        before = tail(text, position)
        if rule.at == "question":
            return self.embedders.search(before) is None
        return re.search(r"(?:\A|[^\w\s'\u2019])\s*\Z", before) is not None or self.openers.search(before) is not None


@cache
def _scanner(row: str, attribute: str) -> _Scanner:
    style = style_rules(row)
    rules = style.neutral if attribute == NEUTRAL else style.intense
    return _Scanner(
        rules=tuple(
            (rule, phrase_pattern(rule.find), phrase_pattern(rule.unless) if rule.unless else None) for rule in rules
        ),
        anything=phrase_pattern(*style.not_markers, *(rule.find for rule in rules)),
        looks_like=phrase_pattern(*style.not_markers) if style.not_markers else None,
        openers=ends_with_pattern(style.openers),
        embedders=ends_with_pattern(style.embedders),
    )


def _sentence(text: str, starts: Sequence[int], number: int) -> tuple[int, int]:
    return starts[number], starts[number + 1] if number + 1 < len(starts) else len(text)


def _some(sites: Sequence[Site], share: float, draw: Draw) -> list[Site]:
    # Keyed without the draw: a placebo words the same places anew, so that it holds as much of the style as the arm.
    key = replace(draw, draw=0)
    chances = [key.fraction(f"site:{site.turn}:{site.start}") for site in sites]
    limit = max(share, min(chances) + 1e-12)
    return [site for site, chance in zip(sites, chances, strict=True) if chance < limit]


def _edits(transcript: Transcript, sites: Sequence[Site], style: StyleRules, draw: Draw) -> tuple[Edit, ...]:
    by_turn: dict[int, list[Site]] = {}
    for site in sites:
        by_turn.setdefault(site.turn, []).append(site)
    edits: list[Edit] = []
    for turn, here in by_turn.items():
        wordings = [(site.start, site.end, _wording(site, draw)) for site in here]
        alone = draw.pick(style.alone, f"alone:{turn}")
        edits += [
            Replacement(turn=turn, start=piece.start, end=piece.end, before=piece.before, after=piece.after)
            for piece in reworded(transcript.turns[turn].text, wordings, alone=alone)
        ]
    return tuple(edits)


def _wording(site: Site, draw: Draw) -> str:
    """One of the site's options; a placebo never takes one that its arm can take, where there are two or more.

    The options, turned by hash, fall into two halves: one for the arm, one for the placebo; retries go through them.
    """
    count = len(site.options)
    turned = int(replace(draw, draw=0, attempt=0).fraction(f"wording:{site.turn}:{site.start}") * count)
    options = site.options[turned:] + site.options[:turned]
    half = (count + 1) // 2
    own = options[half:] if draw.draw > 0 and count > 1 else options[:half]
    return own[draw.attempt % len(own)]
