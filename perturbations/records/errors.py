"""What can go wrong with a record.

RecordError
    a record that can't be read: bad bytes, wrong types, an unknown schema version
"""

from __future__ import annotations


class RecordError(Exception):
    """A record that can't be handled.

    `reason` is one word of a small fixed vocabulary, fit for a metric label. `detail` says what is wrong and
    where, without repeating any of the record's text: transcripts are personal data.

    Not a ValueError: pydantic would catch one inside a validator and lose the reason.
    """

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail
