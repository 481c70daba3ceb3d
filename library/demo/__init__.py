"""A small social site of our own for trying and testing; it is not part of a running Runhome."""
