"""Notebooks and conversations that run as they stand."""
