"""The stages of the stream: sample, perturb, evaluate, pair, deploy.

Not here: Faust, acks, and retries of a store.
"""
