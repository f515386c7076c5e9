"""Evaluations in, pairs and fairness figures out."""
