"""Whom a text means: which mentions of the agent's name mean the agent, and which words tell the agent's gender.

Decided by who speaks, by the words and marks around, and by whether the customer is called the same.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from perturbations.finding.agent_name import AgentName
from perturbations.finding.gender_terms import terms
from perturbations.finding.gendered_word import GenderedWord
from perturbations.finding.lexicon import first_names, not_names, ordinary_words, surnames, vocabulary
from perturbations.finding.mention import Mention
from perturbations.finding.parsed_turn import ParsedTurn
from perturbations.text.word import Word

_REACH = 60
"""How many words behind the agent's name a pronoun may still mean the agent."""
_SENTENCE_MARK = re.compile(r"[.!?;:\n]")


def means_agent(mention: Mention, name: AgentName) -> bool:
    """Whether the agent is meant, not someone else of that name or the word of that spelling."""
    if mention.turn.speaker == "agent":
        return _agent_means_self(mention, name)
    return _customer_means_agent(mention, name)


def agents_terms(
    turns: Sequence[ParsedTurn], mentions: Sequence[Mention], name: AgentName
) -> Iterator[tuple[ParsedTurn, GenderedWord]]:
    """Every word that tells the agent's gender, with its turn; `mentions` are those that mean the agent.

    A word with two reasons to be here comes first as what it surely is: in "she/her" it is what the agent declares,
    whatever pronoun it would be behind a name.
    """
    for mention in mentions:
        yield from ((mention.turn, word) for word in _titles(mention.titles))
    for turn in turns:
        yield from ((turn, word) for word in turn.declarations)
        # "Miss Jane" calls someone by name: the agent's own title stands with the mention, others stay.
        yield from ((turn, each.word) for each in turn.vocatives if each.name_behind not in name.keys)
        if turn.speaker == "agent":
            yield from ((turn, word) for word in _own_titles(turn, name))
    for mention in mentions:
        if _is_spoken_of(mention):
            yield from ((mention.turn, word) for word in _pronouns_behind(mention))


def _agent_means_self(mention: Mention, name: AgentName) -> bool:
    if mention.introduced_by in ("strong", "weak"):
        return True
    if _is_third_party(mention) or _is_other_surname_behind(mention, name):
        return False
    if mention.first_name and mention.surname:
        return not (name.first_is_shared and name.last_is_shared)
    if not mention.first_name or name.first_is_shared or _is_doubtful(mention):
        return False
    return (
        mention.introduced_by is not None
        or mention.spelled_from == mention.words[0].key[0]
        or _follows(mention, "asking_for_before")
        or _acts_in_third_person(mention)
    )


def _customer_means_agent(mention: Mention, name: AgentName) -> bool:
    if mention.turn.answers_for_name and not mention.turn.own_names and name.first_is_shared:
        # "May I have your name?" - "Mary.": the customer's own.
        return False
    if _follows(mention, "pointing_before") or _leads(mention, "pointing_after"):
        return not _is_other_surname_behind(mention, name)
    if mention.is_speakers or mention.is_possessive:
        return False
    if _is_third_party(mention) or _is_other_surname_behind(mention, name) or _is_other_name_before(mention):
        return False
    return _is_addressed(mention) or (not name.first_is_shared and _is_judged(mention))


def _is_third_party(mention: Mention) -> bool:
    """Whether the word before makes someone else of it: "my husband David", "another Mary"."""
    if not mention.before:
        return False
    before = mention.before[-1]
    if before.whole not in vocabulary("third_party_before") and before.key not in vocabulary("third_party_before"):
        return False
    # "My husband, David, ..." is set off by commas; a mark that ends a sentence parts them.
    return _SENTENCE_MARK.search(mention.gap_before) is None


def _is_other_surname_behind(mention: Mention, name: AgentName) -> bool:
    """Whether a surname that isn't the agent's follows the first name: "Mary Jones"."""
    if mention.surname or not mention.after or not mention.runs_on:
        return False
    following = mention.after[0]
    if following.key in name.customer_lasts:
        return True
    if following.whole in not_names() or mention.is_possessive:
        return False
    if mention.is_capitalised:
        return following.is_capitalised and following.text != "I"
    return following.key in surnames() and following.key not in ordinary_words()


def _is_other_name_before(mention: Mention) -> bool:
    """Whether the name is the surname or second name of someone else: "James David"."""
    if not mention.before or mention.gap_before.strip():
        return False
    before = mention.before[-1]
    if before.key not in first_names() or before.key in vocabulary("openers"):
        return False
    return before.is_capitalised or not mention.turn.said.cased


def _is_doubtful(mention: Mention) -> bool:
    """Whether it may be an ordinary word: one alone, and nothing in its letters tells."""
    key = mention.words[0].key
    if len(mention.words) > 1 or not (key in ordinary_words() or key in not_names()):
        return False
    return not mention.is_capitalised or mention.starts_sentence


