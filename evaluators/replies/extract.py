"""The one JSON object in a model's text: alone, in a fence, in prose, or after reasoning."""

from __future__ import annotations

import json
import re

_THINK_OPEN, _THINK_CLOSE = "<think>", "</think>"

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


class _BadNumber:
    """Stands where the text has NaN or Infinity, so that only what holds it is bad."""


class _DuplicateKey(ValueError):
    pass


def find_object(text: str, *, complete_only: bool = False) -> dict[str, object]:
    """The one JSON object in the text, its keys unique; NaN and Infinity become values that are no numbers.

    With `complete_only` the text must be that object and nothing else. Raises NoObject with reason `empty`,
    `no_object`, `two_objects`, `cut_off` (an object or a `<think>` that isn't closed), `not_json`, `duplicate_key`,
    or `not_an_object`.
    """
    stripped = text.strip().removeprefix("\ufeff").strip()
    if not stripped:
        raise NoObject("empty")
    try:
        whole = _load(stripped)
    except NoObject as fault:
        if complete_only or fault.reason == "duplicate_key":
            raise
    else:
        if isinstance(whole, dict):
            return whole
        raise NoObject("not_an_object")
    found = _load(_only_span(stripped))
    if not isinstance(found, dict):
        raise NoObject("not_an_object")
    return found


def is_refusal(text: str) -> bool:
    """Whether a text without an object declines the task: it opens with `I can't`, or with an apology for it."""
    opening = text.strip().replace("\u2019", "'")[:300]
    if _APOLOGY.match(opening):
        return _UNABLE.search(opening) is not None
    return _UNABLE.match(opening) is not None


def _only_span(text: str) -> str:
    """The one balanced `{...}` outside reasoning; braces within JSON strings don't count."""
    span: tuple[int, int] | None = None
    start = 0
    position = 0
    while position < len(text):
        if text.startswith(_THINK_OPEN, position):
            close = text.find(_THINK_CLOSE, position)
            if close < 0:
                raise NoObject("cut_off")
            position = close + len(_THINK_CLOSE)
        elif text.startswith(_THINK_CLOSE, position):
            # The opening tag was part of the prompt: all before it was reasoning.
            position += len(_THINK_CLOSE)
            span, start = None, position
        elif text[position] == "{":
            end = _closing(text, position)
            if span is not None:
                raise NoObject("two_objects")
            span, position = (position, end), end
        elif text[position] == "}":
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
    depth = 0
    in_string = False
    position = start
    while position < len(text):
        character = text[position]
        if in_string:
            if character == "\\":
                position += 1
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
    return int(digits) if len(digits) < 20 else _BadNumber()


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise _DuplicateKey
    return result
