"""What runs a stage: the Faust app, acks in order, dead letters, outages waited out, batches, logs.

Not here: what a stage does (`agents`).
"""
