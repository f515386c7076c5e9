"""Evaluations from files, for commands that measure."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from evaluators.evaluation import Evaluation
from metrics.pairs.evaluation_lines import read_evaluations
from streams.cli.input_file import readable
from streams.cli.terminal import say
from streams.lines import read_lines


def read_evaluation_files(files: Sequence[str]) -> tuple[list[Evaluation], int]:
    """The evaluations of these files (`-` for standard input), and how many lines were none.

    Each bad line is told on stderr with its file and number. Raises InputError for a file that can't be read.
    """
    evaluations: list[Evaluation] = []
    bad = 0
    for file in files:
        with readable(file), _kept_for_good():
            reading = read_evaluations(read_lines(file), file="standard input" if file == "-" else file)
        evaluations += reading.evaluations
        bad += len(reading.bad_lines)
        for line in reading.bad_lines:
            say(str(line))
    return evaluations, bad


@contextmanager
def _kept_for_good() -> Iterator[None]:
    # What is read stays until the command ends. The collector would walk all of it again and again, which takes three
    # times as long as the reading.
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
