"""STAR's questionnaire as human answers: asked of a judge that says yes to everything."""

from __future__ import annotations

import json
from collections import Counter

from benchmarks.star_accuracy import ANY, accuracy_lines, asked, labelled
from metrics.figures.measure import measure
from tests.evaluators.builders import make_client, reply_text
from tests.evaluators.fake_openai import FakeServer, Received, Reply, completion, serving
from tests.real_transcripts import real_transcripts


def always_yes(received: Received) -> Reply:
    entries = received.body["messages"][1]["content"]
    known = {q.question_id for t in labelled(real_transcripts()) for q in t.questions}
    names = sorted(name for name in known if f"- {name}: " in entries)
    return Reply(body=completion(reply_text(*((name, "yes", 80) for name in names))))


def test_every_label_that_can_be_seen_in_the_text_becomes_a_human_answer() -> None:
    transcripts = list(labelled(real_transcripts()))
    assert len(transcripts) == 21
    labels = {t.transcript_id: t.labels["questionnaire"] for t in real_transcripts() if "questionnaire" in t.labels}
    for transcript in transcripts:
        answers = labels[transcript.transcript_id]
        assert isinstance(answers, dict)
        seen = {label: answer for label, answer in answers.items() if "unsure" not in label and answer is not None}
        assert Counter(q.human_answer for q in transcript.questions) == Counter(
            "yes" if answer else "no" for answer in seen.values()
        ), json.dumps(answers)


async def test_accuracy_and_who_disagrees() -> None:
    transcripts = list(labelled(real_transcripts()))
    async with serving(FakeServer(choose=always_yes)) as server:
        judge = make_client(server.url)
        evaluations = await asked(transcripts, judge)
        await judge.aclose()
    accuracy = measure(evaluations, thresholds=ANY).accuracy
    answers = [(t.transcript_id, q.question_id, q.human_answer) for t in transcripts for q in t.questions]
    right = sum(answer == "yes" for _, _, answer in answers)
    assert (accuracy.answers, accuracy.agreements) == (len(answers), right)
    assert accuracy.kappa == 0
    calm = next(question for question in accuracy.by_question if question.question_id == "calm_and_helpful")
    assert calm.disagreeing == tuple(sorted(t for t, q, a in answers if (q, a) == ("calm_and_helpful", "no")))
    assert calm.disagreeing
    lines = list(accuracy_lines(accuracy))
    assert lines[-1].split()[:2] == ["all", str(len(answers))]
    assert any(line.endswith(" ".join(calm.disagreeing)) for line in lines)
