"""The deployment record: a change of the production judge, announced by those who make it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import BaseModel, Field, JsonValue, model_validator

from perturbations.records.hashing import digest
from perturbations.records.reading import OUTSIDE, known_version, read_record
from perturbations.records.transcript import Moment

SCHEMA_VERSION = 1


class Deployment(BaseModel):
    """From `occurred_at` on this model is behind this judge.

    Only `judge` (a name of the configuration) and `model` are required; `deployment_id` is computed and
    `occurred_at` is when the broker took the record where they are absent. `previous_model` is what the judge ran
    before, the judge's previous deployment where it is absent. `details` is any JSON object.
    """

    model_config = OUTSIDE

    schema_version: int = SCHEMA_VERSION
    deployment_id: Annotated[str, Field(max_length=500)] | None = None
    judge: Annotated[str, Field(min_length=1, max_length=500)]
    provider: str = ""
    model: Annotated[str, Field(min_length=1, max_length=500)]
    served_model: str | None = None
    previous_model: str | None = None
    occurred_at: Moment | None = None
    details: dict[str, JsonValue] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _known_version(cls, data: Any) -> Any:
        return known_version(data, SCHEMA_VERSION)

    def with_id(self, *, taken_at: datetime | None = None) -> Deployment:
        """The same deployment with its id, computed where it is absent or empty.

        One that doesn't say when it happened happened when it was taken, where that is given.
        """
        occurred_at = self.occurred_at or taken_at
        if self.deployment_id and occurred_at == self.occurred_at:
            return self
        moment = None if occurred_at is None else occurred_at.isoformat()
        computed = digest("deployment", self.judge, self.provider, self.model, self.served_model, moment)
        return Deployment(
            schema_version=self.schema_version,
            deployment_id=self.deployment_id or computed,
            judge=self.judge,
            provider=self.provider,
            model=self.model,
            served_model=self.served_model,
            previous_model=self.previous_model,
            occurred_at=occurred_at,
            details=self.details,
        )


def read_deployment(raw: bytes | None) -> Deployment:
    """The deployment in `raw`. Raises RecordError with the reasons of `read_record`, or `unknown_schema_version`."""
    return read_record(Deployment, raw)


def lines_of(deployments: Iterable[Deployment]) -> dict[str, str]:
    """The judge behind which each announced model stands, by model: what puts two models into one line.

    A model that was announced for several judges stands behind the last one.
    """
    lines: dict[str, str] = {}
    for deployment in sorted(deployments, key=_order):
        line = f"judges.{deployment.judge}"
        if deployment.previous_model:
            lines.setdefault(deployment.previous_model, line)
        lines[deployment.model] = line
    return lines


def _order(deployment: Deployment) -> tuple[datetime, str]:
    return (deployment.occurred_at or datetime.min.replace(tzinfo=UTC), deployment.with_id().deployment_id or "")
