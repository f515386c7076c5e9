"""Transcripts in, counterfactual variants out: pure functions of the record and a seed."""
