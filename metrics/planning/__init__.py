"""What a wanted precision takes: transcripts, calls, money, days.

Not here: measured figures.
"""
