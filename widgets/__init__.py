"""Views of the core's results: panels, figures and the surfaces that carry them. They know no driver."""
