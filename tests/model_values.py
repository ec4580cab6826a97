"""Arbitrary values of the model, as property tests draw them: whatever a reader may make, and much that none does."""

from __future__ import annotations

from hypothesis import strategies as st
from routing_workbench.core.conversation.model import (
    Media,
    Message,
    Reasoning,
    Refusal,
    Request,
    Role,
    StopReason,
    Text,
    ToolCall,
    ToolResult,
    Unknown,
)
from routing_workbench.core.conversation.reading import Conversation

#: Text as JSON can say it: any character but half of a pair.
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(["", " ", "\n", "ok", "{}"])
names = st.sampled_from(["a", "b", "c1", "run", "get_gate", "", "odd name", "\u00e9"])
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
image_sources = st.sampled_from(
    [
        {"url": "https://x.test/a.png"},
        {"url": "data:image/png;base64,AAAA"},
        {"url": "https://x.test/a.png", "detail": "low"},
        {"type": "base64", "media_type": "image/png", "data": "AAAA"},
        {"data": "AAAA", "type": "base64", "media_type": "image/png"},
        {"type": "url", "url": "https://x.test/a.png"},
        {"type": "file", "file_id": "f1"},
        {"mimeType": "image/png", "data": "AAAA"},
        "https://x.test/a.png",
        "AAAA",
    ]
)
other_sources = st.sampled_from(
    [
        {"data": "AAAA", "format": "wav"},
        {"file_id": "f1"},
        {"id": "audio_1"},
        {"type": "text", "media_type": "text/plain", "data": "x"},
        {"url": "https://x.test/a.mp4"},
    ]
)
#: Blocks and messages that no rule covers, some in the shape of a part or a message of a format.
unread = st.builds(
    Unknown,
    st.sampled_from(["openai", "anthropic", "gemini", ""]),
    json_values
    | st.sampled_from(
        [
            {"type": "server_tool_use", "id": "s", "name": "search", "input": {}},
            {"type": "text", "text": "not a text"},
            {"type": "tool_use", "id": "a"},
            {"type": "function", "x": 1},
            {"role": "critic", "content": "no"},
            {"role": "critic", "content": "no", "x_routing_workbench": 1},
            {"role": "user", "content": "no critic at all"},
            {"role": "model", "parts": [{"text": "hi"}]},
        ]
    ),
)
media = st.builds(Media, st.just("image"), image_sources | json_values) | st.builds(
    Media, st.sampled_from(["audio", "video", "file"]), other_sources | json_values
)
calls = st.builds(ToolCall, names, names, st.dictionaries(names, json_values, max_size=2) | json_values)
flat_blocks = st.one_of(texts.map(Text), texts.map(Refusal), texts.map(Reasoning), calls, media, unread)
results = st.recursive(
    st.builds(ToolResult, names, st.lists(flat_blocks, max_size=3).map(tuple), st.none() | st.booleans()),
    lambda inner: st.builds(ToolResult, names, st.lists(inner | flat_blocks, max_size=2).map(tuple)),
    max_leaves=2,
)
blocks = flat_blocks | results
messages = st.builds(Message, st.sampled_from(Role), st.lists(blocks, max_size=4).map(tuple)) | st.builds(
    Message, st.just(Role.USER), unread.map(lambda one: (one,)), st.sampled_from(["critic", "(no role)", "user"])
)
instructions = messages | st.builds(
    Message, st.sampled_from([Role.SYSTEM, Role.DEVELOPER]), st.lists(texts.map(Text), max_size=2).map(tuple)
)
requests = st.builds(
    Request,
    st.lists(instructions, max_size=3).map(tuple),
    st.lists(messages, min_size=1, max_size=5).map(tuple),
    st.none() | names,
)
conversations = st.builds(
    Conversation,
    requests,
    st.just(()),
    st.lists(messages, max_size=2).map(tuple),
    st.dictionaries(
        st.sampled_from("model tools temperature messages system error choices messages[0].name [1].x id".split())
        | texts,
        json_values,
        max_size=3,
    ),
    st.just(""),
    st.none() | st.sampled_from(StopReason),
)
