"""The agent's name in e-mail addresses: "priya.sharma@example.com", "priya dot sharma at example dot com"."""

from __future__ import annotations

import re

from perturbations.finding.agent_name import AgentName
from perturbations.finding.agent_span import NameSpan
from perturbations.finding.parsed_turn import ParsedTurn
from perturbations.text.word import fold

_ADDRESS = re.compile(r"(?<![\w.+-])([\w.+-]{1,64})@[\w-]+(?:\.[\w-]+)+")
_OWN = re.compile(
    r"\b(?:my|me|us|write|reach|contact|email|e-mail|reply)\b[^.!?\n@]{0,60}$|^[^@]*\n[^@]*$|[|•·][^@]*$", re.I
)
_SPOKEN = re.compile(r"(?<!\w)([^\W\d_]+) (dot|underscore|dash) ([^\W\d_]+) at (?=\w+ dot \w+)", re.IGNORECASE)


def address_spans(turn: ParsedTurn, name: AgentName, *, known: frozenset[str]) -> list[NameSpan]:
    """The name's parts in the agent's own addresses; `known` are those that the agent has given as their own."""
    found: list[NameSpan] = []
    for address in _ADDRESS.finditer(turn.text):
        local = address[1]
        parts = _parts(local, name)
        if parts and (address[0].lower() in known or _is_own(turn, address.start(), parts, name)):
            found += [
                NameSpan(turn.index, address.start() + start, address.start() + end, part.part, part.form)
                for start, end, part in ((each.start, each.end, each) for each in parts)
            ]
    return found + _spoken(turn, name)


def own_addresses(turn: ParsedTurn, name: AgentName) -> frozenset[str]:
    """The addresses in this turn that are the agent's own, in lower case."""
    if turn.speaker != "agent":
        return frozenset()
    return frozenset(
        address[0].lower()
        for address in _ADDRESS.finditer(turn.text)
        if (parts := _parts(address[1], name)) and _is_own(turn, address.start(), parts, name)
    )


def _is_own(turn: ParsedTurn, position: int, parts: list[NameSpan], name: AgentName) -> bool:
    if turn.speaker != "agent":
        return False
    kinds = {each.part for each in parts}
    if len(kinds) == 2 and not (name.first_is_shared and name.last_is_shared):
        return True
    if name.first_is_shared:
        return False
    return _OWN.search(turn.text[max(0, position - 120) : position]) is not None


def _parts(local: str, name: AgentName) -> list[NameSpan]:
    """The parts of the name in the user part of an address, with places counted from its start."""
    folded = fold(local)
    if len(folded) != len(local):
        return []
    last = "".join(name.last)
    first = "|".join(sorted(map(re.escape, name.firsts), key=len, reverse=True))
    lone = rf"(?P<first>{first})(?![a-z])"
    if not name.first:
        shapes = [rf"(?<![a-z])(?P<last>{re.escape(last)})(?![a-z])"]
    elif not last:
        shapes = [rf"(?<![a-z]){lone}"]
    else:
        end = re.escape(last)
        mark = r"[._+-]?"
        shapes = [
            rf"(?<![a-z])(?P<first>{first}){mark}(?P<last>{end})(?![a-z])",
            rf"(?<![a-z])(?P<last>{end}){mark}(?P<first>{first})(?![a-z])",
            rf"(?<![a-z])(?P<first_initial>{name.first[0]}){mark}(?P<last>{end})(?![a-z])",
            rf"(?<![a-z])(?P<first>{first}){mark}(?P<last_initial>{end[0]})(?![a-z])",
            rf"(?<![a-z])(?P<last>{end}){mark}(?P<first_initial>{name.first[0]})(?![a-z])",
            rf"(?<![a-z]){lone}",
        ]
    for shape in shapes:
        match = re.search(shape, folded)
        if match is not None:
            return sorted((_local_span(match, group) for group in match.groupdict()), key=lambda each: each.start)
    return []


def _local_span(match: re.Match[str], group: str) -> NameSpan:
    part, _, initial = group.partition("_")
    return NameSpan(
        0,
        match.start(group),
        match.end(group),
        "first" if part == "first" else "last",
        "initial" if initial else "name",
    )


def _spoken(turn: ParsedTurn, name: AgentName) -> list[NameSpan]:
    found: list[NameSpan] = []
    for match in _SPOKEN.finditer(turn.text):
        if fold(match[1]) in name.firsts and fold(match[3]) == "".join(name.last):
            found.append(NameSpan(turn.index, match.start(1), match.end(1), "first"))
            found.append(NameSpan(turn.index, match.start(3), match.end(3), "last"))
    return found
