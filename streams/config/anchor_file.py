"""The configured anchors, read and checked at start."""

from __future__ import annotations

from perturbations.arms import with_rubric
from perturbations.records.errors import RecordError
from perturbations.records.transcript import Transcript, read_transcript
from streams.config.errors import SettingsError
from streams.config.form import rubric_of
from streams.config.settings import Settings
from streams.lines import read_lines


def anchors_of(settings: Settings) -> tuple[Transcript, ...]:
    """The anchors with their questions; none where no file is configured. Raises SettingsError with file and line."""
    file = settings.anchors.file
    if file is None:
        return ()
    rubric, anchors = rubric_of(settings), dict[str, Transcript]()
    try:
        for number, line in read_lines(str(file)):
            transcript = read_transcript(line, max_bytes=settings.sampling.max_transcript_bytes)
            if transcript.transcript_id in anchors:
                raise SettingsError(f"anchors.file: {file}:{number}: a transcript_id that an earlier line has")
            anchors[transcript.transcript_id] = with_rubric(transcript, rubric)
    except RecordError as error:
        raise SettingsError(f"anchors.file: {file}:{number}: {error}") from None
    except OSError as error:
        raise SettingsError(f"anchors.file: can't read {file}: {error.strerror}") from None
    if not anchors:
        raise SettingsError(f"anchors.file: {file} holds no transcript")
    return tuple(anchors.values())
