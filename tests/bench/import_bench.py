"""Bench of the import: `import routing_workbench` against what any script imports anyway; `make bench` runs it.

Each import runs in an interpreter of its own, the two in turn; the medians are given. Wanted: at most 50 ms more than
`import json, asyncio`. `routing_workbench.analyze` is given beside it, which loads the core and the shell.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from statistics import median

BASE = "import json, asyncio"
MEASURED = {
    "import routing_workbench": f"{BASE}, routing_workbench",
    "routing_workbench.analyze": f"{BASE}, routing_workbench; routing_workbench.analyze",
}
#: Milliseconds that the import may take on top of the base.
WANTED = 50.0

_TIMED = "import time; began = time.perf_counter(); exec({code!r}); print(time.perf_counter() - began)"


def took(code: str) -> float:
    """Milliseconds that the code takes in a fresh interpreter."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", _TIMED.format(code=code)], capture_output=True, text=True, check=True
    )
    return float(done.stdout) * 1000


def main() -> int:
    """Measure and print; 1 where the import takes more than is wanted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    rounds = parser.parse_args().rounds
    codes = [BASE, *MEASURED.values()]
    for code in codes:
        took(code)  # writes the bytecode
    times = list(zip(*[[took(code) for code in codes] for _ in range(rounds)], strict=True))
    base, *measured = map(median, times)
    print(f"{BASE:<28} {base:7.1f} ms")
    for name, time in zip(MEASURED, measured, strict=True):
        print(f"{name:<28} {time:7.1f} ms  {time - base:+7.1f} ms  {time / base:6.2f} x")
    within = measured[0] - base <= WANTED
    print(f"import routing_workbench is {'within' if within else 'OVER'} the {WANTED:.0f} ms wanted")
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())
