"""`evenhand schema`."""

from __future__ import annotations

import json

import click
from pydantic import BaseModel

from evaluators.evaluation import Evaluation
from evaluators.judges.deployment import Deployment
from metrics.pairs.pair import Pair
from perturbations.records.transcript import Transcript
from perturbations.records.variant import Variant
from streams.cli.options import with_settings
from streams.config.settings import Settings

RECORDS: dict[str, type[BaseModel]] = {
    "transcript": Transcript,
    "variant": Variant,
    "evaluation": Evaluation,
    "pair": Pair,
    "deployment": Deployment,
}


@click.command(epilog="Examples: evenhand schema;  evenhand schema transcript > transcript.schema.json")
@click.argument("name", required=False, type=click.Choice(list(RECORDS)))
@with_settings
def schema(settings: Settings, *, name: str | None) -> None:
    """Print the JSON Schema of one record, or of all as one object by name."""
    chosen = {name: RECORDS[name]} if name is not None else RECORDS
    schemas = {record: model.model_json_schema() for record, model in chosen.items()}
    click.echo(json.dumps(schemas[name] if name is not None else schemas, indent=2))
