"""The formats that are read, one module each, and the registry (SPEC 1; DESIGN, "How data flows").

A further format is a module with a pure `match` and `read`, and one line in `FORMATS`; of equal scores the earlier
line wins.
"""

from __future__ import annotations

from .anthropic import ANTHROPIC_MESSAGES_REQUEST
from .anthropic_response import ANTHROPIC_MESSAGES_RESPONSE
from .anthropic_stream import ANTHROPIC_SSE
from .batch import OPENAI_BATCH_JSONL
from .finetune import OPENAI_FINETUNE_JSONL
from .format import Format, Source
from .openai_chat import OPENAI_CHAT_REQUEST
from .openai_chat_stream import OPENAI_CHAT_SSE
from .openai_response import OPENAI_CHAT_RESPONSE
from .openai_responses import OPENAI_RESPONSES_REQUEST
from .openai_responses_response import OPENAI_RESPONSES_RESPONSE
from .openai_responses_stream import OPENAI_RESPONSES_SSE
from .pair import REQUEST_RESPONSE_PAIR
from .prompt import PLAIN_PROMPT
from .registry import Registry
from .several import SEVERAL_CONVERSATIONS
from .transcript import TRANSCRIPT

FORMATS: tuple[Format, ...] = (
    OPENAI_CHAT_REQUEST,
    OPENAI_CHAT_RESPONSE,
    OPENAI_CHAT_SSE,
    ANTHROPIC_MESSAGES_REQUEST,
    ANTHROPIC_MESSAGES_RESPONSE,
    ANTHROPIC_SSE,
    OPENAI_RESPONSES_REQUEST,
    OPENAI_RESPONSES_RESPONSE,
    OPENAI_RESPONSES_SSE,
    REQUEST_RESPONSE_PAIR,
    OPENAI_BATCH_JSONL,
    OPENAI_FINETUNE_JSONL,
    SEVERAL_CONVERSATIONS,
    TRANSCRIPT,
    PLAIN_PROMPT,
)

REGISTRY = Registry(FORMATS)

__all__ = ["FORMATS", "REGISTRY", "Format", "Registry", "Source"]
