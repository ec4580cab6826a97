"""The judges' rubrics and reply schemas, and the loader that reads them from the package."""
