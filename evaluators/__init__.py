"""Variants in, the judge's evaluations out."""
