"""Routing Workbench."""
