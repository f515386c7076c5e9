"""What the alarms read from the store: only what is complete, and the same as from the pairs themselves."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from evaluators.evaluation import Evaluation
from metrics.alarms.series import TranscriptFlips
from metrics.clickhouse.client import StoreClient, connect
from metrics.clickhouse.flips import complete_flips_of, touched_transcripts
from metrics.clickhouse.stored_records import write_evaluations, write_pairs
from metrics.pairs.dedup import deduplicate
from metrics.pairs.pairing import pair_evaluations
from perturbations.rows import ROWS
from tests.builders import make_transcript
from tests.metrics.complete_flips import complete_flips
from tests.metrics.made_arms import arms_of, judged, moment, stored
from tests.real_transcripts import real_transcripts

GENDER = ("agent_gender",)


@pytest.fixture
async def client(store: str) -> AsyncIterator[StoreClient]:
    async with await connect(store) as client:
        yield client


def letters(row: str, attribute: str, repeat: int) -> str:
    return "yyyy" if attribute != "female" and not repeat else "nyyy"


def same(by_transcript: dict[str, list[TranscriptFlips]], expected: list[TranscriptFlips]) -> bool:
    flat = [transcript for flips in by_transcript.values() for transcript in flips]
    return sorted(flat, key=repr) == sorted(expected, key=repr)


async def read(client: StoreClient) -> dict[str, list[TranscriptFlips]]:
    return await complete_flips_of(client, (await touched_transcripts(client)).transcript_ids)


async def test_a_whole_transcript(client: StoreClient) -> None:
    messages = arms_of([make_transcript("c-1")], GENDER)
    evaluations = judged(messages, letters)
    await stored(client, messages, evaluations)
    (flips,) = (await read(client))["c-1"]
    assert (flips.provider, flips.model, flips.system_id, flips.epoch, flips.row) == (
        "p",
        "m",
        "s",
        "e",
        "agent_gender",
    )
    assert (flips.flips, flips.comparisons, flips.repeat_flips, flips.repeat_comparisons) == (1, 4, 1, 4)
    assert flips.completed_at == moment(evaluations, "c-1", "agent_gender")


async def test_it_is_what_the_pairs_give_on_real_transcripts_in_every_row(client: StoreClient) -> None:
    transcripts = real_transcripts()[:12]
    messages = arms_of(transcripts, list(ROWS))
    evaluations = judged(messages, lambda row, attribute, repeat: "yn"[len(row + attribute) % 2] + "y" * 3)
    await stored(client, messages, evaluations)
    by_transcript = await read(client)
    # Everything is there, so a row is complete with whatever applies.
    pairs = pair_evaluations(evaluations)
    assert same(by_transcript, complete_flips(pairs, expected=dict.fromkeys(ROWS, 1)))
    assert len({flips.row for of_rows in by_transcript.values() for flips in of_rows}) == len(ROWS)


@pytest.mark.parametrize("missing", ["female", "original 1", "pairs"])
async def test_what_is_not_whole_waits(missing: str, client: StoreClient) -> None:
    messages = arms_of([make_transcript("c-1"), make_transcript("c-2")], GENDER)
    evaluations = judged(messages, letters)
    late = [
        e
        for e in evaluations
        if e.transcript_id == "c-2" and (e.attribute == missing or f"{e.attribute} {e.repeat}" == missing)
    ]
    there = [e for e in evaluations if e not in late]
    await stored(client, messages, there, pairs=False)
    if missing == "pairs":
        await write_pairs(client, [p for p in pair_evaluations(there) if p.transcript_id == "c-1"])
    else:
        await write_pairs(client, pair_evaluations(there))
    assert set(await read(client)) == {"c-1"}
    await stored(client, messages, evaluations)
    assert set(await read(client)) == {"c-1", "c-2"}


async def test_an_arm_that_was_refused_holds_nothing_up(client: StoreClient) -> None:
    messages = arms_of([make_transcript("c-1")], ("contextual_metadata",))
    evaluations = judged(messages, lambda *_: "yyyy")
    refused = [
        e.model_copy(update={"outcome": "refused", "answers": (), "epoch": ""}) if e.attribute == "technical" else e
        for e in evaluations
    ]
    await stored(client, messages, refused)
    (flips,) = (await read(client))["c-1"]
    assert (flips.row, flips.comparisons) == ("contextual_metadata", 4)


async def test_arms_of_two_epochs_enter_each_with_its_own(client: StoreClient) -> None:
    messages = arms_of([make_transcript("c-1")], ("contextual_metadata",))
    evaluations = judged(messages, lambda *_: "yyyy")
    split = [
        e.model_copy(update={"epoch": "other"}) if e.attribute in ("environment", "technical") else e
        for e in evaluations
    ]
    await stored(client, messages, split)
    (flips,) = (await read(client))["c-1"]
    assert (flips.epoch, flips.comparisons, flips.repeat_comparisons) == ("other", 4, 0)


async def test_a_newer_content_takes_the_older_ones_place(client: StoreClient) -> None:
    old = arms_of([make_transcript("c-1")], GENDER)
    first = judged(old, letters)
    await stored(client, old, first)
    newer = make_transcript("c-1", domain="retail")
    new = [m.model_copy(update={"received_at": datetime(2026, 12, 1, tzinfo=UTC)}) for m in arms_of([newer], GENDER)]
    second = judged(new, lambda *_: "nnnn")
    # The new arms are made and not yet judged: the old figures no longer count.
    await stored(client, new, [], pairs=False)
    assert await read(client) == {}
    await write_evaluations(client, second)
    await write_pairs(client, pair_evaluations(deduplicate([*first, *second]).evaluations))
    (flips,) = (await read(client))["c-1"]
    assert (flips.flips, flips.comparisons) == (0, 4)


async def test_placebos_do_not_count_as_arms(client: StoreClient) -> None:
    messages = arms_of([make_transcript("c-1")], GENDER)
    evaluations = judged(messages, letters)
    placebo = [e.model_copy(update={"draw": 1, "evaluation_id": None}).with_ids() for e in evaluations[2:]]
    await stored(client, messages, [*evaluations, *placebo])
    assert [flips.comparisons for flips in (await read(client))["c-1"]] == [4]


async def test_only_what_was_touched_since(client: StoreClient) -> None:
    messages = arms_of([make_transcript(f"c-{n}") for n in range(3)], GENDER)
    evaluations = judged(messages, letters)
    await stored(client, messages, evaluations)
    touched = await touched_transcripts(client)
    assert touched.transcript_ids == ["c-0", "c-1", "c-2"]
    assert abs(touched.asked_at - datetime.now(UTC)) < timedelta(minutes=1)
    later = await touched_transcripts(client, touched.asked_at + timedelta(minutes=1))
    assert later.transcript_ids == []


def test_the_fields_of_an_evaluation_decide() -> None:
    made = judged(arms_of([make_transcript("c-1")], GENDER), letters)
    assert all(isinstance(e, Evaluation) for e in made)
    assert [(e.row, e.attribute, e.repeat) for e in made] == [
        ("robustness", "original", 0),
        ("robustness", "original", 1),
        ("agent_gender", "male", 0),
        ("agent_gender", "female", 0),
    ]
