"""The normalized conversation (SPEC 1), the formats it is read from, and what reading had to say."""
