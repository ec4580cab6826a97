"""A model on loopback for the browser tests: answers each rung as the mock does, over the network, and counts.

with live_model() as server:
    write_routes(folder / "routes.toml", server.url)
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from fault_server import Fault, FaultServer, Scripted, Seen, chat_body
from routing_workbench.core.vgr.evidence import Rung
from routing_workbench.prompts import VGR_PROMPTS, escalation_prompt, letters_instructions, vgr_prompt

MODEL = "judge-8b"
#: The environment variable of the kernel that holds the key; the server's process is started with it.
KEY_VARIABLE = "BENCH_TEST_KEY"

_RUBRICS = {vgr_prompt(name): Rung(name) for name in VGR_PROMPTS} | {
    escalation_prompt(): Rung.ESCALATION_JUDGE,
    letters_instructions(): Rung.ROUTE,
}
_ROUTES = """[llm_clients.box]
format = "openai_chat"
base_url = "{url}"
api_key_env = "{key}"
max_retries = 0
extra_headers = {{ x-team = "{team}" }}

[targets.small]
id = "{model}"
llm_client = "box"

[routes.assistant]
type = "vgr"
local_target = "small"
cloud_target = "small"
judge_target = "small"
cloud_judge_target = "small"
"""


class LiveModel(FaultServer):
    """The server. `held` is the rung whose reply is held back until the client leaves."""

    def __init__(self, held: Rung | None = None, says: str = "yes") -> None:
        super().__init__(self._reply)
        self.held = held
        self.says = says

    @property
    def label(self) -> str:
        """The origin of its answers."""
        return f"{MODEL} @ 127.0.0.1:{self.port}"

    def asked(self) -> list[Rung]:
        """What it was asked, in order."""
        return [rung_of(seen) for seen in self.seen]

    def write_routes(self, path: Path, team: str = "browser") -> None:
        """A configuration whose models all are here."""
        path.write_text(_ROUTES.format(url=self.url, key=KEY_VARIABLE, model=MODEL, team=team), encoding="utf-8")

    def _reply(self, seen: Seen) -> Scripted:
        rung = rung_of(seen)
        return Scripted(body=self._body(rung, seen.json), fault=Fault.HOLD if rung is self.held else Fault.NONE)

    def _body(self, rung: Rung, sent: Any) -> Any:
        if rung is Rung.READOUT:
            return chat_body(self.says, top={"yes": -0.1, "no": -2.4})
        if rung is Rung.ROUTE:
            asked, _ = json.JSONDecoder().raw_decode(sent["messages"][1]["content"])
            return chat_body("A", top={letter: -0.3 - 1.5 * at for at, letter in enumerate(asked["options"])})
        if rung is Rung.ESCALATION_JUDGE:
            return chat_body(json.dumps({"escalate": False, "reason": self.says}))
        return chat_body("abstain" if rung is Rung.TYPING else self.says)


def rung_of(seen: Seen) -> Rung:
    """The rung a request is of, by its rubric; without one of ours it is the user's own, for a reply."""
    first = seen.json["messages"][0]
    return _RUBRICS.get(first["content"], Rung.ATTEMPT) if first["role"] == "system" else Rung.ATTEMPT
