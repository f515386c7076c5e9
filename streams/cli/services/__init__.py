"""Commands that run or feed something: demo, worker, exporter, store, judge, ingest, alarms.

Not here: what they run.
"""
