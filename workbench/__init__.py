"""The shell: drivers, turn runners, sessions, records, and the app that binds a session to the widgets."""
