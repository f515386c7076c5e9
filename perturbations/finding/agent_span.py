"""Places of the agent in a transcript: where it names them, and in which form, and where it tells their gender."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from perturbations.finding.agent_name import AgentName
from perturbations.finding.email_address import EmailAddress
from perturbations.finding.gender_terms import TermKind
from perturbations.finding.gendered_word import GenderedWord
from perturbations.finding.mention import Mention
from perturbations.finding.parsed_turn import ParsedTurn
from perturbations.finding.spelling import SpelledItem, Spelling
from perturbations.text.casing import CURLY

NamePart = Literal["first", "last"]
NameForm = Literal["name", "initial", "spelled", "alphabet", "hint"]

_NEAR = 45
"""How many letters behind a mention a spelling may begin that is one of it: "Mary, and that is spelled M-A-R-Y"."""
_SOUNDS_LIKE = {"c": "k", "k": "c"}
"""First letters that sound alike: "Catherine" is heard where "k a t h r y n" is spelled."""


@dataclass(frozen=True)
class NameSpan:
    """One part of the agent's name as it stands in a turn: `text`, at `[start, end)` of the turn's text.

    `form`: the name itself (in an e-mail address too), its initial, spelled letter by letter ("M-A-R-Y"), by an
    alphabet ("M as in Mike"), or a hint at its first letter ("with a K").
    """

    turn: int
    start: int
    end: int
    text: str
    part: NamePart
    form: NameForm


@dataclass(frozen=True)
class TermSpan:
    """One word about the agent that tells gender: `text`, at `[start, end)` of a turn's text.

    `key` is the word as the table of its kind has it. `is_curly`: the turn is written with curly apostrophes.
    """

    turn: int
    start: int
    end: int
    text: str
    key: str
    kind: TermKind
    is_curly: bool


@dataclass(frozen=True)
class _Place:
    """A part of the name at `[start, end)` of a turn's text, or of the user part of an address."""

    start: int
    end: int
    part: NamePart
    form: NameForm = "name"


def name_spans(turns: Sequence[ParsedTurn], mentions: Iterable[Mention], name: AgentName) -> tuple[NameSpan, ...]:
    """Every place of the agent's name, in order and disjoint; `mentions` are those that mean the agent, in order.

    Of two places that overlap the one that begins first is kept.
    """
    by_turn: dict[int, list[Mention]] = {turn.index: [] for turn in turns}
    for mention in mentions:
        by_turn[mention.turn.index].append(mention)
    addresses = _own_addresses(turns, name)
    spans: list[NameSpan] = []
    for turn in turns:
        own, end = by_turn[turn.index], 0
        places = [
            *_in_addresses(turn, addresses, name),
            *(place for mention in own for place in _in_mention(mention)),
            *(place for spelling in turn.spellings for place in _in_spelling(spelling, turn, own, name)),
            *(place for mention in own for place in _in_hint(mention, name)),
        ]
        for place in sorted(places, key=lambda each: (each.start, -each.end)):
            if place.start >= end:
                text, end = turn.said.text[place.start : place.end], place.end
                spans.append(NameSpan(turn.index, place.start, place.end, text, place.part, place.form))
    return tuple(spans)


def term_spans(words: Iterable[tuple[ParsedTurn, GenderedWord]], names: Iterable[NameSpan]) -> tuple[TermSpan, ...]:
    """Where these words stand, in order and disjoint, left out what is a part of a name already."""
    taken = {(span.turn, place) for span in names for place in range(span.start, span.end)}
    spans: list[TermSpan] = []
    for turn, word in sorted(words, key=lambda each: (each[0].index, each[1].start, each[1].end)):
        overlaps = bool(spans) and spans[-1].turn == turn.index and word.start < spans[-1].end
        if not overlaps and (turn.index, word.start) not in taken:
            text = turn.said.text
            written, is_curly = text[word.start : word.end], CURLY in text
            spans.append(TermSpan(turn.index, word.start, word.end, written, word.key, word.kind, is_curly))
    return tuple(spans)


def _in_mention(mention: Mention) -> Iterator[_Place]:
    first_name, surname = mention.first_name, mention.surname
    if first_name:
        last = first_name[-1]
        # "Mary J. Blige": the full stop of the initial goes with it where the surname follows.
        is_dotted = bool(surname) and len(first_name) > 1 and len(last.text) == 1 and last.gap.startswith(".")
        yield _Place(first_name[0].start, last.end + is_dotted, "first")
    if surname:
        start, end = surname[0].start, surname[-1].end
        yield _Place(start, end, "last", "initial" if end - start == 1 else "name")


def _in_hint(mention: Mention, name: AgentName) -> Iterator[_Place]:
    hint = mention.hint
    if hint is not None and hint.letter in name.first + mention.words[0].key:
        yield _Place(hint.start, hint.end, "last" if mention.surname else "first", "hint")


