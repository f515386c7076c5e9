"""What a worker logs: our own lines, and of the libraries what matters, once in a while."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from streams.runtime.logs import Throttle, set_up_logging


def record(name: str, line: int = 1, level: int = logging.ERROR) -> logging.LogRecord:
    return logging.LogRecord(name, level, "file.py", line, "message", None, None)


def test_a_librarys_line_passes_once_in_a_while() -> None:
    clock = [0.0]
    throttle = Throttle(10.0, lambda: clock[0])
    passed = []
    for moment in (0.0, 0.1, 5.0, 9.9, 10.0, 10.1, 25.0):
        clock[0] = moment
        passed.append(throttle.filter(record("aiokafka.consumer")))
    assert passed == [True, False, False, False, True, False, True]


def test_different_lines_and_libraries_do_not_hide_each_other() -> None:
    throttle = Throttle(10.0, lambda: 0.0)
    records = [record("aiokafka", 1), record("aiokafka", 2), record("faust", 1), record("aiokafka", 1)]
    assert [throttle.filter(record) for record in records] == [True, True, True, False]


def test_our_own_lines_always_pass() -> None:
    throttle = Throttle(10.0, lambda: 0.0)
    assert [throttle.filter(record(name)) for name in ("evenhand", "evenhand", "evenhand.x", "evenhanded")] == [
        True
    ] * 4
    assert not throttle.filter(record("evenhanded"))


@pytest.fixture
def logging_restored() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers.copy(), root.level
    names = [name for name in logging.root.manager.loggerDict if isinstance(name, str)]
    levels = {name: logging.getLogger(name).level for name in names}
    try:
        yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
        for name in logging.root.manager.loggerDict:
            logging.getLogger(name).setLevel(levels.get(name, logging.NOTSET))


@pytest.mark.usefixtures("logging_restored")
@pytest.mark.parametrize("verbose", [False, True])
def test_our_own_from_info_and_libraries_from_error_or_warning(
    verbose: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    set_up_logging(verbose=verbose)
    logging.getLogger("evenhand").info("ours")
    logging.getLogger("evenhand").debug("too much")
    for name in ("faust.app", "mode.worker", "aiokafka", "openai", "httpx"):
        logging.getLogger(name).info("info of %s", name)
        logging.getLogger(name).warning("warning of %s", name)
        logging.getLogger(name).error("error of %s", name)
    out, err = capsys.readouterr()
    assert out == ""
    assert "INFO evenhand ours" in err
    assert "too much" not in err
    assert "info of" not in err
    assert err.count("error of") == 5
    assert err.count("warning of") == (5 if verbose else 0)
