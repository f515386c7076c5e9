"""What is asked of which transcript: sampling, the design of arms, anchors. All by hashes of ids.

Not here: how an arm is written.
"""
