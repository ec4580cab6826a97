"""Verification-gated routing: text, record, views, capabilities, branch, rules and decision (SPEC 1-5, 7)."""
