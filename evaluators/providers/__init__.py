"""The table of providers, and one adapter for each one's SDK: translation only.

Not here: retries and limits (`calling`), the meaning of a reply (`replies`).
"""
