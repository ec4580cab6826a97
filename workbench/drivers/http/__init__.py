"""The HTTP driver: live models behind four wire formats. The only package that imports httpx."""
