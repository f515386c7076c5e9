"""From the store to people: the exporter and the watch for alarms.

Not here: how figures are made (`metrics`).
"""
