"""Kafka without Faust: clients, topics, transcripts sent from a file, what a topic let go.

Not here: stages.
"""
