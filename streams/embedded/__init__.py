"""What a single machine runs in place of a cluster: broker and store, and the care of both as child processes."""
