"""The checker: an operator's command run on the attempt, against a pinned copy of a test folder. It is no sandbox."""
