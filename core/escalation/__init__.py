"""The escalation judge's pure parts: transcript, verdict, streak, handoff (SPEC 6.2)."""
