"""Gendered words with which a customer addresses the agent: "no sir, that's everything", "thank you miss"."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import pairwise

from perturbations.finding.gender_terms import terms
from perturbations.finding.gendered_word import GenderedWord
from perturbations.finding.lexicon import first_names, not_names, ordinary_words, vocabulary
from perturbations.text.utterance import Utterance
from perturbations.text.word import Word, words_of

# "Sir or madam" addresses nobody who is known.
_PAIR = re.compile(r"\s*(?:/|or\b|and\b)\s*(?:sir|madam|ma['\u2019]?am|miss|mrs)\b", re.IGNORECASE)
_PAIR_BEFORE = re.compile(r"\b(?:sirs?|madam|ma['\u2019]?am)\s*(?:/|or)\s*$", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?\n]")
_SENTENCE_START = re.compile(r"(?:^|[.!?\n])\W*$")
_OPENING_QUOTES = ("'", '"', "“", "\u2018", "`")
_CLOSING_QUOTES = ("'", '"', "”", "\u2019", "`")


@dataclass(frozen=True)
class Vocative:
    """A word that addresses the agent, unless `name_behind`, the key of the word right behind it, is anyone's name.

    `name_behind` is empty where a mark parts the two.
    """

    word: GenderedWord
    name_behind: str


def find_vocatives(said: Utterance, own_titles: Collection[Word], agents_text: str | None) -> Iterator[Vocative]:
    """Every word of a customer's text that addresses the agent by gender, whatever names the two bear.

    `own_titles` are those that customers give themselves. `agents_text` is what the agent said right before, if
    anything: a customer who only echoes its "ma'am" addresses nobody.
    """
    for index, word in enumerate(said.words):
        if word.key not in terms("address") or word.is_possessive or word in own_titles:
            continue
        is_title = _may_be_title(word)
        if is_title and _is_name_behind(said, index):
            continue
        if word.key in vocabulary("sure_terms"):
            addresses = _is_surely_addressed(said, index) and not _is_echo(said, index, agents_text)
        else:
            addresses = _is_after_opener(said, index)
        if addresses:
            following = said.word_at(index + 1)
            yield Vocative(_gendered(said, index), following.key if is_title and following is not None else "")


def _gendered(said: Utterance, index: int) -> GenderedWord:
    """The word with its kind: "lady" alone becomes "mister", "young lady" a "young gentleman"."""
    word = said.words[index]
    is_noun = index > 0 and said.words[index - 1].key == "young" and word.key in terms("noun")
    return GenderedWord.of(word, "noun" if is_noun else "address")


def _may_be_title(word: Word) -> bool:
    """Whether a word may belong to the one behind it as a title does: "miss Jane", "Mr. Brown"."""
    return word.gap.strip(". ") == "" and "\n" not in word.gap


def _is_name_behind(said: Utterance, index: int) -> bool:
    """Whether what follows looks like a name by itself, so that the word is someone's title."""
    following = said.word_at(index + 1)
    if following is None:
        return False
    if following.whole in not_names() or following.key in vocabulary("openers") or following.key == "i":
        return False
    if said.cased:
        return following.is_capitalised and not _mark_after(said, index)
    # Without capitals a name is only believed where no opener leads: "okay miss jane", but "thank you miss may i".
    lead = said.words[index - 1].whole if index else ""
    is_known = following.key in first_names() and following.key not in ordinary_words()
    return is_known and lead not in vocabulary("openers")


def _is_surely_addressed(said: Utterance, index: int) -> bool:
    """Whether a word that addresses someone wherever nothing else is plain does so here."""
    word = said.words[index]
    if _is_noun(said, index) or _is_named(said, index) or _is_reported(said, index):
        return False
    before = said.text[max(0, word.start - 12) : word.start]
    return not (_PAIR.match(said.text, word.end) or _PAIR_BEFORE.search(before))


def _is_noun(said: Utterance, index: int) -> bool:
    """Whether a sir or a madam is spoken of: "the sir", "that nice lady", "this sir told me"."""
    before = index - 1
    if before < 0 or _mark_after(said, before):
        return False
    if said.words[before].key in vocabulary("term_qualities"):
        before -= 1
        if before < 0 or _mark_after(said, before):
            return False
        if said.words[before].key in ("that", "this"):
            return True
    key = said.words[before].whole
    following = said.word_at(index + 1)
    is_spoken_of = following is not None and following.whole in vocabulary("spoken_of_after")
    return key in vocabulary("term_determiners") or (key in ("that", "this") and is_spoken_of)


def _is_named(said: Utterance, index: int) -> bool:
    """Whether the word itself is spoken of: "don't call me ma'am", "the word 'sir'"."""
    word = said.words[index]
    opening, closing = said.text[max(0, word.start - 1) : word.start], said.text[word.end : word.end + 2]
    if opening in _OPENING_QUOTES and closing.strip(".,?!")[:1] in _CLOSING_QUOTES:
        return True
    before = [each.whole for each in said.words[max(0, index - 3) : index]]
    if before and before[-1] in vocabulary("named_before"):
        return True
    if (
        len(before) > 1
        and before[-2] in vocabulary("named_before")
        and before[-1] in ("me", "us", "him", "her", "a", "the")
    ):
        return True
    after = " ".join(each.whole for each in said.words[index + 1 : index + 3])
    is_followed = any(after.startswith(phrase) for phrase in vocabulary("named_after"))
    # "Ma'am. That's what I wanted": a sentence of its own speaks of something else.
    return is_followed and _mark_after(said, index) != "."


def _is_reported(said: Utterance, index: int) -> bool:
    """Whether someone else's words are told: "she said yes sir"."""
    words = said.words[max(0, index - 6) : index]
    begin = words[0].start if words else 0
    ends = (match.end() for match in _SENTENCE_END.finditer(said.text, begin, said.words[index].start))
    start = max(ends, default=0)
    sentence = [word.whole for word in words if word.start >= start]
    return any(
        left in vocabulary("reporters") and right in vocabulary("reports") for left, right in pairwise(sentence)
    )


def _is_echo(said: Utterance, index: int, agents_text: str | None) -> bool:
    """Whether the word only asks back: "Ma'am?" after the agent's "Are you ok ma'am?"."""
    word = said.words[index]
    is_alone = _SENTENCE_START.search(said.text[max(0, word.start - 4) : word.start]) is not None
    if agents_text is None or not is_alone:
        return False
    is_asked = said.text[word.end : word.end + 3].lstrip().startswith("?")
    return is_asked and any(each.key == word.key for each in words_of(agents_text))


def _is_after_opener(said: Utterance, index: int) -> bool:
    """Whether a word that isn't always a term of address is one here: "thanks man", "hey lady, ..."."""
    if index == 0:
        return False
    word, following = said.words[index], said.word_at(index + 1)
    opener = index - 1
    if opener > 0 and said.words[opener].key in vocabulary("term_qualities"):
        opener -= 1
    before, mark, after = said.words[opener].whole, _mark_after(said, opener), _mark_after(said, index)
    if before in vocabulary("term_openers") and mark in ("", ","):
        lead = said.words[opener - 1].key if opener > 0 else ""
        if before in vocabulary("led_openers") and lead not in vocabulary("leads"):
            return mark == "," and (after != "" or following is None)
        if after != "" or following is None:
            return True
        return following.whole in not_names() and word.key not in ("brother", "sister")
    return mark == "," and (after in (".", "!", "?") or following is None)


def _mark_after(said: Utterance, index: int) -> str:
    """The first mark between this word and the next (or the end), empty where none stands there."""
    return said.words[index].gap.strip()[:1]
