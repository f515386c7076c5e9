"""The version of evenhand, said once: the build reads it here, and the command line needn't search for it."""

VERSION = "0.1.0"
