"""Reading of JSON that may have any shape: a gateway between us and the model may send anything."""

from __future__ import annotations

from collections.abc import Mapping


def get(value: object, *path: str | int) -> object:
    """What stands at the path, None where there is nothing."""
    for step in path:
        if isinstance(value, Mapping) and isinstance(step, str):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def get_text(value: object, *path: str | int) -> str | None:
    """The text at the path, None where there is none; at most 300 characters of it: for ids and names."""
    text = get(value, *path)
    return text[:300].encode("utf-8", "replace").decode() if isinstance(text, str) and text else None


def get_count(value: object, *path: str | int) -> int | None:
    """The count at the path; None where there is none, or where it is no count."""
    count = get(value, *path)
    # Beyond 2**53 a number may have come through a float on its way, and is no count any more.
    return count if isinstance(count, int) and not isinstance(count, bool) and 0 <= count < 2**53 else None


def joined_text(content: object) -> str:
    """Message content as one text, from a string or from a list of parts; parts that are no text are left out."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = (get(part, "text") if isinstance(part, Mapping) else part for part in content)
    return "".join(text for text in texts if isinstance(text, str))
