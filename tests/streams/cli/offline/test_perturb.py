"""`evenhand perturb`: every attribute of every row of every transcript, in order, whatever else the file holds."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from perturbations.records.edit import revert_edits
from perturbations.records.transcript import Transcript
from perturbations.records.variant import Variant
from perturbations.rows import ROBUSTNESS, ROWS
from tests.builders import make_transcript
from tests.real_transcripts import real_transcripts
from tests.streams.command import Ran, run, run_here, running

ARMS = [(name, attribute) for name, row in ROWS.items() for attribute in row.attributes]

WORDS = "xylophone quibble zephyr"
"""Words of a transcript's text that no message may repeat."""


def lines_of(transcripts: Sequence[Transcript]) -> bytes:
    return b"".join(transcript.model_dump_json().encode() + b"\n" for transcript in transcripts)


def perturb(directory: Path, content: bytes, *arguments: str) -> Ran:
    (directory / "calls.jsonl").write_bytes(content)
    return run_here("perturb", "calls.jsonl", *arguments, cwd=directory)


def variants_of(ran: Ran) -> list[dict[str, Any]]:
    return [json.loads(line) for line in ran.out.splitlines()]


def arms_of(ran: Ran) -> list[tuple[str, str, str]]:
    return [(variant["transcript_id"], variant["row"], variant["attribute"]) for variant in variants_of(ran)]


def test_every_attribute_of_every_row_in_the_files_order(tmp_path: Path) -> None:
    transcripts = [real_transcripts()[n] for n in (3, 0, 7)]
    ran = perturb(tmp_path, lines_of(transcripts))
    assert ran.code == 0
    assert arms_of(ran) == [(t.transcript_id, row, attribute) for t in transcripts for row, attribute in ARMS]
    by_id = {transcript.transcript_id: transcript for transcript in transcripts}
    for line in ran.out.splitlines():
        variant = Variant.model_validate_json(line)
        original = by_id[variant.transcript_id].turns
        if variant.status in ("rejected", "not_applicable"):
            assert (variant.turns, variant.edits, bool(variant.reason)) == ((), (), True)
        else:
            assert revert_edits(variant.turns, variant.edits) == original
    assert ran.err.startswith("3 transcripts: ")
    assert "accepted" in ran.err


def test_what_is_asked_for_alone_is_what_the_whole_has(tmp_path: Path) -> None:
    content = lines_of(real_transcripts()[:2])
    whole = perturb(tmp_path, content).out.splitlines()

    def part(*arguments: str) -> list[str]:
        return perturb(tmp_path, content, *arguments).out.splitlines()

    assert part("--row", "politeness") == [line for line in whole if json.loads(line)["row"] == "politeness"]
    assert part("--row", "agent_gender", "--attribute", "female") == [
        line
        for line in whole
        if json.loads(line)["row"] == "agent_gender" and json.loads(line)["attribute"] == "female"
    ]
    # One attribute may belong to several rows.
    assert part("--attribute", "neutral") == [line for line in whole if json.loads(line)["attribute"] == "neutral"]
    robustness = [json.loads(line) for line in part("--row", ROBUSTNESS)]
    assert [(variant["row"], variant["attribute"], variant["status"]) for variant in robustness] == [
        (ROBUSTNESS, "original", "original")
    ] * 2


def test_the_seed_decides_the_draws_and_comes_from_the_option_the_file_or_the_default(tmp_path: Path) -> None:
    content = lines_of([make_transcript("c-1"), make_transcript("c-2"), make_transcript("c-3")])
    row = ("--row", "agent_ethnicity_name")
    default, seven, eight = (
        perturb(tmp_path, content, *row, *seed) for seed in ((), ("--seed", "7"), ("--seed", "8"))
    )
    assert default.out == seven.out != eight.out
    (tmp_path / "evenhand.toml").write_text("seed = 8")
    assert perturb(tmp_path, content, *row).out == eight.out
    assert perturb(tmp_path, content, *row, "--seed", "7").out == seven.out


def test_the_same_bytes_twice_and_in_another_process(tmp_path: Path) -> None:
    content = lines_of(real_transcripts()[10:13])
    here = perturb(tmp_path, content)
    assert perturb(tmp_path, content).out == here.out
    other = run(
        "perturb", "calls.jsonl", cwd=tmp_path, environment={"PYTHONHASHSEED": "5", "LC_ALL": "C", "TZ": "HST"}
    )
    assert (other.code, other.out) == (0, here.out)


