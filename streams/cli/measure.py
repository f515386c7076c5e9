"""`evenhand measure`."""
