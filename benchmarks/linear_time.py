"""Whether time grows in step with the input: every piece of work once on half of its input and once on all of it.

    python -m benchmarks.linear_time [--repeats 3]

Twice the input should take about twice as long; work in the square of the input takes four times as long. Times are
CPU seconds, the least of the repeats. Exit code 1 where a ratio is 3 or more, or a time above its limit: what a call
of that size may take on a slow machine.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from perturbations.draw import Draw
from perturbations.finding.agent import find_agent
from perturbations.materials import own_materials
from perturbations.records.edit import Edit, Replacement, apply_edits, revert_edits
from perturbations.records.transcript import Person, Speaker, Transcript, Turn
from perturbations.rows import ROWS, rows_of
from perturbations.style.restyle import style_rule
from perturbations.text.facts import email_domains, emails, numbers, urls
from perturbations.text.word_edits import word_edits
from perturbations.variant_maker import VariantMaker

MOST = 3.0
"""The ratio from which on growth is no longer linear."""

LEAST_SECONDS = 0.05
"""A shorter time says nothing of its growth."""

AGENT = "Okay, Ana. Could you please give me your number, I'm sorry to ask? This is Michael."
CUSTOMER = "Yes Michael, it is four five one one, sir. My name is Ana and I want to know how it is."
UNMARKED = AGENT.lower().replace(",", "").replace(".", "").replace("?", "")
SPELLED = "yes sir mary said m a r y and my name is on it thank you mary (she/her) "
LONG_WORDS = ("a", "a.", "@", "a@", "www.", "1", "a@b.")
REPEATED = ("please ", "so ", "sorry so ", "a ", "can you ", "\u2019", "could you tell ")

STYLE_ROWS = tuple(row.name for row in rows_of("style"))
ONE_OF_EACH_KIND = ("agent_gender", "agent_ethnicity_cues", "agent_disability", "agent_profile", *STYLE_ROWS)
STYLE_ARMS = tuple(
    (row, attribute) for row in STYLE_ROWS for attribute in ROWS[row].attributes if attribute != "original"
)

Work = Callable[[], object]


@dataclass(frozen=True)
class Case:
    """A piece of work: `prepare` makes it for a size; `limit_seconds` is the most that it may take at `size`.

    Work that isn't `linear` has a limit alone.
    """

    name: str
    prepare: Callable[[int], Work]
    size: int
    limit_seconds: float | None = None
    linear: bool = True


@dataclass(frozen=True)
class Growth:
    """The CPU seconds of a case at half of its size and at all of it."""

    case: Case
    half_seconds: float
    seconds: float

    @property
    def ratio(self) -> float | None:
        """How many times longer twice the input took; None where it is too quick to say."""
        return self.seconds / self.half_seconds if self.seconds >= LEAST_SECONDS else None

    @property
    def is_quick(self) -> bool:
        """Whether the ratio stays below the bound, and the time below its limit."""
        limit = self.case.limit_seconds
        grows = self.case.linear and self.ratio is not None and self.ratio >= MOST
        return not grows and (limit is None or self.seconds < limit)


def cases() -> Iterator[Case]:
    """Everything that is measured, at the sizes of very long calls."""
    yield Case("one row of each kind, many turns", _every_kind_by_turns, 2_000)
    for name, text in (("with marks", AGENT), ("without marks", UNMARKED)):
        yield Case(f"one row of each kind, a long turn {name}", partial(_every_kind_by_words, text), 16_000)
    yield Case("who the agent is, many turns", _agent_by_turns, 2_000, 4.0)
    yield Case("who the agent is, long turns", _agent_by_words, 2_000, 4.0)
    yield Case("edits applied and taken back", _edits, 20_000, 2.0)
    # difflib compares every place of a word that is repeated with every other.
    yield Case("edits between two long texts", _edits_between, 3_000, 10.0, linear=False)
    yield Case("facts in very long words", _facts, 50_000, 3.0)
    for row, attribute in STYLE_ARMS:
        yield Case(f"{row} {attribute}, a two-hour call", partial(_restyled_call, row, attribute), 2_000, 1.0)
        yield Case(f"{row} {attribute}, one very long turn", partial(_restyled_turn, row, attribute), 8_000, 21.0)


def measured(case: Case, *, repeats: int) -> Growth:
    """The case's times, each the least of the repeats."""
    return Growth(case, _seconds(case, case.size // 2, repeats), _seconds(case, case.size, repeats))


def _seconds(case: Case, size: int, repeats: int) -> float:
    work = case.prepare(size)
    times = []
    for _ in range(repeats):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return min(times)


def _every_kind(transcript: Transcript) -> Work:
    maker = VariantMaker(own_materials())
    arms = [(ROWS[row], attribute) for row in ONE_OF_EACH_KIND for attribute in ROWS[row].attributes]
    return lambda: asyncio.run(maker.variants(transcript, arms, seed=7))


def _every_kind_by_turns(turns: int) -> Work:
    return _every_kind(_call(("agent", AGENT), ("customer", CUSTOMER), times=turns // 2))


def _every_kind_by_words(text: str, words: int) -> Work:
    giant = " ".join([text] * (words // len(text.split())))
    return _every_kind(_call(("agent", giant), ("customer", giant), ("agent", "Bye.")))


def _agent(filler: str, turns: int) -> Work:
    spoken: list[tuple[Speaker, str]] = [("agent", "my name is mary how can i help")]
    transcript = _call(*spoken, *[("customer" if n % 2 else "agent", filler) for n in range(turns)])
    return lambda: find_agent(transcript)


def _agent_by_turns(turns: int) -> Work:
    return _agent(SPELLED, turns)


def _agent_by_words(words: int) -> Work:
    return _agent(SPELLED * words, 1)


def _edits(count: int) -> Work:
    turns = tuple(Turn(speaker="agent", text="please hold") for _ in range(count))
    edits: Sequence[Edit] = [
        Replacement(turn=n, start=0, end=6, before="please", after="kindly") for n in range(count)
    ]
    return lambda: revert_edits(apply_edits(turns, edits), edits)


def _edits_between(words: int) -> Work:
    before = " ".join(f"word{number} and so" for number in range(words))
    after = before.replace(f"word{words - 1}", "other")
    return lambda: word_edits(0, before, after)


def _facts(length: int) -> Work:
    texts = [piece * length for piece in LONG_WORDS]
    return lambda: [(emails(text), urls(text), numbers(text), email_domains(text)) for text in texts]


def _restyled_call(row: str, attribute: str, turns: int) -> Work:
    return _restyled(row, attribute, [_call(("agent", AGENT), ("customer", CUSTOMER), times=turns // 2)])


def _restyled_turn(row: str, attribute: str, words: int) -> Work:
    return _restyled(row, attribute, [_call(("agent", piece * words)) for piece in REPEATED])


def _restyled(row: str, attribute: str, transcripts: Sequence[Transcript]) -> Work:
    write = style_rule(ROWS[row])
    return lambda: [write(each, Draw(7, each.transcript_id, row, attribute, 0)) for each in transcripts]


def _call(*spoken: tuple[Speaker, str], times: int = 1) -> Transcript:
    turns = tuple(Turn(speaker=speaker, text=text) for speaker, text in spoken)
    return Transcript(transcript_id="c-1", turns=turns * times, agent=Person(), customer=Person())


def main(say: Callable[[str], None] = print) -> None:
    """Print one line for each piece of work, and fail where its time grows too fast."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    say(f"{'work':58} {'size':>7} {'half s':>8} {'all s':>8} {'ratio':>6} {'limit s':>8}")
    too_slow = 0
    for case in cases():
        growth = measured(case, repeats=options.repeats)
        ratio = "-" if growth.ratio is None else f"{growth.ratio:.2f}"
        limit = "-" if case.limit_seconds is None else f"{case.limit_seconds:g}"
        mark = "" if growth.is_quick else "  TOO SLOW"
        too_slow += not growth.is_quick
        times = f"{growth.half_seconds:8.3f} {growth.seconds:8.3f} {ratio:>6} {limit:>8}"
        say(f"{case.name:58} {case.size:7,} {times}{mark}")
    raise SystemExit(1 if too_slow else 0)


if __name__ == "__main__":
    main()
