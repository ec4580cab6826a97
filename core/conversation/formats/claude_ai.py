"""Claude.ai exports: `chat_messages` of a `sender`, calls and results inside one message, attachments beside it."""

from __future__ import annotations

from dataclasses import replace

from ..model import Block, Json, Media, Role, Text, ToolCall, ToolResult
from ..positions import Path, path_text
from .anthropic_blocks import block_of, clean_block
from .call_ids import CallIds
from .draft import Draft
from .format import Format, Match
from .interleaved import Interleaved
from .listed_record import draft_of
from .message_tree import Branch, say_branch, shown_branch
from .source import Source
from .wrapping import keep_inside

_LIST = "chat_messages"
_SPEAKERS = {"human": Role.USER, "user": Role.USER, "assistant": Role.ASSISTANT}
#: Fields that name a message, the one before it, and the last one shown.
_NAME, _PARENT, _LAST = "uuid", "parent_message_uuid", "current_leaf_message_uuid"
#: The parent of a first message.
_ROOT = "00000000-0000-4000-8000-000000000000"
_MESSAGE = frozenset({"sender", "text", "content", "attachments", "files", _NAME, _PARENT})
_CONVERSATION = frozenset({_LIST, _LAST})
#: Records of the application among the blocks.
_ASIDE = frozenset({"token_budget", "flag"})
#: What a search found, in a result.
_FIND = "knowledge"
#: The text taken out of an attached document.
_TAKEN = "extracted_content"
_IMAGES = (".png", ".jpg", ".jpeg", ".gif", ".webp")


def match_claude_ai(source: Source) -> Match | None:
    """Score conversations with `chat_messages`, or messages with a `sender`."""
    for item in source.objects:
        messages = item.get(_LIST)
        if isinstance(messages, list):
            told = any(isinstance(m, dict) and "sender" in m for m in messages)
            return Match(0.97 if told else 0.7, f"`{_LIST}`" + (" with `sender`" if told else ""))
    if any(_is_message(item) for item in source.objects):
        return Match(0.95, "messages with `sender` and `content`")
    return None


def _is_message(item: Json) -> bool:
    known = isinstance(item, dict) and isinstance(item.get("sender"), str) and item["sender"] in _SPEAKERS
    return (
        known and isinstance(item.get("content", item.get("text")), (list, str)) and ("uuid" in item or "text" in item)
    )


def read_claude_ai(source: Source, draft: Draft) -> None:
    """Read each conversation by itself."""
    if any(_is_message(item) for item in source.objects):
        ids = CallIds(draft)
        for message, at in source.records():
            _read_message(message, at, ids, draft)
        return
    for value, at in source.records():
        if not isinstance(value, dict) or not isinstance(value.get(_LIST), list):
            keep_inside(value, at, source, draft, "This record")
            continue
        _read_conversation(value, at, draft_of(value.get("name"), at, source, draft))


def _read_conversation(value: dict[str, Json], at: Path, draft: Draft) -> None:
    messages, where, ids = value[_LIST], (*at, _LIST), CallIds(draft)
    branch = _branch(messages, value.get(_LAST))
    if branch is None:
        for index, message in enumerate(messages):
            _read_message(message, (*where, index), ids, draft)
    else:
        number = {message[_NAME]: index for index, message in enumerate(messages)}
        for name in branch.names:
            _read_message(messages[number[name]], (*where, number[name]), ids, draft)
        for name in branch.others:
            draft.extras[path_text((*where, number[name]))] = messages[number[name]]
        say_branch(branch, len(branch.others), where, draft)
    draft.keep(value, _CONVERSATION, at)


def _branch(messages: list[Json], last: Json) -> Branch | None:
    """The branch that is shown; None where there are no others: such a list is read in its order."""
    named = {m[_NAME]: m for m in messages if isinstance(m, dict) and isinstance(m.get(_NAME), str)}
    parents = [str(m.get(_PARENT) or "") for m in named.values()]
    if len(named) < len(messages) or parents.count("") > 1 or len(set(parents)) == len(parents):
        return None
    branch = shown_branch(last, named, _PARENT)
    return replace(branch, missing="") if branch.missing == _ROOT else branch


