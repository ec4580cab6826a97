"""The clients and targets of a file: what each names, and which of them can be used."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from ...core.conversation.positions import Path
from ...core.vgr.serving import ConfigurationError
from ...core.vgr.text import redact
from ..drivers.http.targets import MAX_RETRIES, Client, Target, WireFormat
from .checking import absent, checked, no_json
from .findings import Findings, choose, named
from .tables import ClientTable, TargetTable

CLIENTS: Final = "llm_clients"
TARGETS: Final = "targets"
#: Formats that answer decision questions alone.
DECISIONS_ONLY: Final = frozenset({WireFormat.SYSTEM_ONE})


@dataclass(frozen=True, slots=True)
class Endpoints:
    """The targets of a file by name. A declared one that is missing from `targets` has errors of its own."""

    declared: frozenset[str]
    targets: Mapping[str, Target]
    #: The table of each target's client.
    clients: Mapping[str, str]
    #: What each target and its client leave to their defaults.
    defaults: Mapping[str, tuple[tuple[str, str], ...]] = field(repr=False)

    def target(self, name: str, path: Path, findings: Findings) -> Target | None:
        """The target a route names at this path; None where a remark says why it cannot be used."""
        found = self.targets.get(name)
        if found is not None:
            return found
        if name in self.declared:
            findings.error(
                "unusable-target",
                path,
                f"{named(path[-1])} names target {named(name)}, which cannot be used.",
                "Correct that target, or its client.",
            )
        else:
            findings.error(
                "unknown-target",
                path,
                f"{named(path[-1])} names {named(name)}, which is no target of this file.",
                choose(name, self.declared, "Add a table under [targets]."),
            )
        return None


def read_endpoints(values: Mapping[str, Any], findings: Findings) -> Endpoints:
    """The clients and targets of the file; what cannot be used is remarked on and left out."""
    client_tables = tables_of(values, CLIENTS, findings)
    target_tables = tables_of(values, TARGETS, findings)
    clients: dict[str, Client] = {}
    unset: dict[str, tuple[tuple[str, str], ...]] = {}
    for name, table in client_tables.items():
        client = _client(name, table, findings)
        if client is not None:
            clients[name], unset[name] = client
    targets: dict[str, Target] = {}
    owners: dict[str, str] = {}
    defaults: dict[str, tuple[tuple[str, str], ...]] = {}
    for name, table in target_tables.items():
        path = (TARGETS, name)
        read = checked(TargetTable, table, path, f"Target {named(name)}", findings)
        if isinstance(table, dict) and isinstance(table.get("llm_client"), str):
            owners[name] = table["llm_client"]
        if read is None or findings.failed(*path):
            continue
        target = _target(read, path, clients, client_tables, findings)
        if target is not None:
            targets[name] = target
            defaults[name] = (*absent(read, f"{TARGETS}.{name}."), *unset[read.llm_client])
    return Endpoints(frozenset(target_tables), targets, owners, defaults)


def tables_of(values: Mapping[str, Any], key: str, findings: Findings) -> Mapping[str, Any]:
    """The tables under a top-level key; none where a remark says that it is missing or no table."""
    if key not in values:
        findings.error("missing-table", (), f"The file has no [{key}.<name>] table.", f"Add one: [{key}.name].")
        return {}
    tables = values[key]
    if not isinstance(tables, dict):
        findings.error("wrong-value", (key,), f"{named(key)} must hold tables.", f"Write [{key}.name].")
        return {}
    return tables


def refused(error: ValueError, keys: Container[str], path: Path, findings: Findings) -> None:
    """Remark on a value that was refused, at the first of these keys that the refusal names."""
    message = redact(str(error))
    words = re.findall(r"\w+", message)
    key = next((word for word in map(str.lower, words) if word in keys), None)
    findings.error("refused", path if key is None else (*path, key), *_sentences(message))


def _sentences(message: str) -> tuple[str, str]:
    """A refusal as what was found and what to do: its last clause is the next step."""
    for between in ("; ", ". "):
        found, middle, step = message.partition(between)
        if middle:
            return f"{found}.", f"{step[:1].upper()}{step[1:].rstrip('.')}."
    return message, "Correct the value."


def _client(name: str, table: object, findings: Findings) -> tuple[Client, tuple[tuple[str, str], ...]] | None:
    path = (CLIENTS, name)
    read = checked(ClientTable, table, path, f"Client {named(name)}", findings)
    if read is None or findings.failed(*path):
        return None
    if read.max_retries > MAX_RETRIES:
        findings.warning(
            "fewer-retries",
            (*path, "max_retries"),
            f"`max_retries` is {read.max_retries}, and the workbench retries a call at most {MAX_RETRIES} times.",
            f"Nothing to do; {MAX_RETRIES} is used.",
        )
    try:
        client = Client(
            name,
            read.format,
            read.base_url,
            read.api_key_env,
            tuple(read.extra_headers.items()),
            min(read.max_retries, MAX_RETRIES),
        )
    except ConfigurationError as error:
        refused(error, ClientTable.model_fields, path, findings)
        return None
    return client, tuple(absent(read, f"{CLIENTS}.{name}."))


def _target(
    read: TargetTable,
    path: Path,
    clients: Mapping[str, Client],
    declared: Mapping[str, Any],
    findings: Findings,
) -> Target | None:
    where = (*path, "llm_client")
    wrong = no_json(read.extra_body, (*path, "extra_body"))
    if wrong is not None:
        findings.error("no-json", wrong, f"{named(wrong[-1])} is no JSON value.", "Write text, a number or a list.")
        return None
    client = clients.get(read.llm_client)
    if client is None:
        name = named(read.llm_client)
        if read.llm_client in declared:
            message = f"`llm_client` names client {name}, which cannot be used."
            findings.error("unusable-client", where, message, "Correct that client.")
        else:
            step = choose(read.llm_client, declared, f"Add a table under [{CLIENTS}].")
            message = f"`llm_client` names {name}, which is no client of this file."
            findings.error("unknown-client", where, message, step)
        return None
    try:
        return Target(read.id, client, read.extra_body)
    except ConfigurationError as error:
        refused(error, TargetTable.model_fields, path, findings)
        return None
