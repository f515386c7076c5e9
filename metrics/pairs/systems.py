"""Which judge made an evaluation: systems, their epochs, and the keys that name them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from evaluators.evaluation import Evaluation, Judge

System = tuple[str, str]
"""system_id and epoch."""


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
    held = list(evaluations)
    answered: dict[str, set[str]] = {}
    judged: dict[tuple[str, str], set[str]] = {}
    for e in held:
        if e.outcome == "ok":
            answered.setdefault(e.system_id, set()).add(e.epoch)
            judged.setdefault((e.system_id, e.transcript_id), set()).add(e.epoch)
    silent: dict[str, set[str]] = {}
    for e in held:
        if e.system_id not in answered:
            silent.setdefault(e.system_id, set()).add(e.epoch)
    groups: dict[str, list[Evaluation]] = {}
    for e in held:
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


def told(keys: Iterable[str]) -> str:
    """The keys as a message lists them."""
    return ", ".join(repr(key) for key in keys) or "none"