def _read_message(raw: Json, at: Path, ids: CallIds, draft: Draft) -> None:
    sender = raw.get("sender") if isinstance(raw, dict) else None
    role = _SPEAKERS.get(sender) if isinstance(sender, str) else None
    if role is None:
        draft.add_unread(sender, "claude.ai", raw, at)
        return
    made = Interleaved(role, at, draft)
    content, text = raw.get("content"), raw.get("text")
    said: list[str] = []
    for index, block in enumerate(content) if isinstance(content, list) else ():
        where = (*at, "content", index)
        kind = block.get("type") if isinstance(block, dict) else None
        if isinstance(kind, str) and kind in _ASIDE:
            draft.keep(block, ("type",), where)
            continue
        read = clean_block(block)
        if read is None:
            read = block_of(_plain(block, where, draft) if kind == "tool_result" else block, where, draft)
        if isinstance(read, ToolResult):
            name = block.get("name")
            call = ids.result(read.tool_call_id, name if isinstance(name, str) else "", where)
            if read.tool_call_id and call != read.tool_call_id:
                draft.keep(block, block.keys() - {"tool_use_id"}, where)
            made.answer(ToolResult(call, read.content, read.is_error), where)
            ids.turn()
        elif isinstance(read, ToolCall):
            made.say(ToolCall(ids.call(read.id, read.name, where), read.name, read.arguments), where)
        elif not (isinstance(read, Text) and not read.text):
            said += [read.text] if isinstance(read, Text) else []
            made.say(read, where)
    bare = content if isinstance(content, str) and content else text
    if isinstance(bare, str) and bare and not said:
        made.say(Text(bare), (*at, "text"))
        said = [bare]
    for block in _beside(raw):
        made.say(block, at)
    made.end()
    draft.keep(raw, _MESSAGE - {"text"} if isinstance(text, str) and text and not _same(text, said) else _MESSAGE, at)


def _plain(result: dict[str, Json], at: Path, draft: Draft) -> Json:
    """A result whose finds of a search are texts; where they are from is kept."""
    content = result.get("content")
    if not isinstance(content, list):
        return result
    plain: list[Json] = []
    for index, item in enumerate(content):
        if isinstance(item, dict) and item.get("type") == _FIND and isinstance(item.get("text"), str):
            draft.keep(item, ("type", "text"), (*at, "content", index))
            plain.append({"type": "text", "text": item["text"]})
        else:
            plain.append(item)
    return {**result, "content": plain}


def _same(text: str, said: list[str]) -> bool:
    """Whether a message's `text` repeats its blocks, whatever white space stands between them."""
    return "".join(text.split()) == "".join("".join(said).split())


def _beside(raw: dict[str, Json]) -> list[Block]:
    """What was attached: the text taken out of a document counts as said, the document as a file."""
    blocks: list[Block] = []
    attachments, files = raw.get("attachments"), raw.get("files")
    for item in attachments if isinstance(attachments, list) else ():
        text = item.get(_TAKEN) if isinstance(item, dict) else None
        if isinstance(text, str) and text:
            blocks.append(Text(text))
        blocks.append(Media("file", _without_text(item)))
    held = files if isinstance(files, list) else []
    return blocks + [Media("image" if _is_image(item) else "file", item) for item in held]


def _without_text(item: Json) -> Json:
    """A document without the text taken out of it, which stands beside it."""
    return {key: value for key, value in item.items() if key != _TAKEN} if isinstance(item, dict) else item


def _is_image(item: Json) -> bool:
    name = item.get("file_name") if isinstance(item, dict) else item
    kind = item.get("file_kind") if isinstance(item, dict) else None
    return kind == "image" or (isinstance(name, str) and name.lower().endswith(_IMAGES))


CLAUDE_AI_EXPORT = Format(
    "claude-ai-export",
    "Claude.ai export",
    f"`{_LIST}` with `sender` and `content`",
    "nothing; times, citations and other branches are kept as extras",
    match_claude_ai,
    read_claude_ai,
    fields=frozenset({_LIST, "sender"}),
    example="claude-ai-export-tools-without-ids",
    priority=2,
)
