"""Which mentions of the agent's name mean the agent: decided by who speaks and by the words around."""

from __future__ import annotations

import re

from perturbations.finding.agent_name import AgentName
from perturbations.finding.lexicon import first_names
from perturbations.finding.mention import Mention, find_mentions, other_surname_follows
from perturbations.finding.name_reading import vocabulary
from perturbations.finding.parsed_turn import ParsedTurn
from perturbations.text.word import fold

_SPELLING = re.compile(r"[\s,.]{0,3}(?:that's |it's |spelled )?([^\W\d_])[-. ,]{1,2}[^\W\d_](?!\w)", re.IGNORECASE)
_END = re.compile(r"\s*(?:[?.,!]|$)")
_MARK = re.compile(r"[.,!?;:\n…()\"“”—\u2013]|\s-\s")


def agent_mentions(turn: ParsedTurn, name: AgentName, *, after_question_for_name: bool) -> list[Mention]:
    """The mentions in this turn that mean the agent, in order.

    `after_question_for_name`: the agent has just asked who the customer is.
    """
    if turn.speaker == "agent":
        return [each for each in find_mentions(turn, name) if _agent_means_self(turn, each, name)]
    answers = after_question_for_name and not turn.introduced
    return [
        each
        for each in find_mentions(turn, name)
        if _customer_means_agent(turn, each, name) and not (answers and name.first_is_shared)
    ]


def _agent_means_self(turn: ParsedTurn, mention: Mention, name: AgentName) -> bool:
    introduced = turn.introduced.get(mention.first, [])
    sure = [each for each in introduced if each.strength != "faint"]
    if sure:
        return True
    if _is_third_party(turn, mention) or other_surname_follows(turn, mention, name):
        return False
    if mention.has_first and mention.has_last:
        return not (name.first_is_shared and name.last_is_shared)
    if not mention.has_first or name.first_is_shared or mention.is_doubtful(turn):
        return False
    return (
        bool(introduced)
        or _is_spelled(turn, mention)
        or _asks_for_self(turn, mention)
        or acts_in_third_person(turn, mention)
    )


def _customer_means_agent(turn: ParsedTurn, mention: Mention, name: AgentName) -> bool:
    if _follows(turn, mention, "pointing_before") or _leads(turn, mention, "pointing_after"):
        return not other_surname_follows(turn, mention, name)
    if mention.first in turn.own_name_words:
        return False
    if _is_third_party(turn, mention) or other_surname_follows(turn, mention, name):
        return False
    if mention.begin > 0 and _is_another_name_before(turn, mention):
        return False
    if turn.words[mention.stop - 1].is_possessive:
        return False
    return _is_addressed(turn, mention) or (not name.first_is_shared and is_judged(turn, mention))


def _is_third_party(turn: ParsedTurn, mention: Mention) -> bool:
    if mention.begin == 0:
        return False
    before = turn.words[mention.begin - 1]
    if before.whole not in vocabulary("third_party_before") and before.key not in vocabulary("third_party_before"):
        return False
    between = turn.text[before.end : turn.words[mention.begin].start]
    # "My husband, David, ..." is set off by commas; a mark that ends a sentence parts them.
    return re.search(r"[.!?;:\n]", between) is None


def _is_another_name_before(turn: ParsedTurn, mention: Mention) -> bool:
    """Whether the name is the surname or second name of someone else: "James David"."""
    before = turn.words[mention.begin - 1]
    between = turn.text[before.end : turn.words[mention.begin].start]
    if between.strip() or before.key not in first_names() or before.key in vocabulary("openers"):
        return False
    return before.is_capitalised or not turn.cased


def _is_addressed(turn: ParsedTurn, mention: Mention) -> bool:
    before, after = _around(turn, mention)
    opened = _word_before(turn, mention)
    following = _word_after(turn, mention)
    if mention.is_doubtful(turn):
        begins = turn.cased and turn.words[mention.first].is_capitalised and after == ","
        if begins and (before in (".", "!", "?") or opened is None):
            return not _is_listed(turn, mention, after)
        ends = after != "" or following is None or following in vocabulary("strict_followers")
        greeted = opened in vocabulary("strict_openers") and before in ("", ",")
        return ends and (greeted or (before == "," and after in (".", "!", "?", ",") and turn.cased))
    if opened in vocabulary("openers") and before in ("", ","):
        return after != "" or following not in vocabulary("not_addressed_after") or following in ("i", "i'm")
    if before != "" or opened is None:
        # Between marks: "Tanya, can you", "helpful, Tanya.", and at a turn's start without any marks.
        if _is_listed(turn, mention, after):
            return False
        if turn.cased and turn.words[mention.first].is_capitalised:
            return after != "" or following is None or following in vocabulary("called_followers")
        return following not in vocabulary("not_addressed_after")
    if turn.cased:
        return False
    return opened not in vocabulary("not_addressed_before") and following not in vocabulary("not_addressed_after")


