"""Wiring: the Faust app, the command line, settings and the embedded parts."""
