"""A small real model on this machine: what it needs, how it is started, and how it is asked (optional extra)."""
