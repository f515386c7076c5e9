"""From the judge's text to answers: schema, extraction, strict reading.

Not here: calls, and guesses.
"""
