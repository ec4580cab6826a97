"""Record the cassettes that the package ships, anew, from the real local model: `make cassettes`.

All three algorithms run on each conversation, one after the other, so that a demonstration has them without a network.
Run it again when a prompt changes: the tests replay what is shipped, and a changed question is not on the tape.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic

from local_model import free_port
from routing_workbench import Controls, analyze
from routing_workbench.core.conversation.model import Json
from routing_workbench.widgets.algorithm import Algorithm
from routing_workbench.workbench.drivers.cassette.reading import read_cassette
from routing_workbench.workbench.drivers.cassette.recording import record_to
from routing_workbench.workbench.drivers.http.driver import HttpDriver
from routing_workbench.workbench.drivers.http.targets import Client, Target, WireFormat
from routing_workbench.workbench.drivers.protocol import Call, Category, Reply
from routing_workbench.workbench.local_model.parts import ALIAS, find_parts
from routing_workbench.workbench.local_model.server import HOST, LocalServer

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
#: The name of each cassette, and the example it was recorded on.
RECORDED = {
    "maths-quiz-on-smollm2": "maths-quiz-powers-and-seconds.json",
    "tidewatch-on-smollm2": "agent-tidewatch-dst-loop.json",
}
#: The same again gives the same again.
EXTRA_BODY: dict[str, Json] = {"temperature": 0}
#: So small a model does not always find an end by itself: output caps above this many tokens are lowered to it.
MOST_TOKENS = 256
#: Seconds a turn may take here. A recording is of what the model says, not of how fast this machine is.
PATIENCE = 600.0


class Capped(HttpDriver):
    """Asks for less than the calls allow; what is recorded are the calls as they were made."""

    async def complete(self, call: Call) -> Reply:
        """The reply, cut at the cap."""
        return await super().complete(replace(call, max_tokens=min(call.max_tokens or MOST_TOKENS, MOST_TOKENS)))


def main() -> None:
    """Record them all, in place of those that are there."""
    with LocalServer(find_parts(), free_port()) as server:
        # One slow model with one place: what is tried again would only wait behind itself.
        client = Client("local", WireFormat.OPENAI_CHAT, f"http://{HOST}:{server.port}/v1", max_retries=0)
        target = Target(ALIAS, client, EXTRA_BODY)
        targets = {category: target for category in Category if category is not Category.CHECKER}
        for name, example in RECORDED.items():
            path = EXAMPLES / "cassettes" / f"{name}.jsonl"
            path.unlink(missing_ok=True)
            driver = record_to(path, Capped(targets), recorded=datetime.now(UTC).date())
            text = (EXAMPLES / "conversations" / example).read_text("utf-8")
            for algorithm in Algorithm:
                began = monotonic()
                result = analyze(text, algorithm=algorithm, driver=driver, controls=Controls(deadline=PATIENCE))
                print(f"{name}: {algorithm.value} {monotonic() - began:.1f} s, {result!r}")
            print(driver.stopped or read_cassette(path).summary)


if __name__ == "__main__":
    main()
