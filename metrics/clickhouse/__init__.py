"""ClickHouse: the one place that knows the tables and the client.

Not here: estimators and thresholds.
"""
