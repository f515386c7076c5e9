"""The simulated judge: a local OpenAI-compatible server whose unfairness is planted, so that truth is known.

Not here: anything that a real judge needs.
"""
