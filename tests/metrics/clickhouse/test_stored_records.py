"""The store keeps what it is given, once, whatever comes twice, late, wrong or while it is away."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from evaluators.evaluation import Evaluation, Judge, Notes
from metrics.clickhouse.client import StoreClient, connect
from metrics.clickhouse.errors import BadRow, StoreUnavailable
from metrics.clickhouse.insert import insert_rows
from metrics.clickhouse.migrate import migrate
from metrics.clickhouse.stored_records import (
    all_evaluations,
    evaluations_of,
    pairs_in_window,
    write_evaluations,
    write_pairs,
    write_variants,
)
from perturbations.records.variant import Variant, VariantMessage
from streams.embedded.children import Children
from streams.embedded.store_process import start_store
from tests.builders import at, make_evaluation, make_pair
from tests.metrics.clickhouse.summaries import EvaluationCount, VariantCount, evaluations_summary, variants_summary

NOON = at("2026-11-30T12:00:00Z")


@pytest.fixture
async def client(store: str) -> AsyncIterator[StoreClient]:
    async with await connect(store) as client:
        yield client


def in_order(evaluations: list[Evaluation]) -> list[Evaluation]:
    return sorted((e.with_ids() for e in evaluations), key=lambda e: (e.transcript_id, e.evaluation_id or ""))


def full_evaluation(transcript_id: str = "c-1", **fields: Any) -> Evaluation:
    return make_evaluation(
        transcript_id,
        **{
            "judge": Judge(provider="openai", model="m", served_model="m-1"),
            "occurred_at": NOON,
            "evaluated_at": NOON + timedelta(microseconds=1),
            "labels": {"team": ["ä", None, {"x": 1.5}]},
            "domain": "banking",
            "latency_seconds": 0.25,
            **fields,
        },
    )


async def test_evaluations_and_pairs_come_back_as_they_were(any_store: str) -> None:
    evaluations = [full_evaluation(f"c-{n}", answers="yn-a") for n in range(5)]
    evaluations += [make_evaluation("c-1", "agent_gender", outcome="refused", reason="content_filter")]
    pairs = [make_pair("yna", "nny", transcript_id=f"c-{n}", occurred_at=NOON, labels={"x": [1]}) for n in range(3)]
    async with await connect(any_store) as client:
        assert await write_evaluations(client, evaluations) == []
        assert await evaluations_of(client, ["c-1", "c-3", "c-99"]) == in_order(
            [e for e in evaluations if e.transcript_id in ("c-1", "c-3")]
        )
        assert await write_pairs(client, pairs) == []
        assert await pairs_in_window(client) == sorted(pairs, key=lambda pair: (pair.transcript_id, pair.pair_id))


async def test_of_several_contents_of_an_evaluation_the_first_made_counts(client: StoreClient) -> None:
    contents = [
        full_evaluation(positive_score=score, evaluated_at=moment)
        for score, moment in [(3.0, None), (2.0, NOON), (1.0, NOON - timedelta(days=40)), (4.0, NOON)]
    ]
    for content in contents:
        await write_evaluations(client, [content])
    assert [e.positive_score for e in await evaluations_of(client, ["c-1"])] == [1.0]


async def test_every_evaluation_page_by_page(client: StoreClient) -> None:
    evaluations = [make_evaluation(f"c-{n // 3}", repeat=n % 3) for n in range(20)]
    await write_evaluations(client, evaluations)
    for page_rows in (1, 3, 7, 20, 1000):
        assert [e async for e in all_evaluations(client, page_rows=page_rows)] == in_order(evaluations)


async def test_ids_with_awkward_characters(client: StoreClient) -> None:
    ids = ["a'b", 'q"', "back\\slash", "tab\there", "line\nbreak", "{x:String}", "é\U0001f600", "%s", " "]
    evaluations = [make_evaluation(transcript_id) for transcript_id in ids]
    await write_evaluations(client, evaluations)
    assert await evaluations_of(client, ids) == in_order(evaluations)
    assert [e async for e in all_evaluations(client, page_rows=2)] == in_order(evaluations)


async def test_thousands_of_transcripts_in_one_question(client: StoreClient) -> None:
    evaluations = [make_evaluation(f"transcript-{n:05}") for n in range(2_500)]
    await write_evaluations(client, evaluations)
    assert len(await evaluations_of(client, [e.transcript_id for e in evaluations])) == 2_500


async def test_nothing_in_nothing_out(client: StoreClient) -> None:
    assert await write_evaluations(client, []) == []
    assert await evaluations_of(client, []) == []
    assert [e async for e in all_evaluations(client)] == []
    assert await pairs_in_window(client) == []
    assert await variants_summary(client) == []
    assert await evaluations_summary(client) == []


async def test_the_judges_words_are_left_out_unless_kept(client: StoreClient) -> None:
    evaluation = full_evaluation(notes=Notes(positives=("kind",)))
    await write_evaluations(client, [evaluation])
    assert [e.notes for e in await evaluations_of(client, ["c-1"])] == [None]
    await client.command("TRUNCATE TABLE evaluations")
    await write_evaluations(client, [evaluation], keep_text=True)
    assert await evaluations_of(client, ["c-1"]) == [evaluation.with_ids()]


async def test_a_window_has_its_start_and_not_its_end(client: StoreClient) -> None:
    hours = {
        hour: make_pair(transcript_id=f"c-{hour}", occurred_at=NOON + timedelta(hours=hour)) for hour in range(4)
    }
    undated = make_pair(transcript_id="c-9")
    await write_pairs(client, [*hours.values(), undated])
    within = await pairs_in_window(client, NOON + timedelta(hours=1), NOON + timedelta(hours=3))
    assert within == [hours[1], hours[2]]
    assert len(await pairs_in_window(client, NOON)) == 4
    assert len(await pairs_in_window(client)) == 5


# A retry writes rows again, in another batch or at another time: they must count once.


async def cfr(client: StoreClient) -> float:
    [(flips, comparisons)] = await client.rows("SELECT sum(flips), sum(comparisons) FROM pairs FINAL")
    return float(flips / comparisons)


async def test_a_pair_written_twice_counts_once(client: StoreClient) -> None:
    pair = make_pair("yyyyyyyyyy", "nyyyyyyyyy")
    await write_pairs(client, [pair])
    await write_pairs(client, [make_pair(transcript_id="c-2"), pair])
    await write_pairs(client, [pair, pair])
    await write_pairs(client, [make_pair(transcript_id="c-2")], deleted=True)
    assert await cfr(client) == 1 / 10
    await client.command("OPTIMIZE TABLE pairs FINAL")
    assert await cfr(client) == 1 / 10


@pytest.mark.parametrize("separately", [False, True])
async def test_rows_of_two_months_are_one_row(client: StoreClient, separately: bool) -> None:
    first = full_evaluation(evaluated_at=at("2026-11-30T23:59:59Z"))
    again = full_evaluation(evaluated_at=at("2026-12-01T00:00:03Z"))
    pair = make_pair(evaluated_at=at("2026-11-30T23:59:59Z"))
    pair_again = pair.model_copy(update={"evaluated_at": at("2026-12-01T00:00:03Z")})
    for evaluation, made in ((first, pair), (again, pair_again)):
        await write_evaluations(client, [evaluation])
        await write_pairs(client, [made])
    # Some operators set it: FINAL then no longer looks across partitions.
    setting = "do_not_merge_across_partitions_select_final = 1" if separately else "max_threads = 1"
    for table in ("evaluations", "pairs"):
        assert await client.rows(f"SELECT count() FROM {table} FINAL SETTINGS {setting}") == [(1,)]
        await client.command(f"OPTIMIZE TABLE {table} FINAL")
        assert await client.rows(f"SELECT count() FROM {table}") == [(1,)]


async def test_a_deleted_pair_stays_deleted_until_a_newer_one_comes(client: StoreClient) -> None:
    pair = make_pair()
    await write_pairs(client, [pair])
    await write_pairs(client, [pair], deleted=True)
    await write_pairs(client, [pair])  # a redelivery that comes late
    assert await pairs_in_window(client) == []
    newer = pair.model_copy(update={"version": pair.version + 1})
    await write_pairs(client, [newer])
    assert await pairs_in_window(client) == [newer]


# One bad row fails an insert: the others are stored, and an outage is not mistaken for it.


@pytest.mark.parametrize("fields", [{"attempts": 2**70}, {"labels": {"x": "half \ud83d"}}])
async def test_one_bad_evaluation_of_500_is_named_and_499_are_stored(
    client: StoreClient, fields: dict[str, Any]
) -> None:
    evaluations = [make_evaluation(f"c-{n}") for n in range(500)]
    evaluations[321] = evaluations[321].model_copy(update=fields)
    [bad] = await write_evaluations(client, evaluations)
    assert bad.index == 321
    assert "half" not in bad.reason
    assert await client.rows("SELECT count(), countIf(transcript_id = 'c-321') FROM evaluations") == [(499, 0)]


@pytest.mark.parametrize("wrong", [{0}, {499}, {17, 18, 400}, set(range(500)), set()])
async def test_rows_that_clickhouse_itself_refuses_are_searched_for(client: StoreClient, wrong: set[int]) -> None:
    await client.command(
        "CREATE TABLE strict (n UInt64, at DateTime('UTC'), CONSTRAINT even CHECK n % 2 = 0) "
        "ENGINE = MergeTree ORDER BY n"
    )
    # Each kind is refused elsewhere: a time that the driver can't write, a number that the server doesn't take.
    faults: list[tuple[int, object]] = [(1, NOON), (2, at("2126-01-01T00:00:00Z"))]
    rows = [(n, faults[n % 2] if n in wrong else (2 * n, NOON)) for n in range(500)]
    bad = await insert_rows(client, "strict", ["n", "at"], rows)
    assert {row.index for row in bad} == wrong
    assert await client.rows("SELECT count() FROM strict") == [(500 - len(wrong),)]


async def test_a_bad_pair_and_a_bad_variant_are_named(client: StoreClient) -> None:
    pairs = [make_pair(transcript_id=f"c-{n}") for n in range(3)]
    pairs[1] = pairs[1].model_copy(update={"version": -1})
    assert await write_pairs(client, pairs) == [BadRow(1, "version is outside what UInt128 holds")]
    messages = [make_message(f"c-{n}") for n in range(3)]
    messages[2] = messages[2].model_copy(update={"judge": "\ud83d"})
    assert [row.index for row in await write_variants(client, messages)] == [2]
    assert await client.rows("SELECT (SELECT count() FROM pairs), (SELECT count() FROM variants)") == [((2, 2))]


async def test_an_outage_is_told_apart_and_the_same_batch_goes_in_afterwards(tmp_path: Path) -> None:
    evaluations = [make_evaluation(f"c-{n}") for n in range(20)]
    async with Children(tmp_path / "logs") as children:
        child, dsn = await start_store(children, tmp_path / "store")
        await migrate(dsn)
        async with await connect(dsn) as client:
            await children.stop(child)
            for attempt in (
                write_evaluations(client, evaluations),
                write_pairs(client, [make_pair()]),
                write_variants(client, [make_message("c-1")]),
                evaluations_of(client, ["c-1"]),
                variants_summary(client),
            ):
                with pytest.raises(StoreUnavailable, match="can't be reached"):
                    await attempt
            await start_store(children, tmp_path / "store", port=client.dsn.port)
            assert await write_evaluations(client, evaluations) == []
            assert len(await evaluations_of(client, [e.transcript_id for e in evaluations])) == 20


# The fate of variants.


def make_message(
    transcript_id: str = "c-1",
    row: str = "agent_gender",
    attribute: str = "female",
    status: str = "accepted",
    *,
    repeat: int = 0,
    received_at: str = "2026-11-30T12:00:00Z",
    **fields: Any,
) -> VariantMessage:
    variant = Variant.model_validate(
        {"transcript_id": transcript_id, "row": row, "attribute": attribute, "status": status, **fields}
    )
    return VariantMessage(
        variant=variant, repeat=repeat, transcript_hash="h", received_at=at(received_at), questions=()
    )


async def test_variants_are_counted_by_row_status_and_reason(client: StoreClient) -> None:
    for batch in range(2):  # twice: a redelivery
        for n in range(3):
            await write_variants(
                client,
                [
                    make_message(f"c-{n}", "robustness", "original", "original", repeat=batch),
                    make_message(f"c-{n}", retries=n),
                    make_message(f"c-{n}", attribute="male", status="not_applicable", reason="no_agent_name"),
                    make_message(f"c-{n}", "politeness", "original", "original"),
                ],
            )
    assert await variants_summary(client) == [
        VariantCount("agent_gender", "accepted", None, 3, retried=2, evaluations_expected=3),
        VariantCount("agent_gender", "not_applicable", "no_agent_name", 3, retried=0, evaluations_expected=0),
        VariantCount("politeness", "original", None, 3, retried=0, evaluations_expected=0),
        VariantCount("robustness", "original", None, 3, retried=0, evaluations_expected=6),
    ]


async def test_of_several_versions_of_a_transcript_the_latest_variant_counts(client: StoreClient) -> None:
    late = make_message(status="rejected", reason="empty_turn", received_at="2026-11-30T13:00:00Z")
    await write_variants(client, [late])
    await write_variants(client, [make_message(received_at="2026-11-30T12:00:00Z")])
    assert [(c.status, c.variants) for c in await variants_summary(client)] == [("rejected", 1)]


async def test_evaluations_are_counted_by_row_and_outcome(client: StoreClient) -> None:
    await write_evaluations(client, [make_evaluation(f"c-{n}") for n in range(3)])
    await write_evaluations(client, [make_evaluation("c-0"), make_evaluation("c-9", outcome="refused")])
    assert await evaluations_summary(client) == [
        EvaluationCount("robustness", "ok", 3),
        EvaluationCount("robustness", "refused", 1),
    ]
