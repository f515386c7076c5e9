"""One adapter for each provider's SDK: translation only."""