def _is_addressed(mention: Mention) -> bool:
    """Whether the customer speaks to the one of that name: "hi mary", "Tanya, can you", "no John you were"."""
    cased, before, after = mention.turn.said.cased, mention.mark_before, mention.mark_after
    opener, following = _word_before(mention), _word_behind(mention)
    if _is_doubtful(mention):
        # The word of that spelling stands anywhere: only marks around it or a greeting in front tell the name.
        if mention.is_capitalised and after == "," and (before in (".", "!", "?") or opener is None):
            return not _is_listed(mention)
        ends = after != "" or following is None or following in vocabulary("strict_followers")
        is_greeted = opener in vocabulary("strict_openers") and before in ("", ",")
        return ends and (is_greeted or (before == "," and after in (".", "!", "?", ",") and cased))
    if opener in vocabulary("openers") and before in ("", ","):
        return after != "" or following not in vocabulary("not_addressed_after") or following in ("i", "i'm")
    if before != "" or opener is None:
        # Between marks: "Tanya, can you", "helpful, Tanya.", and at a turn's start without any marks.
        if after == "," and _is_listed(mention):
            return False
        if mention.is_capitalised:
            return after != "" or following is None or following in vocabulary("called_followers")
        return following not in vocabulary("not_addressed_after")
    if cased:
        return False
    return opener not in vocabulary("not_addressed_before") and following not in vocabulary("not_addressed_after")


def _is_listed(mention: Mention) -> bool:
    """Whether what follows the comma behind makes the name one of several: "Michael, Susan and David"."""
    if not mention.after:
        return False
    following = mention.after[0]
    return following.key in ("and", "or") or (following.is_capitalised and following.key in first_names())


def _is_spoken_of(mention: Mention) -> bool:
    """Whether the agent, who is meant, is spoken of in the third person, so that pronouns may follow."""
    return _is_judged(mention) if mention.turn.speaker == "customer" else _acts_in_third_person(mention)


def _is_judged(mention: Mention) -> bool:
    """Whether the name is praised or blamed: "Tanya has been so helpful"."""
    rest = [word.whole for word in mention.after]
    # "Tanya's so helpful" has its verb already.
    if not mention.is_possessive and (not rest or rest.pop(0) not in vocabulary("judged_by")):
        return False
    while rest and rest[0] in vocabulary("degrees"):
        rest.pop(0)
    return bool(rest) and rest[0] in vocabulary("judgements")


def _acts_in_third_person(mention: Mention) -> bool:
    """Whether the agent writes of themself by name: "Michael resolved your issue". Never without capitals."""
    begins = mention.mark_before in (".", "!", "?", "\n") or not mention.before
    following = _word_behind(mention)
    if not mention.turn.said.cased or not begins or mention.mark_after or following is None:
        return False
    return following in vocabulary("acts") or re.fullmatch(r"[a-z]{3,}ed", following) is not None


def _follows(mention: Mention, phrases: str) -> bool:
    """Whether one of the phrases of this list stands right before the name."""
    words = [word.whole for word in mention.before]
    return any(words[-len(phrase) :] == phrase for phrase in _split(vocabulary(phrases)))


def _leads(mention: Mention, phrases: str) -> bool:
    """Whether one of the phrases of this list stands right behind the name, and the sentence ends there."""
    words = [word.whole for word in mention.after]
    for phrase in _split(vocabulary(phrases)):
        if words[: len(phrase)] == phrase:
            gap = mention.after[len(phrase) - 1].gap.lstrip()
            if gap.startswith((".", ",", "?", "!")) or (not gap and len(words) == len(phrase)):
                return True
    return False


def _split(phrases: Iterable[str]) -> Iterator[list[str]]:
    return (phrase.split() for phrase in phrases)


def _word_before(mention: Mention) -> str | None:
    return mention.before[-1].whole if mention.before else None


def _word_behind(mention: Mention) -> str | None:
    return mention.after[0].whole if mention.after else None


def _titles(words: Iterable[Word]) -> Iterator[GenderedWord]:
    """Those of these titles that tell a gender; "doctor" tells none."""
    return (GenderedWord.of(word, "title") for word in words if word.key in terms("title"))


def _own_titles(turn: ParsedTurn, name: AgentName) -> Iterator[GenderedWord]:
    """Titles that agents give themselves, also where their name is missing or garbled: "this is miss".

    Not the customer's, whose name may seem to be introduced: "this is for miss jones".
    """
    customers = (name.customer_firsts | name.customer_lasts) - name.firsts
    for each in turn.introductions:
        if each.strength != "faint" and customers.isdisjoint(each.keys[:1]):
            yield from _titles(each.titles)


def _pronouns_behind(mention: Mention) -> Iterator[GenderedWord]:
    """The pronouns behind the agent's name until someone else comes up."""
    others, pronouns = mention.turn.pronouns.others, mention.turn.pronouns.words
    next_other = bisect_left(others, mention.stop)
    end = min([*others[next_other : next_other + 1], mention.stop + _REACH])
    first, stop = (bisect_left(pronouns, index, key=lambda each: each[0]) for index in (mention.stop, end))
    return (word for _, word in pronouns[first:stop])
