"""The three algorithms as a bench runs them: events of a run, result, and each one's own part of the screen."""
