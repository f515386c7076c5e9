"""`evenhand evaluate`: every arm of every transcript asked of a running judge, whatever comes of it."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any

import tomli_w

from evaluators.evaluation import Evaluation
from evaluators.simulated.profile import default_profile
from metrics.figures.measure import measure
from perturbations.arms import is_judged
from perturbations.rows import ROWS
from streams.config.sections import SamplingSettings
from streams.embedded.children import free_port
from tests.builders import make_transcript
from tests.evaluators.running_judge import running_server
from tests.real_transcripts import real_transcripts
from tests.streams.command import Ran, run_here, running
from tests.streams.harness import running_judge
from tests.variants import make_arms

TRANSCRIPTS = real_transcripts()[:3]


def prepare(directory: Path, base_url: str, **judge: Any) -> None:
    data = {"judges": {"main": {"model": "judge-x", "base_url": base_url, "attempts": 1, **judge}}}
    (directory / "evenhand.toml").write_text(tomli_w.dumps(data))
    (directory / "calls.jsonl").write_text("".join(t.model_dump_json() + "\n" for t in TRANSCRIPTS))


async def evaluate(directory: Path, *arguments: str, **options: Any) -> Ran:
    return await asyncio.to_thread(run_here, "evaluate", *arguments, cwd=directory, **options)


def evaluations_of(ran: Ran) -> list[Evaluation]:
    return [Evaluation.model_validate_json(line) for line in ran.out.splitlines()]


async def test_every_arm_and_the_repeats_in_order(tmp_path: Path) -> None:
    async with running_judge(default_profile()) as judge:
        prepare(tmp_path, judge.url)
        ran = await evaluate(tmp_path, "calls.jsonl", "--judge", "main")
        asked = judge.asked.copy()
    assert ran.code == 0
    made = evaluations_of(ran)
    design = SamplingSettings().design
    arms = [
        arm
        for t in TRANSCRIPTS
        for arm in make_arms(t, rows=list(ROWS), seed=7, repeats=2, design=design)
        if is_judged(arm)
    ]
    assert [(e.transcript_id, e.row, e.attribute, e.draw, e.repeat) for e in made] == [
        (a.variant.transcript_id, a.variant.row, a.variant.attribute, a.variant.draw, a.repeat) for a in arms
    ]
    assert {e.outcome for e in made} == {"ok"}
    assert {(e.judge.model, e.judge.served_model) for e in made} == {("judge-x", "simulated-judge-1")}
    assert {e.repeat for e in made if e.row == "robustness"} == {0, 1}
    assert sorted(asked) == sorted(e.evaluation_id or "" for e in made)
    assert ran.err == f"{len(made)} ok\n"
    # The transcripts bring no questions: the configured rubric's are asked.
    assert all(len(e.answers) > 1 for e in made)
    assert measure(made).rows["past_performance"].comparisons > 0


async def test_the_chosen_rows_and_the_same_answers_again(tmp_path: Path) -> None:
    async with running_server(default_profile()) as url:
        prepare(tmp_path, url)
        whole = evaluations_of(await evaluate(tmp_path, "calls.jsonl"))
        part = evaluations_of(await evaluate(tmp_path, "calls.jsonl", "--row", "agent_gender", "--row", "politeness"))
        only = evaluations_of(await evaluate(tmp_path, "calls.jsonl", "--row", "robustness"))
    assert {e.row for e in part} == {"robustness", "agent_gender", "politeness"}
    assert {e.row for e in only} == {"robustness"}
    known = {e.evaluation_id: e.answers for e in whole}
    assert {e.evaluation_id: e.answers for e in [*part, *only]}.items() <= known.items()


async def test_a_judge_that_nobody_reaches_gives_lines_with_the_outcome_error(tmp_path: Path) -> None:
    prepare(tmp_path, f"http://127.0.0.1:{free_port()}/v1")
    ran = await evaluate(tmp_path, "calls.jsonl", "--row", "agent_gender")
    assert ran.code == 0
    made = evaluations_of(ran)
    assert Counter((e.outcome, e.reason) for e in made) == {("error", "unreachable"): len(made)}
    assert {e.transcript_id for e in made} == {t.transcript_id for t in TRANSCRIPTS}
    assert all(e.answers == () and e.positive_score is None for e in made)
    assert ran.err == f"{len(made)} error\n"


async def test_a_bad_line_is_told_and_the_rest_is_asked(tmp_path: Path) -> None:
    async with running_server(default_profile()) as url:
        prepare(tmp_path, url)
        good = make_transcript("c-1").model_dump_json()
        stdin = f'\ufeff{good}\r\n{{"transcript_id": "xylophone"}}\r\n\r\n{good.replace("c-1", "c-2")}'.encode()
        ran = await evaluate(tmp_path, "-", "--row", "agent_gender", stdin=stdin)
    assert ran.code == 1
    assert list(dict.fromkeys(e.transcript_id for e in evaluations_of(ran))) == ["c-1", "c-2"]
    bad_line, counts = ran.err.splitlines()
    assert bad_line.startswith("line 2: invalid: turns")
    assert counts.endswith("1 lines could not be read")
    assert "xylophone" not in ran.err


async def test_nothing_in_gives_nothing_out(tmp_path: Path) -> None:
    prepare(tmp_path, "http://127.0.0.1:9/v1")
    ran = await evaluate(tmp_path, "-")
    assert (ran.code, ran.out, ran.err) == (0, "", "no evaluations\n")


async def test_a_judge_without_the_key_it_needs_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    data = {"judges": {"main": {"model": "gpt-4o", "api_key_env": "NO_SUCH_KEY"}}}
    (tmp_path / "evenhand.toml").write_text(tomli_w.dumps(data))
    ran = await evaluate(tmp_path, "none.jsonl")
    assert (ran.code, ran.out) == (2, "")
    assert ran.said("NO_SUCH_KEY", "gpt-4o")


async def test_the_key_reaches_the_judge_and_no_output(tmp_path: Path) -> None:
    secret = "hunter2-s3cr3t"
    async with running_server(default_profile()) as url:
        prepare(tmp_path, url, api_key_env="THE_KEY")
        ran = await evaluate(tmp_path, "calls.jsonl", "--row", "agent_gender", environment={"THE_KEY": secret})
    assert ran.code == 0
    assert secret not in ran.out + ran.err


async def test_whoever_reads_may_stop(tmp_path: Path) -> None:
    async with running_server(default_profile()) as url:
        prepare(tmp_path, url)
        with running("evaluate", "calls.jsonl", cwd=tmp_path) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            first = await asyncio.to_thread(process.stdout.readline)
            process.stdout.close()
            assert await asyncio.to_thread(process.wait, 30) == 0
            assert json.loads(first)["row"] == "robustness"
            assert process.stderr.read() == b""
