"""The keys of the configuration, read off its models: what can be set, and what is allowed where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import UnionType
from typing import Any, Union, get_args, get_origin

from pydantic import BaseModel

KeyPath = tuple[str, ...]


@dataclass(frozen=True)
class Key:
    """One key that can be set: its steps from the top, and the types its value may have."""

    steps: KeyPath
    kinds: tuple[Any, ...]

    @property
    def spelled(self) -> str:
        """The steps as a variable spells them, in small letters."""
        return "_".join(self.steps)


def keys_of(model: type[BaseModel], *before: str) -> Iterator[Key]:
    """Every key of a model and of the models inside it; what stands behind free names is left out."""
    for name, field in model.model_fields.items():
        kinds = _alternatives(field.annotation)
        inner = _model_among(kinds)
        if inner is not None:
            yield from keys_of(inner, *before, name)
        elif _named_among(kinds) is None:
            yield Key((*before, name), tuple(get_origin(kind) or kind for kind in kinds))


def named_tables(model: type[BaseModel]) -> dict[str, type[BaseModel]]:
    """The tables of tables, as `[judges.NAME]`: their name, and the model behind each free name."""
    named = ((name, _named_among(_alternatives(field.annotation))) for name, field in model.model_fields.items())
    return {name: inner for name, inner in named if inner is not None}


def model_at(model: type[BaseModel], steps: Sequence[int | str]) -> type[BaseModel] | None:
    """The model that these steps lead to; None where they lead elsewhere."""
    at: type[BaseModel] | None = model
    named: type[BaseModel] | None = None
    for step in steps:
        if named is not None:
            at, named = named, None
            continue
        if at is None or str(step) not in at.model_fields:
            return None
        kinds = _alternatives(at.model_fields[str(step)].annotation)
        at, named = _model_among(kinds), _named_among(kinds)
    return at


def _alternatives(annotation: Any) -> tuple[Any, ...]:
    """The types of a union, or the one type itself; what is annotated counts as its type."""
    if hasattr(annotation, "__metadata__"):
        return _alternatives(annotation.__origin__)
    if get_origin(annotation) in (Union, UnionType):
        return tuple(inner for argument in get_args(annotation) for inner in _alternatives(argument))
    return (annotation,)


def _model_among(kinds: Sequence[Any]) -> type[BaseModel] | None:
    return next((kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)), None)


def _named_among(kinds: Sequence[Any]) -> type[BaseModel] | None:
    tables = (_model_among(get_args(kind)[1:]) for kind in kinds if get_origin(kind) is dict)
    return next((inner for inner in tables if inner is not None), None)
