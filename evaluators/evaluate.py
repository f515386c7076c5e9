"""One arm in, one evaluation out, whatever happens to the judge: a failure is a value, with a reason."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import datetime

from evaluators.breaker import is_outage
from evaluators.errors import OutOfService, ProviderError, TimedOut
from evaluators.evaluation import Evaluation, Judge, Usage, evaluation_id
from evaluators.gate import Gate, make_gate
from evaluators.judge_config import JudgeConfig, epoch_of
from evaluators.models import ModelCard, model_card
from evaluators.parse import ParsedReply, parse_reply
from evaluators.price import cost_dollars
from evaluators.prompt import auto_qa_prompt
from evaluators.provider import LADDER, Completion, JudgeRequest, Provider
from evaluators.providers.build import build_provider
from evaluators.reply_schema import reply_schema
from evaluators.retry import Backoff, Retries
from evaluators.tokens import input_was_cut, output_budget, together
from perturbations.rows import ORIGINAL, ROBUSTNESS
from perturbations.variant import VariantMessage

_LOG = logging.getLogger(__name__)

ROUNDS_BESIDE_SUCCESSES = 2
"""How often an evaluation that met an outage starts its attempts anew although others got through meanwhile."""

LARGER_BUDGET = 4
"""How many times the budget an answer that was cut off gets at its second and last try."""


@dataclass(frozen=True)
class JudgeClient:
    """A judge that can be asked: its configuration, and a connection to it that must be closed.

    `monotonic` gives seconds, for latencies; `sleep` waits between attempts.
    """

    config: JudgeConfig
    provider: Provider
    gate: Gate
    backoff: Backoff = field(default_factory=Backoff)
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    monotonic: Callable[[], float] = time.monotonic

    @property
    def system_id(self) -> str:
        """The judge as a system."""
        return self.config.system_id

    @property
    def card(self) -> ModelCard:
        """What is known of the model."""
        return model_card(self.config)

    async def aclose(self) -> None:
        """Releases the connections."""
        await self.provider.aclose()


def make_judge(config: JudgeConfig, api_key: str | None, *, patient: bool = False) -> JudgeClient:
    """The judge, ready to be asked; close it with `aclose`.

    `api_key` is the value of the variable that `api_key_env` names. `patient` is for streams: an outage of the judge
    then pauses its evaluations for as long as it lasts, instead of the configured time. Raises JudgeConfigError where
    the provider's own service would be asked without a key, or a budget in dollars goes without a price.
    """
    gate = make_gate(config, patient=patient)
    return JudgeClient(config=config, provider=build_provider(config, api_key), gate=gate)


async def evaluate(message: VariantMessage, judge: JudgeClient, *, now: Callable[[], datetime]) -> Evaluation:
    """What the judge says about this arm.

    Never raises but for being cancelled: a judge that can't be asked gives outcome `error` with the reason in one
    word. `latency_seconds` is how long the last request took, without waits; `attempts` counts the requests sent.
    """
    draft = _draft(message, judge)
    if not message.variant.turns:
        return _with(draft, outcome="skipped", reason="no_variant", evaluated_at=now())
    if not message.questions:
        return _with(draft, outcome="skipped", reason="no_questions", evaluated_at=now())
    if not judge.gate.budget.take(now()):
        return _with(draft, outcome="skipped", reason="budget", evaluated_at=now())
    asked = _Asked(judge, now)
    request = _request(message, judge, draft.evaluation_id or "")
    try:
        completion = await asked.complete(request)
        reply = _read(completion, message, judge.config)
        if reply.outcome == "truncated" and reply.reason == "output":
            completion = await asked.with_larger_budget(request, completion)
            reply = _read(completion, message, judge.config)
    except ProviderError as error:
        return asked.noted(_with(draft, outcome="error", reason=error.reason, evaluated_at=now()))
    except Exception as error:
        # A fault of ours or of an SDK: one arm's evaluation fails, not the stream. The message might hold text.
        _LOG.error("asking the judge failed unexpectedly: %s", type(error).__name__)
        return asked.noted(_with(draft, outcome="error", reason="internal", evaluated_at=now()))
    return asked.noted(
        _with(
            draft,
            outcome=reply.outcome,
            reason=reply.reason,
            answers=reply.answers,
            positive_score=reply.positive_score,
            improvement_score=reply.improvement_score,
            notes=reply.notes,
            notes_outcome=reply.notes_outcome,
            judge=draft.judge.model_copy(update={"served_model": completion.served_model}),
            epoch=epoch_of(judge.system_id, completion.served_model, dict(completion.parameters)),
            evaluated_at=now(),
        )
    )


@dataclass
class _Asked:
    """The requests of one evaluation, counted and timed."""

    judge: JudgeClient
    now: Callable[[], datetime]
    requests: int = 0
    latency_seconds: float | None = None
    usage: Usage | None = None

    async def complete(self, request: JudgeRequest) -> Completion:
        """A completion, after retries; an outage that is waited out starts them anew."""
        breaker = self.judge.gate.breaker
        retries = Retries(self.judge.config.attempts, self.judge.backoff, self.now, self.judge.sleep)
        failed_beside_successes = 0
        while True:
            was_open, outages = breaker.is_open, breaker.outages
            try:
                return await retries.call(lambda: self._once(request))
            except ProviderError as error:
                if not is_outage(error):
                    raise
                if not breaker.is_waited_out:
                    # Where others got through meanwhile the outage is over, or it is about this arm alone.
                    failed_beside_successes += 1
                    met_outage = was_open or breaker.outages != outages
                    if breaker.is_open or not met_outage or failed_beside_successes > ROUNDS_BESIDE_SUCCESSES:
                        raise

    async def with_larger_budget(self, request: JudgeRequest, cut: Completion) -> Completion:
        """A second try at an answer that was cut off; the cut one where that gives none."""
        # Another request, so another key: a provider that keeps replies by key would send the cut one again.
        larger = replace(
            request,
            max_output_tokens=request.max_output_tokens * LARGER_BUDGET,
            idempotency_key=f"{request.idempotency_key}:larger",
        )
        try:
            return await self.complete(larger)
        except ProviderError:
            return cut

    def noted(self, evaluation: Evaluation) -> Evaluation:
        """The evaluation with what it took, counted against the budget."""
        usage = self.usage or Usage()
        self.judge.gate.budget.spend(cost_dollars(usage, self.judge.card.price))
        return _with(evaluation, attempts=self.requests, latency_seconds=self.latency_seconds, usage=usage)

    async def _once(self, request: JudgeRequest) -> Completion:
        gate = self.judge.gate
        await gate.rates.wait(request.tokens)
        async with gate.concurrency.slot() as number:
            if not await gate.breaker.admit():
                raise OutOfService("the judge is out of service; ask again when it is back", requests=0)
            started = self.judge.monotonic()
            try:
                completion = await self._within_time(request)
            except ProviderError as error:
                gate.failed(error, number)
                self._count(error.requests, started)
                raise
            except BaseException:
                gate.breaker.abandoned()
                self._count(1, started)
                raise
            gate.succeeded()
            self._count(completion.requests, started)
        self.usage = completion.usage if self.usage is None else together(self.usage, completion.usage)
        return completion

    async def _within_time(self, request: JudgeRequest) -> Completion:
        limit = self.judge.config.timeout_seconds
        try:
            async with asyncio.timeout(limit):
                return await self.judge.provider.complete(request)
        except TimeoutError:
            raise TimedOut(f"the judge gave no complete reply within {limit:g} s; raise timeout_seconds") from None

    def _count(self, requests: int, started: float) -> None:
        self.requests += requests
        self.latency_seconds = self.judge.monotonic() - started


def _read(completion: Completion, message: VariantMessage, config: JudgeConfig) -> ParsedReply:
    if input_was_cut(completion):
        return ParsedReply("truncated", "input")
    return parse_reply(
        completion.text,
        message.questions,
        stop=completion.stop,
        refused=completion.refused,
        has_confidence=config.http is None or config.http.has_confidence,
    )


def _request(message: VariantMessage, judge: JudgeClient, key: str) -> JudgeRequest:
    variant, config, card = message.variant, judge.config, judge.card
    prompt = auto_qa_prompt(message.questions, variant.turns, variant.header)
    parameters = {"temperature": config.temperature, "top_p": config.top_p, "effort": config.effort}
    return JudgeRequest(
        system=prompt.system,
        user=prompt.user,
        schema=reply_schema(message.questions),
        idempotency_key=key,
        max_output_tokens=config.max_output_tokens or output_budget(len(message.questions), reasons=card.reasons),
        parameters={name: value for name, value in parameters.items() if value is not None},
        mode=max(config.output_mode, card.mode, key=LADDER.index),
        questions=message.questions,
        turns=variant.turns,
        header=variant.header,
    )


def _draft(message: VariantMessage, judge: JudgeClient) -> Evaluation:
    """All that is known before the judge is asked, with the outcome of an evaluation that never came about."""
    variant = message.variant
    original = variant.status == "original"
    row, attribute = (ROBUSTNESS, ORIGINAL) if original else (variant.row, variant.attribute)
    draw = 0 if original else variant.draw
    system_id = judge.system_id
    return Evaluation(
        evaluation_id=evaluation_id(
            variant.transcript_id, message.transcript_hash, row, attribute, draw, message.repeat, system_id
        ),
        transcript_id=variant.transcript_id,
        transcript_hash=message.transcript_hash,
        received_at=message.received_at,
        row=row,
        attribute=attribute,
        draw=draw,
        repeat=message.repeat,
        system_id=system_id,
        judge=Judge(provider=judge.config.provider, model=judge.config.model),
        # The model that would have served is unknown; no pair is ever made of such an evaluation.
        epoch="",
        occurred_at=message.occurred_at,
        outcome="error",
        domain=message.domain,
        channel=message.channel,
        language=message.language,
        labels=message.labels,
    )


def _with(evaluation: Evaluation, **update: object) -> Evaluation:
    return evaluation.model_copy(update=update)
