"""One adapter for each provider's SDK: translation only.

Not here: retries and limits (`calling`), the meaning of a reply (`replies`).
"""
