"""The configuration: a file, overrides for every key, clear errors, and never a secret in what is shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import tomli_w

from evaluators.judges.judge_config import JudgeConfig
from streams.config.errors import SettingsError
from streams.config.keys import Key, keys_of, model_at, named_tables
from streams.config.overrides import PREFIX, apply_overrides
from streams.config.sections import KafkaSettings
from streams.config.settings import Settings, idle_variables, load_settings, settings_of
from tests.streams.command import run, run_here

SECRET = "hunter2-s3cr3t"

KEYS = list(keys_of(Settings))
JUDGE_KEYS = list(keys_of(JudgeConfig))

# One value for every key that an override can set: the variable's text, and what the settings then hold.
OVERRIDES: dict[str, tuple[str, Any]] = {
    "SEED": ("11", 11),
    "DEFAULT_JUDGE": ("other", "other"),
    "RUBRIC": ("forms/calls.toml", Path("forms/calls.toml")),
    "KAFKA_BOOTSTRAP_SERVERS": ("a:9092,b:9092", "a:9092,b:9092"),
    "KAFKA_SECURITY_PROTOCOL": ("SASL_SSL", "SASL_SSL"),
    "KAFKA_SASL_MECHANISM": ("SCRAM-SHA-512", "SCRAM-SHA-512"),
    "KAFKA_SSL_CAFILE": ("/ca.pem", Path("/ca.pem")),
    "KAFKA_MAX_MESSAGE_BYTES": ("200000", 200_000),
    "KAFKA_HEARTBEAT_SECONDS": ("0.5", 0.5),
    "CLICKHOUSE_RETENTION_DAYS": ("30", 30),
    "SAMPLING_RATE": ("0.25", 0.25),
    "SAMPLING_ROWS": ("politeness, agent_gender", ("politeness", "agent_gender")),
    "WORKER_METRICS_PORT": ("0", 0),
    "METRICS_MINIMUM_COMPARISONS": ("5", 5),
    "JUDGES_MAIN_MODEL": ("m-2", "m-2"),
    "JUDGES_MAIN_TEMPERATURE": ("0.5", 0.5),
    "JUDGES_MAIN_FAIRNESS_PROMPT": ("true", True),
    "JUDGES_MAIN_OUTPUT_MODE": ("prompt", "prompt"),
    "JUDGES_MAIN_LIMITS_CALLS_PER_DAY": ("9", 9),
    "JUDGES_MAIN_FLAGS_REFUSES": ("temperature,top_p", ("temperature", "top_p")),
}


def write(directory: Path, text: str) -> Path:
    file = directory / "evenhand.toml"
    file.write_text(text, encoding="utf-8")
    return file


def refusal(file: Path | None, **environment: str) -> str:
    with pytest.raises(SettingsError) as caught:
        load_settings(file, environment)
    message = str(caught.value)
    assert "\n" not in message
    assert SECRET not in message
    return message


def at(settings: Settings, variable: str) -> Any:
    """What the settings hold under the key that a variable names."""
    value: Any = settings
    for step in next(key.steps for key in every_key() if variable == f"{PREFIX}{key.spelled}".upper()):
        value = value[step] if isinstance(value, dict) else getattr(value, step, None)
    return value.get_secret_value() if hasattr(value, "get_secret_value") else value


def every_key() -> list[Key]:
    return [*KEYS, *(Key(("judges", "main", *key.steps), key.kinds) for key in JUDGE_KEYS)]


def test_a_file_gives_the_settings_and_the_rest_has_defaults(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        """
        seed = 3
        [kafka]
        bootstrap_servers = "k:9092"
        [sampling]
        rate = 0.5
        rows = ["politeness"]
        [judges.main]
        provider = "openai"
        model = "m"
        [judges.main.limits]
        calls_per_day = 5
        """,
    )
    settings = load_settings(file, {})
    assert (settings.seed, settings.kafka.bootstrap_servers, settings.sampling.rate) == (3, "k:9092", 0.5)
    assert settings.sampling.rows == ("politeness",)
    assert settings.judges["main"].limits.calls_per_day == 5
    assert settings.kafka.partitions == KafkaSettings().partitions
    assert load_settings(write(tmp_path, "\ufeffseed = 4\r\n"), {}).seed == 4


def test_the_file_in_the_working_directory_is_read_where_none_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_settings(None, {}).seed == Settings().seed
    write(tmp_path, "seed = 12")
    assert load_settings(None, {}).seed == 12
    assert load_settings(None, {"EVENHAND_SEED": "13"}).seed == 13


@pytest.mark.parametrize("key", every_key(), ids=lambda key: key.spelled)
def test_every_key_has_an_override(key: Key) -> None:
    text = '{"a": "b"}' if dict in key.kinds else "a, b" if tuple in key.kinds else "some text"
    data: dict[str, Any] = {"judges": {"main": {}}}
    variable = f"{PREFIX}{key.spelled}".upper()
    assert apply_overrides(data, Settings, {variable: text}) == {key.steps: variable}
    for step in key.steps:
        data = data[step]
    expected = {"a": "b"} if dict in key.kinds else ["a", "b"] if tuple in key.kinds else "some text"
    assert data == expected


def test_the_walk_over_the_keys_reaches_every_section() -> None:
    assert {key.steps[0] for key in KEYS} == set(Settings.model_fields) - {"judges"}
    assert named_tables(Settings) == {"judges": JudgeConfig}
    assert {key.steps[0] for key in JUDGE_KEYS} == set(JudgeConfig.model_fields)
    assert model_at(Settings, ["judges", "main"]) is JudgeConfig
    assert model_at(Settings, ["judges", "main", "nothing"]) is None
    assert model_at(Settings, ["seed"]) is None


@pytest.mark.parametrize("name", OVERRIDES)
def test_an_override_arrives_in_the_settings_and_wins_over_the_file(name: str, tmp_path: Path) -> None:
    file = write(tmp_path, '[judges.main]\nmodel = "m-1"\ntemperature = 1.0\n[sampling]\nrate = 0.1\n')
    text, expected = OVERRIDES[name]
    before, after = load_settings(file, {}), load_settings(file, {f"{PREFIX}{name}": text})
    assert at(after, f"{PREFIX}{name}") == expected
    assert at(before, f"{PREFIX}{name}") != expected


def test_an_empty_variable_is_no_value_where_the_key_may_have_none(tmp_path: Path) -> None:
    file = write(tmp_path, '[sampling]\nrows = ["politeness"]\n[clickhouse]\nretention_days = 5\n')
    settings = load_settings(file, {"EVENHAND_SAMPLING_ROWS": "", "EVENHAND_CLICKHOUSE_RETENTION_DAYS": ""})
    assert settings.sampling.rows is None
    assert settings.clickhouse.retention_days is None
    assert "EVENHAND_SAMPLING_RATE" in refusal(file, EVENHAND_SAMPLING_RATE="")


@pytest.mark.parametrize("name", ["second_opinion", "a_http", "limits", "gpt-4o", "Main", "model"])
def test_judges_whose_names_hold_underscores_capitals_or_dashes(name: str, tmp_path: Path) -> None:
    file = write(tmp_path, tomli_w.dumps({"judges": {name: {"model": "m-1"}, "other": {"model": "o"}}}))
    spelled = name.upper().replace("-", "_")
    settings = load_settings(
        file,
        {
            f"EVENHAND_JUDGES_{spelled}_MODEL": "m-2",
            f"EVENHAND_JUDGES_{spelled}_LIMITS_CALLS_PER_DAY": "4",
            f"EVENHAND_JUDGES_{spelled}_BASE_URL": "http://j/v1",
        },
    )
    assert list(settings.judges) == [name, "other"]
    judge = settings.judges[name]
    assert (judge.model, judge.limits.calls_per_day, judge.base_url) == ("m-2", 4, "http://j/v1")


def test_a_judge_can_come_from_the_environment_alone() -> None:
    settings = load_settings(
        None, {"EVENHAND_JUDGES_MY_OWN_MODEL": "m", "EVENHAND_JUDGES_MY_OWN_LIMITS_OUTAGE_SECONDS": "3"}
    )
    assert settings.judges["my_own"].limits.outage_seconds == 3


def test_a_service_of_ones_own_by_variables(tmp_path: Path) -> None:
    settings = load_settings(
        None,
        {
            "EVENHAND_JUDGES_OWN_PROVIDER": "http",
            "EVENHAND_JUDGES_OWN_MODEL": "qa",
            "EVENHAND_JUDGES_OWN_BASE_URL": "http://qa/judge",
            "EVENHAND_JUDGES_OWN_HTTP_BODY": '{"text": "{transcript}"}',
            "EVENHAND_JUDGES_OWN_HTTP_ANSWERS": "answers",
            "EVENHAND_JUDGES_OWN_HTTP_HEADERS": '{"Authorization": "Bearer {api_key}"}',
        },
    )
    http = settings.judges["own"].http
    assert http is not None
    assert http.body == {"text": "{transcript}"}
    message = refusal(None, EVENHAND_JUDGES_OWN_HTTP_HEADERS="Bearer x")
    assert message == "EVENHAND_JUDGES_OWN_HTTP_HEADERS: must be a JSON object"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("seeds = 1", ["seeds: no such key", "allowed here: seed"]),
        ("[kafak]\nx = 1", ["kafak: no such key", "kafka"]),
        ("[kafka]\nboostrap_servers = 'x'", ["kafka.boostrap_servers: no such key", "bootstrap_servers"]),
        ("[judges.main]\nmodel = 'm'\nmodle = 'n'", ["judges.main.modle: no such key", "base_url"]),
        ("[judges.main]\nmodel = 'm'\n[judges.main.limits]\nx = 1", ["judges.main.limits.x: no such", "calls_per_"]),
        ("[judges.main]\nmodel = 'm'\n[judges.main.flags]\nx = 1", ["judges.main.flags.x: no such", "reasons"]),
        ("[judges.main]\nprovider = 'openai'", ["judges.main.model: Field required"]),
        ("seed = 'x'", ["seed: Input should be a valid integer"]),
        ("kafka = 5", ["kafka: Input should be"]),
        ("judges = ['main']", ["judges: Input should be"]),
        ("[judges]\nmain = 'gpt'", ["judges.main: Input should be"]),
        ("[sampling]\nrate = 2.0", ["sampling.rate: Input should be less than or equal to 1"]),
        (
            "[sampling]\nrows = ['agent_height']",
            ["sampling.rows: no such row: agent_height", "allowed: agent_gender"],
        ),
        ("[sampling]\nrows = 'politeness'", ["sampling.rows"]),
        ("[kafka]\nsecurity_protocol = 'TLS'", ["kafka.security_protocol", "'SASL_SSL'"]),
        ("[judges.main]\nmodel = 'm'\nprovider = 'acme'", ["judges.main.provider", "'anthropic'"]),
        ("[kafka]\nbootstrap_servers = 'kafka://k:9092'", ["kafka.bootstrap_servers: must be host:port"]),
        ("[kafka]\nbootstrap_servers = 'k:port'", ["kafka.bootstrap_servers: must be host:port"]),
        ("[clickhouse]\ndsn = 'localhost'", ["clickhouse.dsn: ", "clickhouse://user:password@host:8123/database"]),
        ("[clickhouse]\ndsn = 'clickhouse://h:x/db'", ["clickhouse.dsn: the port or host can't be read"]),
        ("[sampling]\nrate = 2.0\nrepeats = 0", ["sampling.rate", "sampling.repeats"]),
        ("seed = ", ["is not TOML", "Invalid value"]),
        ("[kafka]\nx = 1\n[kafka]\n", ["is not TOML", "line 3"]),
    ],
)
def test_a_bad_file_is_refused_with_the_key_and_what_is_allowed(text: str, words: list[str], tmp_path: Path) -> None:
    message = refusal(write(tmp_path, text))
    assert [word for word in words if word not in message] == []
    assert str(tmp_path / "evenhand.toml") in message


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none.toml") == f"can't read {tmp_path / 'none.toml'}: No such file or directory"
    assert "Is a directory" in refusal(tmp_path)
    latin = tmp_path / "latin.toml"
    latin.write_bytes(b"default_judge = 'm\xe4in'")
    assert refusal(latin) == f"{latin} is not UTF-8"


@pytest.mark.parametrize(
    ("variable", "value", "words"),
    [
        ("EVENHAND_SAMPLING_RATE", "often", ["EVENHAND_SAMPLING_RATE: Input should be a valid number"]),
        (
            "EVENHAND_SAMPLING_ROWS",
            "politeness,x",
            ["EVENHAND_SAMPLING_ROWS: no such row: x", "allowed: agent_gender"],
        ),
        (
            "EVENHAND_KAFKA_SERVERS",
            "k",
            ["EVENHAND_KAFKA_SERVERS: no such key", "allowed in kafka: bootstrap_servers"],
        ),
        ("EVENHAND_JUDGES_MAIN_MODLE", "m", ["EVENHAND_JUDGES_MAIN_MODLE: no such key", "limits.calls_per_day"]),
        ("EVENHAND_JUDGES_MODEL", "m", ["EVENHAND_JUDGES_MODEL: no such key", "judges.NAME"]),
        ("EVENHAND_CLICKHOUSE_DSN", f"clickhouse://u:{SECRET}@h:x/db", ["EVENHAND_CLICKHOUSE_DSN: the port or host"]),
        ("EVENHAND_CLICKHOUSE_DSN", f"u:{SECRET}@h", ["EVENHAND_CLICKHOUSE_DSN: ", "clickhouse://user:password@"]),
        ("EVENHAND_JUDGES_MAIN_ATTEMPTS", "0", ["EVENHAND_JUDGES_MAIN_ATTEMPTS", "greater than or equal to 1"]),
        ("EVENHAND_JUDGES_MAIN_LIMITS_CALLS_PER_DAY", "x", ["EVENHAND_JUDGES_MAIN_LIMITS_CALLS_PER_DAY", "integer"]),
    ],
)
def test_a_bad_variable_is_refused_by_its_own_name(
    variable: str, value: str, words: list[str], tmp_path: Path
) -> None:
    message = refusal(write(tmp_path, "[judges.main]\nmodel = 'm'"), **{variable: value})
    assert [word for word in words if word not in message] == []


def test_an_override_of_what_is_no_table_in_the_file_is_told_about_the_file(tmp_path: Path) -> None:
    assert "kafka: Input should be" in refusal(write(tmp_path, "kafka = 5"), EVENHAND_KAFKA_GROUP="g")
    assert "judges.main: Input" in refusal(write(tmp_path, "judges.main = 5"), EVENHAND_JUDGES_MAIN_MODEL="m")


def test_variables_of_others_and_judges_keys_set_nothing(tmp_path: Path) -> None:
    file = write(tmp_path, "[judges.main]\nmodel = 'm'\napi_key_env = 'EVENHAND_JUDGES_MAIN_API_KEY'")
    environment = {
        "EVENHAND_JUDGES_MAIN_API_KEY": SECRET,
        "EVENHAND_SEEDS": "1",
        "EVENHAND_RUBRIC_X": "1",
        "SEED": "2",
    }
    settings = load_settings(file, environment)
    assert settings.seed == Settings().seed
    assert idle_variables(settings, environment) == ["EVENHAND_RUBRIC_X", "EVENHAND_SEEDS"]
    # The name of the key's variable may come from a variable as well.
    load_settings(None, {"EVENHAND_JUDGES_A_MODEL": "m", "EVENHAND_JUDGES_A_API_KEY_ENV": "EVENHAND_JUDGES_A_SECRET"})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"[kafka]\nsasl_password = '{SECRET}'", ["kafka.sasl_password", "EVENHAND_KAFKA_SASL_PASSWORD"]),
        (f"[clickhouse]\ndsn = 'clickhouse://u:{SECRET}@h:8123/db'", ["clickhouse.dsn", "EVENHAND_CLICKHOUSE_DSN"]),
        (f"[clickhouse]\ndsn = 'clickhouse://:{SECRET}@h:8123/db'", ["clickhouse.dsn"]),
        (f"[clickhouse]\ndsn = 'clickhouse://u:a/b@{SECRET}@h:8123/db'", ["clickhouse.dsn"]),
        (f"[clickhouse]\ndsn = 'https://h:8443/db?password={SECRET}'", ["clickhouse.dsn"]),
        (
            f"[judges.main]\nmodel = 'm'\nbase_url = 'https://u:{SECRET}@h/v1'",
            ["judges.main.base_url", "api_key_env"],
        ),
        (f"[judges.main]\nmodel = 'm'\nbase_url = 'https://h/v1?api-key={SECRET}'", ["judges.main.base_url"]),
        (
            "[judges.main]\nmodel = 'm'\nprovider = 'http'\nbase_url = 'https://h'\n"
            f"http = {{answers = 'a', body = {{t = '{{turns}}'}}, headers = {{Authorization = 'Bearer {SECRET}'}}}}",
            ["judges.main.http.headers.Authorization", "{api_key}"],
        ),
        (f"[judges.main]\nmodel = 'm'\napi_key = '{SECRET}'", ["judges.main.api_key: no such key", "api_key_env"]),
    ],
)
def test_secrets_in_the_file_are_refused(text: str, words: list[str], tmp_path: Path) -> None:
    message = refusal(write(tmp_path, text))
    assert [word for word in words if word not in message] == []


@pytest.mark.parametrize(
    "dsn",
    [
        "clickhouse://h:8123/db",
        "clickhouse://user@h:8123/db",
        "clickhouse://default:@127.0.0.1:8123/default",
        "clickhouse://user@[::1]:8123/db",
        "https://user@h/db?verify=false&client_cert_key=/k.pem",
    ],
)
def test_an_address_without_a_password_may_stand_in_the_file(dsn: str, tmp_path: Path) -> None:
    settings = load_settings(write(tmp_path, tomli_w.dumps({"clickhouse": {"dsn": dsn}})), {})
    assert settings.clickhouse.dsn.get_secret_value() == dsn


def test_no_output_shows_a_secret(tmp_path: Path) -> None:
    environment = {
        "EVENHAND_KAFKA_SASL_PASSWORD": SECRET,
        "EVENHAND_KAFKA_BOOTSTRAP_SERVERS": "127.0.0.1:9",
        "EVENHAND_CLICKHOUSE_DSN": f"clickhouse://u:{SECRET}@127.0.0.1:9/db",
        "EVENHAND_JUDGES_MAIN_MODEL": "m",
        "EVENHAND_JUDGES_MAIN_API_KEY_ENV": "EVENHAND_JUDGES_MAIN_API_KEY",
        "EVENHAND_JUDGES_MAIN_API_KEY": SECRET,
    }
    settings = load_settings(None, environment)
    assert settings.kafka.sasl_password is not None
    assert settings.kafka.sasl_password.get_secret_value() == SECRET
    shown = [repr(settings), str(settings), settings.model_dump_json(), json.dumps(settings.model_dump(mode="json"))]
    shown += [repr(settings.kafka), repr(settings.clickhouse)]
    for arguments in (["check"], ["check", "--json"], ["topics"], ["migrate"]):
        ran = run_here(*arguments, cwd=tmp_path, environment=environment)
        assert ran.code == 1
        shown += [ran.out, ran.err]
    assert [text for text in shown if SECRET in text] == []
    checked = json.loads(run_here("check", "--json", cwd=tmp_path, environment=environment).out)
    assert checked["configuration"]["clickhouse"]["dsn"] == "clickhouse://u@127.0.0.1:9/db"


@pytest.mark.parametrize("servers", ["k", "k:9092", "a:9092,b:9093", " a:9092 , b.c.d ", "[::1]:9092", "10.0.0.1:9"])
def test_addresses_of_kafka(servers: str) -> None:
    assert settings_of({"kafka": {"bootstrap_servers": servers}}).kafka.bootstrap_servers == servers


def test_a_mapping_is_checked_as_a_file_is() -> None:
    assert settings_of({"seed": 2}).seed == 2
    with pytest.raises(SettingsError, match=r"seeds: no such key.*\(the configuration\)"):
        settings_of({"seeds": 2})


def test_a_bad_configuration_ends_a_command_with_two_and_one_sentence(tmp_path: Path) -> None:
    write(tmp_path, "seeds = 1")
    for ran in (run("topics", cwd=tmp_path), run_here("perturb", "-", cwd=tmp_path)):
        assert ran.code == 2
        assert ran.said("seeds: no such key", "(evenhand.toml)")
        assert ran.out == ""
