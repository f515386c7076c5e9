"""A real model judges real transcripts through the whole stream, and the figures can be made again from the file."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import tomli_w

from evaluators.errors import JudgeConfigError
from evaluators.judges.local_judge import MODEL_NAME, require_local_judge
from metrics.clickhouse.client import connect
from metrics.clickhouse.window_sums import transcript_sums
from metrics.figures.measure import measure
from metrics.figures.measurement import dump
from metrics.figures.thresholds import Thresholds
from metrics.live.window import window_figures
from metrics.pairs.dedup import deduplicate
from metrics.pairs.pairing import pair_evaluations
from perturbations.records.transcript import Transcript
from perturbations.rows import ROBUSTNESS
from streams.config.form import marking_of
from streams.demo.demo_judge import answers, local_judge
from streams.embedded.children import Children, free_port, python_child
from tests.builders import at
from tests.conftest import Broker, unavailable
from tests.real_transcripts import real_transcripts
from tests.streams.command import run_here
from tests.streams.harness import running_stream

TRANSCRIPTS = 4
ROW = "agent_disability"  # the fewest calls: one of its two arms is the original
FORM = {
    "questions": [
        {"question_id": "greeting", "text": "Did the agent greet the customer?"},
        {"question_id": "courteous", "text": "Was the agent courteous?"},
    ]
}
# Every word takes the model time.
FEW_WORDS = {
    "system_prompt": "You assess calls. Answer every question with yes or no and how sure you are, 0 to 100.",
    "user_prompt": "{transcript}\n\n{questions}",
}
FEW = Thresholds(comparisons=8, transcripts=4)
EVER = (at("1970-01-01T00:00:00Z"), at("2200-01-01T00:00:00Z"))


def shortest(count: int) -> list[Transcript]:
    return sorted(real_transcripts(), key=lambda t: sum(len(turn.text) for turn in t.turns))[:count]


async def test_a_real_model_through_the_whole_stream(
    tansu_broker: str, topic_prefix: str, store: str, tmp_path: Path
) -> None:
    try:
        require_local_judge()
    except JudgeConfigError as error:
        unavailable("local", str(error))
    form = tmp_path / "form.toml"
    form.write_text(tomli_w.dumps(FORM))
    broker = Broker.tansu(tansu_broker)
    port = free_port()
    async with Children(tmp_path / "judge-logs") as judges:
        await judges.start(
            python_child(
                "judge",
                "streams",
                ["judge", "serve", "--local", "--port", str(port)],
                partial(answers, f"http://127.0.0.1:{port}/health"),
            )
        )
        async with running_stream(
            broker,
            topic_prefix,
            store,
            tmp_path,
            judge_url="",
            rows=[ROW],
            judges={"main": {**local_judge(f"http://127.0.0.1:{port}/v1"), **FEW_WORDS}},
            rubric=form,
            sampling={"placebo_rate": 0.0},
            metrics={"minimum_comparisons": FEW.comparisons, "minimum_transcripts": FEW.transcripts},
        ) as stream:
            await stream.start_worker()
            await stream.send_transcripts(shortest(TRANSCRIPTS))
            await stream.through(TRANSCRIPTS, seconds=200)
            evaluations = await stream.evaluations()
            pairs = await stream.pairs()
            async with await connect(store) as client:
                live = {figures.row: figures for figures in window_figures(await transcript_sums(client, *EVER), FEW)}

    assert {(e.outcome, e.judge.served_model) for e in evaluations} == {("ok", MODEL_NAME)}
    assert all((e.usage.output_tokens or 0) > 0 for e in evaluations)
    # Real answers: not the same ones to everything.
    assert len({tuple((a.answer, a.confidence) for a in e.answers) for e in evaluations}) > 1
    made = {pair.pair_id: pair for pair in pair_evaluations(deduplicate(evaluations).evaluations)}
    assert {pair.pair_id: pair for pair in pairs} == made

    figures = measure(evaluations, thresholds=FEW, marking=marking_of(stream.settings))
    row = figures.rows[ROW]
    assert len({e.transcript_id for e in evaluations}) == TRANSCRIPTS
    assert (row.transcripts, row.comparisons) == (TRANSCRIPTS, 2 * TRANSCRIPTS)
    assert (live[ROW].cfr, live[ROW].cfr_interval) == (row.cfr, row.cfr_interval) != (None, None)
    assert live[ROBUSTNESS].cfr == figures.robustness.cfr
    (tmp_path / "evaluations.jsonl").write_text("".join(e.model_dump_json() + "\n" for e in reversed(evaluations)))
    again = run_here("measure", "evaluations.jsonl", "--json", cwd=tmp_path)
    assert (again.code, again.err) == (0, "")
    assert again.out == dump(figures)
