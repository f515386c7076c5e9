"""The agent's name letter by letter: "M-A-R-Y", "t a n y a", "M as in Mike A as in Alpha"."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from perturbations.finding.agent_name import AgentName
from perturbations.finding.agent_span import Form, NameSpan
from perturbations.finding.mention import Mention
from perturbations.finding.parsed_turn import ParsedTurn
from perturbations.text.word import fold

_ITEM = r"(?:double[ -])?[^\W\d_]"
_LETTERS = re.compile(rf"(?<![\w'\u2019-]){_ITEM}(?:(?:[ ]?[-.,][ ]?|\.?[ ]){_ITEM})+(?![\w'\u2019])", re.IGNORECASE)
_ALPHABET_ITEM = r"[^\W\d_](?:,? as in | for | like in | like )[^\W\d_]+"
_ALPHABET = re.compile(rf"(?<!\w){_ALPHABET_ITEM}(?:[,.]?(?: and)? {_ALPHABET_ITEM})+(?!\w)", re.IGNORECASE)
_ITEMS = {"spelled": re.compile(_ITEM, re.IGNORECASE), "alphabet": re.compile(_ALPHABET_ITEM, re.IGNORECASE)}
_HINT = re.compile(r"[\s,]*(?:(?:that's|it's|spelled|spelt)\s+)?with\s+(an?\s+[^\W\d_])(?!\w)", re.IGNORECASE)
_NEAR = 45


@dataclass(frozen=True)
class _Letter:
    start: int
    end: int
    letters: str


def spelled_spans(turn: ParsedTurn, mentions: Sequence[Mention], name: AgentName) -> list[NameSpan]:
    """Where the agent's name is spelled out in this turn; `mentions` are those in it that mean the agent."""
    found: list[NameSpan] = []
    patterns: tuple[tuple[Form, re.Pattern[str]], ...] = (("spelled", _LETTERS), ("alphabet", _ALPHABET))
    for form, pattern in patterns:
        for run in pattern.finditer(turn.text):
            items = [_letter(item) for item in _ITEMS[form].finditer(turn.text, run.start(), run.end())]
            found += _spans_of(turn, items, form, name, mention=_before(turn, mentions, run.start()))
    found += _hints(turn, mentions, name)
    return found


def _letter(item: re.Match[str]) -> _Letter:
    double = item[0].lower().startswith("double")
    letter = fold(item[0][-1] if double else item[0][0])
    return _Letter(item.start(), item.end(), letter * 2 if double else letter)


def _before(turn: ParsedTurn, mentions: Sequence[Mention], position: int) -> Mention | None:
    """The agent's own mention that this spelling follows closely."""
    index = bisect_right(mentions, position, key=lambda each: turn.words[each.stop - 1].end) - 1
    if index < 0 or position - turn.words[mentions[index].stop - 1].end > _NEAR:
        return None
    return mentions[index]


def _spans_of(
    turn: ParsedTurn, items: Sequence[_Letter], form: Form, name: AgentName, *, mention: Mention | None
) -> list[NameSpan]:
    last = "".join(name.last)
    both = _span(turn, items, name.first + last, "first", form) if last else None
    if both is not None and mention is not None:
        cut = sum(1 for item in items if item.end <= both.start) + len(name.first)
        if cut < len(items):
            return [
                NameSpan(turn.index, both.start, items[cut - 1].end, "first", form),
                NameSpan(turn.index, items[cut].start, both.end, "last", form),
            ]
    for key in sorted(name.firsts, key=len, reverse=True):
        span = _span(turn, items, key, "first", form)
        if span is not None and (mention is not None or not name.first_is_shared):
            return [span]
    span = _span(turn, items, last, "last", form) if last else None
    if span is not None and (mention is not None or not name.last_is_shared):
        return [span]
    # Speech recognition may hear another spelling than it writes: "catherine that's k a t h r y n".
    heard = "".join(item.letters for item in items)
    if mention is not None and mention.has_first and len(items) > 2 and turn.speaker == "agent":
        said = turn.words[mention.first].key
        if heard[0] in (said[0], {"c": "k", "k": "c"}.get(said[0])) and abs(len(heard) - len(said)) <= 2:
            return [NameSpan(turn.index, items[0].start, items[-1].end, "first", form)]
    return []


def _span(turn: ParsedTurn, items: Sequence[_Letter], key: str, part: str, form: Form) -> NameSpan | None:
    """The items that spell this word without gap, if any."""
    letters = re.sub(r"[^\w]", "", key)
    if len(letters) < 2:
        return None
    for first in range(len(items)):
        spelled = ""
        for item in items[first : first + len(letters)]:
            spelled += item.letters
            if spelled == letters:
                return NameSpan(
                    turn.index, items[first].start, item.end, "first" if part == "first" else "last", form
                )
            if not letters.startswith(spelled):
                break
    return None


def _hints(turn: ParsedTurn, mentions: Sequence[Mention], name: AgentName) -> list[NameSpan]:
    """Hints at a letter that follow the name: "Catherine with a C"."""
    found: list[NameSpan] = []
    for mention in mentions:
        hint = _HINT.match(turn.text, turn.words[mention.stop - 1].end)
        if hint is not None and fold(hint[1][-1]) in name.first + turn.words[mention.first].key:
            part = "last" if mention.has_last else "first"
            found.append(
                NameSpan(turn.index, hint.start(1), hint.end(1), "last" if part == "last" else "first", "hint")
            )
    return found