def test_a_bad_line_is_told_by_number_and_reason_and_the_rest_goes_on(tmp_path: Path) -> None:
    good = [make_transcript(f"c-{n}").model_dump_json().encode() for n in range(3)]
    bad = [
        f'{{"transcript_id": "b", "turns": "{WORDS}"}}'.encode(),
        b"{not json " + WORDS.encode(),
        b"\xff\xfe" + WORDS.encode(),
        b'{"transcript_id": "b", "turns": []}',
        b'{"schema_version": 9, "transcript_id": "b", "turns": [{"speaker": "agent", "text": "x"}]}',
        f'{{"transcript_id": "b", "turns": [{{"speaker": "{WORDS}", "text": "{WORDS}"}}]}}'.encode(),
        b'{"transcript_id": "b", "turns": [{"speaker": "agent", "text": "' + b"x" * 1_000_001 + b'"}]}',
        b"null",
        b"[1]",
    ]
    # Lines 2 to 10, between good ones, with blank lines that count as lines.
    ran = perturb(tmp_path, b"\n".join([good[0], *bad, good[1], b"", b"   ", good[2]]), "--row", "politeness")
    assert ran.code == 1
    assert [variant["transcript_id"] for variant in variants_of(ran)] == [
        f"c-{n}" for n in range(3) for _ in range(3)
    ]
    *bad_lines, summary = ran.err.splitlines()
    assert [line.partition(": ")[0] for line in bad_lines] == [f"line {number}" for number in range(2, 11)]
    reasons = [line.split(": ")[1] for line in bad_lines]
    assert reasons == [
        "invalid",
        "not_json",
        "not_utf8",
        "invalid",
        "unknown_schema_version",
        "invalid",
        "too_large",
        "invalid",
        "invalid",
    ]
    assert summary.startswith("3 transcripts: ")
    assert summary.endswith("; 9 lines could not be read")
    assert [word for word in WORDS.split() if word in ran.err] == []


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"\xef\xbb\xbf%s\n%s\n", id="a byte order mark"),
        pytest.param(b"%s\r\n%s\r\n", id="lines that end as on Windows"),
        pytest.param(b"\n\n%s\n   \n%s", id="blank lines and no end"),
    ],
)
def test_files_as_others_write_them(content: bytes, tmp_path: Path) -> None:
    plain = [make_transcript(f"c-{n}").model_dump_json().encode() for n in (1, 2)]
    expected = perturb(tmp_path, b"\n".join(plain), "--row", "agent_gender")
    ran = perturb(tmp_path, content % tuple(plain), "--row", "agent_gender")
    assert (ran.code, ran.out, ran.err) == (0, expected.out, expected.err)
    assert len(ran.out.splitlines()) == 4


def test_nothing_in_gives_nothing_out(tmp_path: Path) -> None:
    for content in (b"", b"\n", b"\xef\xbb\xbf"):
        ran = perturb(tmp_path, content)
        assert (ran.code, ran.out) == (0, "")
        assert ran.said("0 transcripts")


def test_standard_input(tmp_path: Path) -> None:
    content = lines_of([make_transcript("c-1"), make_transcript("c-2")])
    expected = perturb(tmp_path, content)
    assert run_here("perturb", "-", cwd=tmp_path, stdin=content) == expected
    assert run("perturb", "-", cwd=tmp_path, stdin=content) == expected
    assert run_here("perturb", "-", cwd=tmp_path, stdin=b"{}\n").code == 1


def test_a_named_pipe_is_read_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with running("perturb", "pipe", "--row", "agent_gender", cwd=tmp_path) as process:
        (tmp_path / "pipe").write_bytes(lines_of([make_transcript("c-1"), make_transcript("c-2")]))
        out, _ = process.communicate(timeout=30)
    assert process.returncode == 0
    assert len(out.splitlines()) == 4


def test_whoever_reads_may_stop_and_nobody_complains(tmp_path: Path) -> None:
    (tmp_path / "calls.jsonl").write_bytes(lines_of(real_transcripts()[:20]))
    with running("perturb", "calls.jsonl", cwd=tmp_path) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert json.loads(process.stdout.readline())["row"] == "agent_gender"
        process.stdout.close()
        assert process.wait(timeout=30) == 0
        assert process.stderr.read() == b""


def test_a_full_disk_is_told_in_a_sentence(tmp_path: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("no /dev/full here")
    (tmp_path / "calls.jsonl").write_bytes(lines_of([make_transcript()]))
    with (
        full.open("wb") as output,
        running("perturb", "calls.jsonl", cwd=tmp_path, stdout=output.fileno()) as process,
    ):
        _, err = process.communicate(timeout=30)
    assert process.returncode == 1
    assert b"No space left on device" in err.splitlines()[-1]
    assert b"Traceback" not in err
    assert b"calls.jsonl" not in err


def test_no_message_holds_a_transcripts_text(tmp_path: Path) -> None:
    transcript = make_transcript("c-1", ("agent", f"Hello, this is Michael. {WORDS}"), ("customer", WORDS))
    ran = perturb(tmp_path, lines_of([transcript]))
    assert "xylophone" in ran.out
    assert [word for word in [*WORDS.split(), "Michael"] if word in ran.err] == []
