"""Variants in, the judge's evaluations out.

Not here: pairs and figures (`metrics`), Kafka (`streams`).
"""
