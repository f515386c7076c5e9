"""The identity rows: the agent renamed, regendered, or given a remark; the names and cues that are drawn.

Not here: finding the agent (`finding`).
"""