def _is_listed(turn: ParsedTurn, mention: Mention, after: str) -> bool:
    """Whether the name is one of several: "Michael, Susan and David"."""
    following = turn.words[mention.stop] if mention.stop < len(turn.words) else None
    return (
        after == ","
        and following is not None
        and (following.key in ("and", "or") or (following.is_capitalised and following.key in first_names()))
    )


def is_judged(turn: ParsedTurn, mention: Mention) -> bool:
    """Whether the name is praised or blamed: "Tanya has been so helpful"."""
    rest = [word.whole for word in turn.words[mention.stop : mention.stop + 6]]
    possessive = turn.words[mention.stop - 1].is_possessive
    if not possessive and (not rest or rest.pop(0) not in vocabulary("judged_by")):
        return False
    while rest and rest[0] in vocabulary("degrees"):
        rest.pop(0)
    return bool(rest) and rest[0] in vocabulary("judgements")


def _asks_for_self(turn: ParsedTurn, mention: Mention) -> bool:
    """Whether the agent says whom to ask for: "just ask for Michael"."""
    return _follows(turn, mention, "asking_for_before")


def _is_spelled(turn: ParsedTurn, mention: Mention) -> bool:
    """Whether the agent spells the name right after it: "yes, Ali, A-L-I"."""
    spelling = _SPELLING.match(turn.text, turn.words[mention.stop - 1].end)
    return spelling is not None and fold(spelling[1]) == turn.words[mention.first].key[0]


def acts_in_third_person(turn: ParsedTurn, mention: Mention) -> bool:
    """Whether the agent writes of themself by name: "Michael resolved your issue". Never without capitals."""
    before, after = _around(turn, mention)
    if not turn.cased or after or not (before in (".", "!", "?", "\n") or mention.begin == 0):
        return False
    following = _word_after(turn, mention)
    return following is not None and (
        following in vocabulary("acts") or re.fullmatch(r"[a-z]{3,}ed", following) is not None
    )


def _follows(turn: ParsedTurn, mention: Mention, vocabulary_name: str) -> bool:
    """Whether one of the phrases stands right before the name."""
    before = [word.whole for word in turn.words[max(0, mention.begin - 4) : mention.begin]]
    return any(_ends_with(before, phrase.split()) for phrase in vocabulary(vocabulary_name))


def _leads(turn: ParsedTurn, mention: Mention, vocabulary_name: str) -> bool:
    """Whether one of the phrases stands right after the name, and ends there."""
    after = [word.whole for word in turn.words[mention.stop : mention.stop + 3]]
    for phrase in vocabulary(vocabulary_name):
        parts = phrase.split()
        if after[: len(parts)] == parts:
            end = turn.words[mention.stop + len(parts) - 1].end
            if _END.match(turn.text, end):
                return True
    return False


def _ends_with(words: list[str], phrase: list[str]) -> bool:
    return len(words) >= len(phrase) and words[-len(phrase) :] == phrase


def _around(turn: ParsedTurn, mention: Mention) -> tuple[str, str]:
    """The last mark before and the first mark after the name, empty where none stands there; a line break is one."""
    words, text = turn.words, turn.text
    start = words[mention.begin - 1].end if mention.begin else 0
    stop = words[mention.stop].start if mention.stop < len(words) else len(text)
    before = _MARK.findall(text[start : words[mention.begin].start])
    after = _MARK.findall(text[words[mention.stop - 1].end : stop])
    return (before[-1].strip() or "\n") if before else "", (after[0].strip() or "\n") if after else ""


def _word_before(turn: ParsedTurn, mention: Mention) -> str | None:
    return turn.words[mention.begin - 1].whole if mention.begin else None


def _word_after(turn: ParsedTurn, mention: Mention) -> str | None:
    return turn.words[mention.stop].whole if mention.stop < len(turn.words) else None
