"""Nothing listens, or it is not what should: exit code 1 and one sentence of what, where and what to do, soon."""

from __future__ import annotations

import json
import signal
import socket
import time
from pathlib import Path

import pytest

from streams.embedded.children import free_port
from tests.builders import make_transcript
from tests.streams.command import Ran, run, run_here, running

SECONDS = 20


def environment(kafka: int, clickhouse: int) -> dict[str, str]:
    return {
        "EVENHAND_KAFKA_BOOTSTRAP_SERVERS": f"127.0.0.1:{kafka}",
        "EVENHAND_CLICKHOUSE_DSN": f"clickhouse://127.0.0.1:{clickhouse}/db",
        "EVENHAND_JUDGES_MAIN_MODEL": "m",
        "EVENHAND_JUDGES_MAIN_BASE_URL": "http://127.0.0.1:9/v1",
    }


@pytest.mark.parametrize("command", ["topics", "topics --check", "migrate", "ingest calls.jsonl", "worker"])
def test_nothing_listens(command: str, tmp_path: Path) -> None:
    (tmp_path / "calls.jsonl").write_text(make_transcript().model_dump_json())
    kafka, clickhouse = free_port(), free_port()
    began = time.monotonic()
    ran = run(*command.split(), cwd=tmp_path, environment=environment(kafka, clickhouse))
    assert time.monotonic() - began < SECONDS
    assert (ran.code, ran.out) == (1, "")
    if command == "migrate":
        assert ran.said("ClickHouse", f"127.0.0.1:{clickhouse}", "can't be reached", "Is it running")
    else:
        assert ran.said("can't reach Kafka", f"127.0.0.1:{kafka}", "start it, or set kafka.bootstrap_servers")


def findings(ran: Ran) -> dict[str, str]:
    return {finding["part"]: finding["advice"] for finding in json.loads(ran.out)["findings"] if not finding["ok"]}


def test_check_tells_every_part_that_is_away_and_prints_the_configuration(tmp_path: Path) -> None:
    kafka, clickhouse = free_port(), free_port()
    began = time.monotonic()
    ran = run_here("check", "--json", cwd=tmp_path, environment=environment(kafka, clickhouse))
    assert time.monotonic() - began < SECONDS
    assert (ran.code, ran.err) == (1, "")
    wrong = findings(ran)
    assert set(wrong) == {"kafka", "clickhouse", "judges.main"}
    assert f"127.0.0.1:{kafka}" in wrong["kafka"]
    assert f"127.0.0.1:{clickhouse}" in wrong["clickhouse"]
    assert "nobody answers at 127.0.0.1:9" in wrong["judges.main"]
    assert "judges.main.base_url" in wrong["judges.main"]
    shown = json.loads(ran.out)["configuration"]
    assert shown["kafka"]["bootstrap_servers"] == f"127.0.0.1:{kafka}"
    assert shown["judges"]["main"]["model"] == "m"
    plain = run_here("check", cwd=tmp_path, environment=environment(kafka, clickhouse))
    marks = dict(line.split()[1::-1] for line in plain.out.splitlines() if line.startswith(("ok ", "WRONG ")))
    wanted = {
        "kafka:": "WRONG",
        "clickhouse:": "WRONG",
        "judges.main:": "WRONG",
        "rubric": "ok",
        "default_judge": "ok",
    }
    assert marks | wanted == marks


@pytest.mark.parametrize(
    ("variable", "value", "part", "words"),
    [
        ("EVENHAND_DEFAULT_JUDGE", "other", "default_judge", ["no judge 'other'", "known: main"]),
        ("EVENHAND_RUBRIC", "none.toml", "rubric", ["none.toml"]),
        ("EVENHAND_JUDGES_KEYLESS_MODEL", "gpt-4o", "judges.keyless", ["OPENAI_API_KEY"]),
        ("EVENHAND_JUDGES_MAIN_BASE_URL", "localhost", "judges.main", ["judges.main.base_url", "http://"]),
        ("EVENHAND_JUDGES_MAIN_BASE_URL", "http://h:port", "judges.main", ["judges.main.base_url"]),
    ],
)
def test_check_tells_what_is_wrong_with_a_part(
    variable: str, value: str, part: str, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    given = environment(free_port(), free_port()) | {variable: value}
    advice = findings(run_here("check", "--json", cwd=tmp_path, environment=given))[part]
    assert [word for word in words if word not in advice] == []


def test_check_names_variables_that_set_nothing(tmp_path: Path) -> None:
    given = environment(free_port(), free_port()) | {"EVENHAND_KAFAK_GROUP": "g"}
    ran = run_here("check", cwd=tmp_path, environment=given)
    assert "EVENHAND_KAFAK_GROUP: this variable sets no key" in ran.out


def test_check_does_not_wait_for_ever_for_what_never_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("streams.cli.setup.check.PATIENCE_SECONDS", 0.5)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        port = silent.getsockname()[1]
        ran = run_here("check", "--json", cwd=tmp_path, environment=environment(port, port))
    wrong = findings(ran)
    assert wrong["kafka"] == wrong["clickhouse"] == "no answer within 0.5 s: is it what should run there?"


def test_an_interrupt_ends_a_command_without_a_traceback(tmp_path: Path) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        port = silent.getsockname()[1]
        with running("migrate", cwd=tmp_path, environment=environment(port, port)) as process, silent.accept()[0]:
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err.decode().strip()) == (130, b"", "evenhand: interrupted")


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        ({"SECURITY_PROTOCOL": "SASL_SSL"}, ["kafka.sasl_username", "EVENHAND_KAFKA_SASL_PASSWORD"]),
        ({"SECURITY_PROTOCOL": "SSL", "SSL_CAFILE": "none.pem"}, ["kafka.ssl_cafile none.pem", "No such file"]),
        (
            {"SECURITY_PROTOCOL": "SSL", "SSL_CAFILE": "calls.jsonl"},
            ["kafka.ssl_cafile calls.jsonl", "can't be used"],
        ),
        ({"SECURITY_PROTOCOL": "SSL", "SSL_CERTFILE": "none.pem"}, ["kafka.ssl_certfile none.pem", "No such file"]),
    ],
)
def test_credentials_that_cannot_be_used(variables: dict[str, str], words: list[str], tmp_path: Path) -> None:
    (tmp_path / "calls.jsonl").write_text(make_transcript().model_dump_json())
    given = environment(free_port(), free_port()) | {f"EVENHAND_KAFKA_{name}": v for name, v in variables.items()}
    for command in ("topics", "ingest calls.jsonl"):
        ran = run_here(*command.split(), cwd=tmp_path, environment=given)
        assert (ran.code, ran.out) == (2, "")
        assert ran.said(*words), ran.err


def test_a_worker_without_its_password_is_told(tmp_path: Path) -> None:
    given = environment(free_port(), free_port()) | {"EVENHAND_KAFKA_SECURITY_PROTOCOL": "SASL_PLAINTEXT"}
    ran = run("worker", cwd=tmp_path, environment=given)
    assert (ran.code, ran.out) == (2, "")
    assert ran.said("kafka.sasl_username", "EVENHAND_KAFKA_SASL_PASSWORD")
