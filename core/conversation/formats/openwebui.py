"""Open WebUI exports: a tree under `history.messages`, read from `currentId` upwards, or a flat list of messages."""

from __future__ import annotations

from ..model import Json, Media, Role, Text, ToolResult
from ..positions import Path
from .draft import Draft, role_named
from .format import Format, Match
from .interleaved import Interleaved
from .listed_record import draft_of
from .message_tree import say_branch, shown_branch
from .openai_blocks import content_blocks
from .openai_chat import read_message as read_openai
from .openwebui_details import details_in
from .source import Source
from .wrapping import keep_inside

PROVIDER = "openwebui"

_LAST, _PARENT = "currentId", "parentId"
_MESSAGE = frozenset({"id", "role", "content", "files", _PARENT, "childrenIds"})


def match_openwebui(source: Source) -> Match | None:
    """Score chats with a tree of messages under `history`."""
    for item in source.objects:
        chat = _chat(item)[0]
        history, nodes = _tree(chat)
        if nodes and (_LAST in history or any(_is_node(node) for node in nodes.values())):
            return Match(0.97, "`history.messages` by id, with `currentId`")
        if _is_flat(chat) and ("chat" in item or "models" in chat):
            return Match(0.95, "`chat` with `messages` that name their parents")
    return None


def _chat(item: Json) -> tuple[dict[str, Json], tuple[str, ...]]:
    """The chat in a record, which may wrap it, and where it stands."""
    chat = item.get("chat") if isinstance(item, dict) else None
    if isinstance(chat, dict):
        return chat, ("chat",)
    return (item if isinstance(item, dict) else {}), ()


def _tree(chat: dict[str, Json]) -> tuple[dict[str, Json], dict[str, Json]]:
    """The history of a chat, and its messages by id."""
    history = chat.get("history")
    nodes = history.get("messages") if isinstance(history, dict) else None
    return (history, nodes) if isinstance(history, dict) and isinstance(nodes, dict) else ({}, {})


def _is_node(node: Json) -> bool:
    return isinstance(node, dict) and isinstance(node.get("role"), str) and _PARENT in node


def _is_empty(chat: dict[str, Json]) -> bool:
    """Whether it is a chat in which nothing was said yet."""
    history = chat.get("history")
    return isinstance(history, dict) and history.get("messages") == {}


def _is_flat(chat: dict[str, Json]) -> bool:
    messages = chat.get("messages")
    return isinstance(messages, list) and any(
        isinstance(m, dict) and isinstance(m.get("role"), str) and "content" in m for m in messages
    )


def read_openwebui(source: Source, draft: Draft) -> None:
    """Read each chat by itself."""
    for value, at in source.records():
        chat, below = _chat(value)
        if not _tree(chat)[1] and not _is_flat(chat) and not _is_empty(chat):
            keep_inside(value, at, source, draft, "This record")
            continue
        title = chat.get("title") or value.get("title")
        made = draft_of(title, at, source, draft)
        _read_chat(chat, (*at, *below), made)
        if below:
            made.keep(value, below if title != value.get("title") else (*below, "title"), at)


def _read_chat(chat: dict[str, Json], at: Path, draft: Draft) -> None:
    read = _read_system(chat, at, draft)
    history, tree = _tree(chat)
    if tree:
        _read_tree(history, tree, (*at, "history"), draft)
        read.add("history")
        read |= _flat_repeats(chat, tree)
    elif _is_flat(chat):
        for index, raw in enumerate(chat["messages"]):
            _read_message(raw, (*at, "messages", index), draft)
        read.add("messages")
    draft.keep(chat, read, at)


def _read_system(chat: dict[str, Json], at: Path, draft: Draft) -> set[str]:
    """The instruction of a chat, which stands among its parameters or beside them."""
    params = chat.get("params")
    system = params.get("system") if isinstance(params, dict) else None
    read: set[str] = set()
    if isinstance(params, dict) and isinstance(system, str) and system:
        draft.add(Role.SYSTEM, (Text(system),), (*at, "params", "system"))
        draft.keep(params, ("system",), (*at, "params"))
        read.add("params")
    beside = chat.get("system")
    if isinstance(beside, str) and beside:
        read.add("system")
        if beside != system:
            draft.add(Role.SYSTEM, (Text(beside),), (*at, "system"))
    return read


def _read_tree(history: dict[str, Json], tree: dict[str, Json], at: Path, draft: Draft) -> None:
    branch = shown_branch(history.get(_LAST), tree, _PARENT)
    for name in branch.names:
        _read_message(tree[name], (*at, "messages", name), draft)
    say_branch(branch, len(branch.others), (*at, "messages"), draft)
    draft.keep({name: tree[name] for name in branch.others}, (), (*at, "messages"))
    draft.keep(history, ("messages",) if branch.guessed else ("messages", _LAST), at)


def _flat_repeats(chat: dict[str, Json], tree: dict[str, Json]) -> set[str]:
    """The flat list beside a tree, where it holds nothing that the tree does not."""
    flat = chat.get("messages")
    same = isinstance(flat, list) and all(
        isinstance(m, dict) and isinstance(m.get("id"), str) and _repeats(m, tree.get(m["id"])) for m in flat
    )
    return {"messages"} if same else set()


def _repeats(message: dict[str, Json], node: Json) -> bool:
    return isinstance(node, dict) and all(node.get(key) == message.get(key) for key in ("role", "content"))


def _read_message(raw: Json, at: Path, draft: Draft) -> None:
    role = role_named(raw.get("role")) if isinstance(raw, dict) else None
    if role is None:
        draft.add_unread(raw.get("role") if isinstance(raw, dict) else None, PROVIDER, raw, at)
        return
    if role is Role.TOOL or raw.get("tool_calls"):
        read_openai({key: value for key, value in raw.items() if key not in _MESSAGE - {"role", "content"}}, at, draft)
        return
    content, files = raw.get("content"), raw.get("files")
    where = (*at, "content")
    is_reply = role is Role.ASSISTANT and isinstance(content, str)
    blocks = list(details_in(content, where, draft)) if is_reply else content_blocks(content, where, draft)
    if len(blocks) == 1 and type(blocks[0]) is Text and not files:
        draft.add(role, (blocks[0],), at)
    else:
        made = Interleaved(role, at, draft)
        for block in blocks:
            if is_reply and isinstance(block, ToolResult):
                made.answer(block, where)
            else:
                made.say(block, where)
        for item in files if isinstance(files, list) else ():
            kind = item.get("type") if isinstance(item, dict) else None
            made.say(Media("image" if kind == "image" else "file", item), (*at, "files"))
        made.end()
    draft.keep(raw, _MESSAGE, at)
    if raw.get("error"):
        draft.warn(
            "api-error", "This reply failed, as the application says.", "Look at its `error`, and ask again.", at
        )


OPENWEBUI_EXPORT = Format(
    "openwebui-export",
    "Open WebUI export",
    "`history.messages` by id with `parentId`, and `currentId`",
    "nothing; models, usage and other branches are kept as extras",
    match_openwebui,
    read_openwebui,
    fields=frozenset({"chat", "history", "models"}),
    example="openwebui-export-tree",
    priority=3,
)
