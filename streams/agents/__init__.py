"""The stages of the stream: sample, perturb, evaluate, pair."""
