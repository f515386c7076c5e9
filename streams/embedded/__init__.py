"""What a single machine runs in place of a cluster: broker and store, cared for as child processes.

Not here: stages and figures.
"""
