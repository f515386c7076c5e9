"""Where a profile comes from: a TOML file in, a Profile out whose figures a judge can show.

ProfileError
    a profile that can't be read, or that asks for figures which no judge could show
"""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path
from typing import ClassVar

from pydantic import ValidationError

from evaluators.simulated.planting import plant
from evaluators.simulated.profile_records import Profile
from evaluators.simulated.strength import Unplantable


class ProfileError(Exception):
    """A profile that can't be used; the message names the key and what is allowed."""

    exit_code: ClassVar[int] = 2


def load_profile(source: Path | bytes) -> Profile:
    """The profile in a TOML file, or in its bytes. Raises ProfileError."""
    where = "the profile" if isinstance(source, bytes) else str(source)
    try:
        raw = source if isinstance(source, bytes) else source.read_bytes()
        profile = Profile.model_validate(tomllib.loads(raw.decode("utf-8")))
        plant(profile)
    except OSError as error:
        raise ProfileError(f"{where} can't be read: {error.strerror}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ProfileError(f"{where} is not TOML: {error}") from None
    except ValidationError as error:
        raise ProfileError(f"{where}: {_described(error)}") from None
    except Unplantable as error:
        raise ProfileError(f"{where}: {error}") from None
    return profile


def default_profile() -> Profile:
    """The profile that the demo's judge has."""
    return load_profile(files("evaluators").joinpath("simulated", "profile.toml").read_bytes())


def _described(error: ValidationError) -> str:
    problems = error.errors(include_url=False, include_context=False, include_input=False)
    places = [(".".join(str(step) for step in problem["loc"]), problem["msg"]) for problem in problems]
    return "; ".join(f"{place}: {message}" if place else message for place, message in places)
