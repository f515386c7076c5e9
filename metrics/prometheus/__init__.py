"""What Prometheus scrapes: a worker's counters, the exporter's gauges.

Not here: how a figure is made.
"""
