"""The one JSON object in a model's text: alone, in a fence, in prose, or after reasoning."""

from __future__ import annotations

import json
import re
from typing import Literal

from evaluators.provider import StopReason

_THINK_OPEN, _THINK_CLOSE = "<think>", "</think>"

# A refusal is told by how it opens. An apology alone is none ("Sorry, here is the JSON without a note"): after one
# the opening must also say that the model can't or won't. "I can't" needs no apology, but has to come first: "the
# agent said I can't" is an answer that quotes.
_APOLOGY = re.compile(
    r"\s*(?:i'?m sorry|i am sorry|sorry|i apologi[sz]e|my apologies|unfortunately|as an ai)\b", re.I
)
_UNABLE = re.compile(
    r"\bi(?:'m| am)? (?:can'?t|cannot|can not|won'?t|will not|unable to|not able to|not comfortable|must decline|"
    r"have to decline|decline to)\b",
    re.I,
)


class NoObject(Exception):
    """There is no one object to read; `reason` is one word for why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Unreadable(Exception):
    """A reply that holds nothing to read: its outcome, and one word for why."""

    def __init__(self, outcome: Literal["refused", "truncated", "unparsed"], reason: str) -> None:
        super().__init__(reason)
        self.outcome = outcome
        self.reason = reason


class _BadNumber:
    """Stands where the text has NaN, Infinity or a huge integer, so that only what holds it is bad."""


class _DuplicateKey(ValueError):
    pass


def reply_object(text: str, *, stop: StopReason, refused: bool) -> dict[str, object]:
    """The object that a reply holds; at its limit (`stop` is `length`) only a reply that is complete as it stands.

    Raises Unreadable: `refused` where the provider (`refused`, `stop`) or the text says so, `truncated` where the
    reply was cut off, else `unparsed` with the reason of NoObject.
    """
    if refused or stop == "refused":
        raise Unreadable("refused", "refusal")
    try:
        return find_object(text, complete_only=stop == "length")
    except NoObject as fault:
        if stop == "length":
            raise Unreadable("truncated", "output") from None
        if fault.reason in ("empty", "no_object") and is_refusal(text):
            raise Unreadable("refused", "refusal") from None
        raise Unreadable("unparsed", fault.reason) from None


def find_object(text: str, *, complete_only: bool = False) -> dict[str, object]:
    """The one JSON object in the text, its keys unique; NaN and Infinity become values that are no numbers.

    With `complete_only` the text must be that object and nothing else. Raises NoObject with reason `empty`,
    `no_object`, `two_objects`, `cut_off` (an object or a `<think>` that isn't closed), `not_json`, `duplicate_key`,
    or `not_an_object`.
    """
    stripped = text.strip().removeprefix("\ufeff").strip()
    if not stripped:
        raise NoObject("empty")
    # The whole text first: where it is JSON, nothing within it is searched. A list of two objects, say, is then no
    # object, and a string that holds one isn't either.
    try:
        whole = _load(stripped)
    except NoObject as fault:
        if complete_only or fault.reason == "duplicate_key":
            raise
        whole = _load(_only_span(stripped))
    if not isinstance(whole, dict):
        raise NoObject("not_an_object")
    return whole


def is_refusal(text: str) -> bool:
    """Whether a text without an object declines the task: it opens with `I can't`, or with an apology for it."""
    # Only the opening: further on, "I can't" may be a quotation from the conversation.
    opening = text.strip().replace("\u2019", "'")[:300]
    if _APOLOGY.match(opening):
        return _UNABLE.search(opening) is not None
    return _UNABLE.match(opening) is not None


def _only_span(text: str) -> str:
    """The one balanced `{...}` outside reasoning; braces within JSON strings don't count.

    By hand, since no regular expression counts braces, and since each character is looked at a fixed number of times:
    a reply of nothing but braces takes no longer than any other of its length.
    """
    span: tuple[int, int] | None = None
    start = 0  # where the text that counts begins: after the last reasoning whose opening isn't to be seen
    position = 0
    while position < len(text):
        if text.startswith(_THINK_OPEN, position):
            close = text.find(_THINK_CLOSE, position)
            if close < 0:
                raise NoObject("cut_off")
            position = close + len(_THINK_CLOSE)
        elif text.startswith(_THINK_CLOSE, position):
            # Its opening tag was part of the prompt: all before it was reasoning, an object that was found there too.
            position += len(_THINK_CLOSE)
            span, start = None, position
        elif text[position] == "{":
            end = _closing(text, position)
            if span is not None:
                # Which of two is meant would be a guess, even where they are equal.
                raise NoObject("two_objects")
            span, position = (position, end), end
        elif text[position] == "}":
            # It closes nothing: the reply began before what came here.
            raise NoObject("not_json")
        else:
            position += 1
    if span is None:
        raise NoObject("no_object")
    if text[start : span[0]].rstrip().endswith(("[", ",")):
        # A piece of a list is not the reply.
        raise NoObject("not_an_object")
    return text[slice(*span)]


def _closing(text: str, start: int) -> int:
    """Where the object that opens at `start` ends; raises NoObject `cut_off` where it doesn't."""
    depth = 0
    in_string = False
    position = start
    while position < len(text):
        character = text[position]
        if in_string:
            if character == "\\":
                position += 1  # past what it escapes: an escaped quotation mark doesn't end the string
            elif character == '"':
                in_string = False
        elif character == '"':
            in_string = True
        elif character == "{":
            depth += 1
        elif character == "}":
            depth -= 1
            if depth == 0:
                return position + 1
        position += 1
    raise NoObject("cut_off")


def _load(text: str) -> object:
    try:
        # Raw line breaks inside strings are a common slip that leaves nothing in doubt: hence not strict.
        return json.loads(
            text, strict=False, object_pairs_hook=_unique, parse_constant=lambda _: _BadNumber(), parse_int=_integer
        )
    except _DuplicateKey:
        raise NoObject("duplicate_key") from None
    except (ValueError, RecursionError):
        raise NoObject("not_json") from None


def _integer(digits: str) -> int | _BadNumber:
    # Python refuses to convert thousands of digits, and no score has twenty.
    return int(digits) if len(digits) < 20 else _BadNumber()


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    # JSON allows a key twice, and readers differ in which value they take: neither is taken.
    result = dict(pairs)
    if len(result) != len(pairs):
        raise _DuplicateKey
    return result
