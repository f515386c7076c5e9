"""Calls of a judge: how an evaluation is split into calls, retries, limits, cache, circuit breaker.

Not here: an SDK (`providers`), and what the text means (`replies`).
"""
