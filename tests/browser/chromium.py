"""Finds the Chromium that the browser tests drive; run as a command, it installs one where there is none.

The order: the one named by CHROMIUM, an installed one, playwright's own. Installing tries Debian's package (as root),
then playwright's download.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

#: The tests' browser talks to nobody but the page under test.
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
    "--disable-component-update",
    "--disable-sync",
    # Only loopback has an address, so nothing can leave the machine even if it tries.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)

_NAMES = ("chromium", "chromium-browser", "google-chrome")


def find_chromium() -> Path | None:
    """The browser's executable, or None where there is none."""
    named = os.environ.get("CHROMIUM")
    if named:
        return Path(named)
    for name in _NAMES:
        found = shutil.which(name)
        if found:
            return Path(found)
    with sync_playwright() as playwright:
        bundled = Path(playwright.chromium.executable_path)
    return bundled if bundled.exists() else None


def install_chromium() -> Path | None:
    """Install a browser and return its executable, or None where each way failed (each says why by itself)."""
    apt = shutil.which("apt-get")
    if apt and os.geteuid() == 0:
        subprocess.run([apt, "update", "-qq"], check=False)
        command = [apt, "install", "-y", "-qq", "--no-install-recommends", "chromium"]
        subprocess.run(command, check=False, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})
    if find_chromium() is None:
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
    return find_chromium()


def main() -> int:
    """Say which browser the tests drive, and fail where there is none."""
    browser = find_chromium() or install_chromium()
    if browser is None:
        print("No Chromium found and none could be installed. Install one, or name it: CHROMIUM=/path make test")
        return 1
    print(f"Browser tests drive {browser}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
