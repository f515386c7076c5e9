"""ClickHouse: the one place that knows the tables and the client."""
