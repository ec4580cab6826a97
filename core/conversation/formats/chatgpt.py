"""ChatGPT exports: a `mapping` of nodes, read from `current_node` upwards; the other branches are kept beside it."""

from __future__ import annotations

from ..model import Json
from ..positions import Path
from .chatgpt_nodes import PROVIDER, Calls, read_node
from .draft import Draft
from .format import Format, Match
from .listed_record import draft_of
from .message_tree import say_branch, shown_branch
from .source import Source
from .wrapping import keep_inside

_MAP, _LAST, _PARENT = "mapping", "current_node", "parent"
_NODE = frozenset({"id", "message", _PARENT, "children"})
#: The nodes once more, as a page that is shared holds them.
_REPEATED = "linear_conversation"
_CONVERSATION = frozenset({_MAP, _LAST})


def match_chatgpt(source: Source) -> Match | None:
    """Score conversations whose `mapping` holds nodes with a message."""
    for item in source.objects:
        nodes = item.get(_MAP)
        if isinstance(nodes, dict) and any(_is_node(node) for node in nodes.values()):
            return Match(0.97, f"`{_MAP}` of nodes with `{_PARENT}` and `message`")
    return None


def _is_node(node: Json) -> bool:
    message = node.get("message") if isinstance(node, dict) else None
    return isinstance(message, dict) and isinstance(message.get("author"), dict)


def read_chatgpt(source: Source, draft: Draft) -> None:
    """Read each conversation by itself."""
    for value, at in source.records():
        if not isinstance(value, dict) or not isinstance(value.get(_MAP), dict):
            keep_inside(value, at, source, draft, "This record")
            continue
        _read_conversation(value, at, draft_of(value.get("title"), at, source, draft))


def _read_conversation(value: dict[str, Json], at: Path, draft: Draft) -> None:
    nodes = value[_MAP]
    branch = shown_branch(value.get(_LAST), nodes, _PARENT)
    calls = Calls()
    for name in branch.names:
        node, where = nodes[name], (*at, _MAP, name)
        message = node.get("message") if isinstance(node, dict) else None
        if isinstance(node, dict):
            draft.keep(node, _NODE, where)
        if isinstance(message, dict):
            read_node(message, name, (*where, "message"), calls, draft)
        elif message:
            draft.add_unread(None, PROVIDER, node, where)
    say_branch(branch, sum(_is_node(nodes[name]) for name in branch.others), (*at, _MAP), draft)
    draft.keep({name: nodes[name] for name in branch.others}, (), (*at, _MAP))
    draft.keep(value, _CONVERSATION | {_REPEATED} if _repeats(value.get(_REPEATED), nodes) else _CONVERSATION, at)


def _repeats(listed: Json, nodes: dict[str, Json]) -> bool:
    """Whether a list of nodes says nothing that the mapping does not."""
    if not isinstance(listed, list):
        return False
    named = ((n, nodes.get(n["id"])) for n in listed if isinstance(n, dict) and isinstance(n.get("id"), str))
    same = [isinstance(node, dict) and all(node.get(k) == v for k, v in n.items()) for n, node in named]
    return len(same) == len(listed) and all(same)


CHATGPT_EXPORT = Format(
    "chatgpt-export",
    "ChatGPT export",
    "`mapping` of nodes with `message`, `parent` and `children`; `current_node`",
    "nothing; hidden turns, metadata and other branches are kept as extras",
    match_chatgpt,
    read_chatgpt,
    fields=frozenset({_MAP}),
    example="chatgpt-export-tools-and-hidden",
    priority=2,
)
