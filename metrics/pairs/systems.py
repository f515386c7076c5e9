"""Which judge made an evaluation: systems, their epochs, and the keys that name them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from evaluators.evaluation import Evaluation, Judge
from metrics.errors import MeasureError


def system_key(system_id: str, epoch: str) -> str:
    """The name under which figures of one system and epoch are found: `SYSTEM_ID:EPOCH`.

    Without an epoch it is the system_id alone; evaluations that carry neither are one system, the empty key. A `:`
    or `%` within the system_id is percent-encoded, so that no two systems share a key.
    """
    escaped = system_id.replace("%", "%25").replace(":", "%3A")
    return f"{escaped}:{epoch}" if epoch else escaped


def by_system(evaluations: Iterable[Evaluation]) -> dict[str, list[Evaluation]]:
    """Evaluations by the key of their system and epoch, sorted by key.

    An evaluation that isn't `ok` may not know what would have answered, so that its epoch is none of those that
    answered: it is counted with the epoch of the same system that judged the same transcript, else with the first.
    """
    arms = list(evaluations)
    answered: dict[str, set[str]] = {}
    judged: dict[tuple[str, str], set[str]] = {}
    for e in arms:
        if e.outcome == "ok":
            answered.setdefault(e.system_id, set()).add(e.epoch)
            judged.setdefault((e.system_id, e.transcript_id), set()).add(e.epoch)
    silent: dict[str, set[str]] = {}
    for e in arms:
        if e.system_id not in answered:
            silent.setdefault(e.system_id, set()).add(e.epoch)
    groups: dict[str, list[Evaluation]] = {}
    for e in arms:
        epochs = answered.get(e.system_id) or silent[e.system_id]
        if e.system_id in answered and e.epoch not in epochs:
            epochs = judged.get((e.system_id, e.transcript_id), epochs)
        epoch = e.epoch if e.epoch in epochs and e.system_id in answered else min(epochs)
        groups.setdefault(system_key(e.system_id, epoch), []).append(e)
    return {key: groups[key] for key in sorted(groups)}


def judges_of(evaluations: Sequence[Evaluation]) -> tuple[Judge, ...]:
    """The distinct judges that answered these evaluations, or that were asked where none did; sorted."""
    chosen = [e for e in evaluations if e.outcome == "ok"] or evaluations
    names = {(e.judge.provider, e.judge.model, e.judge.served_model or "") for e in chosen}
    return tuple(Judge(provider=p, model=m, served_model=s or None) for p, m, s in sorted(names))


def choose_system(systems: Collection[str], chosen: str | None = None, *, where: str) -> str | None:
    """The key of the one system that is meant: the chosen one, or the only one there is; None where there is none.

    `where` says for the message what `systems` are those of, as "in the input". Raises MeasureError where the chosen
    one isn't among them, or none is chosen of several.
    """
    keys = ", ".join(repr(key) for key in systems) or "none"
    if chosen is None:
        if len(systems) > 1:
            raise MeasureError(f"{several_systems(systems, where=where)}: {keys}")
        return next(iter(systems), None)
    if chosen not in systems:
        raise MeasureError(f"no evaluation of system {chosen!r} {where}; systems there: {keys}")
    return chosen


def several_systems(systems: Collection[str], *, where: str) -> str:
    """Why there is no figure for all of these at once."""
    return f"{len(systems)} systems {where}, choose one"