def _in_spelling(spelling: Spelling, turn: ParsedTurn, own: Sequence[Mention], name: AgentName) -> list[_Place]:
    """What of a spelling is the agent's name: first name and surname right behind a mention, else one of the two.

    Without a mention before it, it may be the customer's name where that is the same.
    """
    items, form = spelling.items, spelling.form
    mention = _mention_before(own, items[0].start)
    both = _spelled(items, name.first + name.surname) if name.last else None
    if both is not None and mention is not None:
        cut = both.start + len(name.first)
        if cut < len(items):
            return [
                _Place(items[both.start].start, items[cut - 1].end, "first", form),
                _Place(items[cut].start, items[both.stop - 1].end, "last", form),
            ]
    if mention is not None or not name.first_is_shared:
        for key in sorted(name.firsts, key=lambda each: (-len(each), each)):
            if (run := _spelled(items, key)) is not None:
                return [_Place(items[run.start].start, items[run.stop - 1].end, "first", form)]
    if (mention is not None or not name.last_is_shared) and (run := _spelled(items, name.surname)) is not None:
        return [_Place(items[run.start].start, items[run.stop - 1].end, "last", form)]
    if mention is not None and turn.speaker == "agent" and _is_heard_alike(items, mention):
        return [_Place(items[0].start, items[-1].end, "first", form)]
    return []


def _mention_before(own: Sequence[Mention], position: int) -> Mention | None:
    """The agent's own mention that a spelling follows closely."""
    index = bisect_right(own, position, key=lambda each: each.end) - 1
    if index < 0 or position - own[index].end > _NEAR:
        return None
    return own[index]


def _spelled(items: Sequence[SpelledItem], key: str) -> range | None:
    """The first items that spell this word without gap, if any; marks in it ("o'brien") are never spelled."""
    letters = re.sub(r"[^\w]", "", key)
    if len(letters) < 2:
        return None
    for first in range(len(items)):
        spelled = ""
        for number in range(first, len(items)):
            spelled += items[number].letters
            if spelled == letters:
                return range(first, number + 1)
            if not letters.startswith(spelled):
                break
    return None


def _is_heard_alike(items: Sequence[SpelledItem], mention: Mention) -> bool:
    """Whether the first name is spelled otherwise than speech recognition wrote it: "catherine k a t h r y n"."""
    if not mention.first_name or len(items) <= 2:
        return False
    spelled, written = "".join(item.letters for item in items), mention.words[0].key
    begins_alike = spelled[0] in (written[0], _SOUNDS_LIKE.get(written[0]))
    return begins_alike and abs(len(spelled) - len(written)) <= 2


def _own_addresses(turns: Sequence[ParsedTurn], name: AgentName) -> dict[str, list[_Place]]:
    """By address in lower case, the parts of the name in those that the agent gives as their own."""
    shapes = _user_shapes(name)
    own: dict[str, list[_Place]] = {}
    for turn in turns:
        for address in turn.addresses if turn.speaker == "agent" else ():
            parts = _parts(address.user, shapes)
            if parts and _is_own(address, parts, name):
                own[address.whole] = parts
    return own


def _is_own(address: EmailAddress, parts: Sequence[_Place], name: AgentName) -> bool:
    """Whether an address with parts of the name is the agent's: by the full name, else by the words around."""
    if len({each.part for each in parts}) == 2 and not (name.first_is_shared and name.last_is_shared):
        return True
    return address.is_offered and not name.first_is_shared


def _user_shapes(name: AgentName) -> list[str]:
    """What the user part of an address of this name looks like, the fullest first.

    A group is called by the part of the name that it holds, `_initial` where it holds but the first letter.
    """
    last = re.escape(name.surname)
    if not name.first:
        return [rf"(?<![a-z])(?P<last>{last})(?![a-z])"]
    first = f"(?P<first>{'|'.join(sorted(map(re.escape, name.firsts), key=len, reverse=True))})"
    lone = rf"(?<![a-z]){first}(?![a-z])"
    if not last:
        return [lone]
    initial, mark = f"(?P<first_initial>{name.first[0]})", "[._+-]?"
    return [
        rf"(?<![a-z]){first}{mark}(?P<last>{last})(?![a-z])",
        rf"(?<![a-z])(?P<last>{last}){mark}{first}(?![a-z])",
        rf"(?<![a-z]){initial}{mark}(?P<last>{last})(?![a-z])",
        rf"(?<![a-z]){first}{mark}(?P<last_initial>{last[0]})(?![a-z])",
        rf"(?<![a-z])(?P<last>{last}){mark}{initial}(?![a-z])",
        lone,
    ]


def _parts(user: str, shapes: Iterable[str]) -> list[_Place]:
    """The parts of the name in the user part of an address, by the first shape that it has."""
    match = next((match for shape in shapes if (match := re.search(shape, user)) is not None), None)
    if match is None:
        return []
    parts = [
        _Place(
            *match.span(group),
            "first" if group.startswith("first") else "last",
            "initial" if group.endswith("initial") else "name",
        )
        for group in match.groupdict()
    ]
    return sorted(parts, key=lambda each: each.start)


def _in_addresses(turn: ParsedTurn, own: Mapping[str, Sequence[_Place]], name: AgentName) -> Iterator[_Place]:
    for address in turn.addresses:
        for part in own.get(address.whole, ()):
            yield _Place(address.start + part.start, address.start + part.end, part.part, part.form)
    for spoken in turn.spoken_addresses:
        if spoken.first.key in name.firsts and spoken.last.key == name.surname:
            yield _Place(spoken.first.start, spoken.first.end, "first")
            yield _Place(spoken.last.start, spoken.last.end, "last")
