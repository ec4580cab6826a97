"""The formats that are read, one module each, and the registry (SPEC 1; DESIGN, "How data flows").

A further format is a module with a pure `match` and `read`, and one line in `FORMATS`; of equal scores the earlier
line wins.
"""

from __future__ import annotations

from .ai_studio import AI_STUDIO_EXPORT
from .aider import AIDER_MARKDOWN
from .anthropic import ANTHROPIC_MESSAGES_REQUEST
from .anthropic_response import ANTHROPIC_MESSAGES_RESPONSE
from .anthropic_stream import ANTHROPIC_SSE
from .batch import OPENAI_BATCH_JSONL
from .bedrock import BEDROCK_CONVERSE_REQUEST
from .bedrock_log import BEDROCK_INVOCATION_LOG
from .bedrock_response import BEDROCK_CONVERSE_RESPONSE
from .bedrock_stream import BEDROCK_CONVERSE_STREAM
from .chatgpt import CHATGPT_EXPORT
from .chatml import CHATML_TEXT
from .claude_ai import CLAUDE_AI_EXPORT
from .claude_code import CLAUDE_CODE_JSONL
from .claude_code_stream import CLAUDE_CODE_STREAM_JSON
from .claude_code_text import CLAUDE_CODE_TEXT
from .codex_exec import CODEX_EXEC_JSONL
from .codex_rollout import CODEX_ROLLOUT_JSONL
from .completions import TEXT_COMPLETION_REQUEST, TEXT_COMPLETION_RESPONSE
from .cursor_export import CURSOR_MARKDOWN
from .finetune import OPENAI_FINETUNE_JSONL
from .format import Format, Source
from .gemini import GEMINI_REQUEST
from .gemini_cli import GEMINI_CLI_SESSION
from .gemini_cli_stream import GEMINI_CLI_STREAM_JSON
from .gemini_response import GEMINI_RESPONSE
from .gemini_stream import GEMINI_STREAM
from .har import HAR
from .inspect_log import INSPECT_EVAL_LOG, INSPECT_MESSAGES
from .langchain import LANGCHAIN_MESSAGES
from .langchain_reply import LANGCHAIN_REPLY
from .langfuse import LANGFUSE_TRACE
from .langgraph_stream import LANGGRAPH_STREAM
from .langsmith import LANGSMITH_RUN
from .litellm import LITELLM_LOG
from .llama3 import LLAMA3_TEXT
from .mistral import MISTRAL_CHAT_REQUEST, MISTRAL_CHAT_RESPONSE, MISTRAL_CHAT_SSE
from .normalized import NORMALIZED
from .ollama import OLLAMA_CHAT_REQUEST, OLLAMA_GENERATE_REQUEST
from .ollama_response import OLLAMA_CHAT_RESPONSE, OLLAMA_CHAT_STREAM
from .openai_chat import OPENAI_CHAT_REQUEST
from .openai_chat_stream import OPENAI_CHAT_SSE
from .openai_response import OPENAI_CHAT_RESPONSE
from .openai_responses import OPENAI_RESPONSES_REQUEST
from .openai_responses_response import OPENAI_RESPONSES_RESPONSE
from .openai_responses_stream import OPENAI_RESPONSES_SSE
from .openhands import OPENHANDS_EVENTS
from .openwebui import OPENWEBUI_EXPORT
from .otel_parts import OTEL_GENAI_MESSAGES
from .pair import REQUEST_RESPONSE_PAIR
from .prompt import PLAIN_PROMPT
from .registry import Registry
from .rendered import RENDERED_TEMPLATE
from .several import SEVERAL_CONVERSATIONS
from .sharegpt import SHAREGPT
from .swe_agent import SWE_AGENT_TRAJ
from .traces import OPENINFERENCE_SPAN, OTEL_GENAI
from .training_records import TRAINING_RECORDS
from .transcript import TRANSCRIPT
from .vcr import VCR_CASSETTE
from .vercel_model import VERCEL_MODEL_MESSAGES
from .vercel_stream import VERCEL_UI_STREAM
from .vercel_ui import VERCEL_UI_MESSAGES
from .vllm_log import VLLM_SERVER_LOG
from .wrapped import WRAPPED

FORMATS: tuple[Format, ...] = (
    # Dialects stand before what they resemble.
    BEDROCK_CONVERSE_REQUEST,
    BEDROCK_CONVERSE_RESPONSE,
    BEDROCK_CONVERSE_STREAM,
    BEDROCK_INVOCATION_LOG,
    GEMINI_REQUEST,
    GEMINI_RESPONSE,
    GEMINI_STREAM,
    MISTRAL_CHAT_REQUEST,
    MISTRAL_CHAT_RESPONSE,
    MISTRAL_CHAT_SSE,
    OLLAMA_CHAT_REQUEST,
    OLLAMA_CHAT_RESPONSE,
    OLLAMA_CHAT_STREAM,
    OLLAMA_GENERATE_REQUEST,
    INSPECT_MESSAGES,
    CHATML_TEXT,
    LLAMA3_TEXT,
    RENDERED_TEMPLATE,
    TEXT_COMPLETION_REQUEST,
    TEXT_COMPLETION_RESPONSE,
    VLLM_SERVER_LOG,
    HAR,
    VCR_CASSETTE,
    NORMALIZED,
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
    TRAINING_RECORDS,
    INSPECT_EVAL_LOG,
    OPENHANDS_EVENTS,
    SWE_AGENT_TRAJ,
    CHATGPT_EXPORT,
    CLAUDE_AI_EXPORT,
    OPENWEBUI_EXPORT,
    AI_STUDIO_EXPORT,
    VERCEL_UI_MESSAGES,
    VERCEL_UI_STREAM,
    VERCEL_MODEL_MESSAGES,
    SHAREGPT,
    CLAUDE_CODE_JSONL,
    CLAUDE_CODE_STREAM_JSON,
    CLAUDE_CODE_TEXT,
    CODEX_ROLLOUT_JSONL,
    CODEX_EXEC_JSONL,
    GEMINI_CLI_SESSION,
    GEMINI_CLI_STREAM_JSON,
    AIDER_MARKDOWN,
    CURSOR_MARKDOWN,
    LITELLM_LOG,
    OTEL_GENAI,
    OTEL_GENAI_MESSAGES,
    OPENINFERENCE_SPAN,
    LANGFUSE_TRACE,
    LANGCHAIN_MESSAGES,
    LANGCHAIN_REPLY,
    LANGGRAPH_STREAM,
    LANGSMITH_RUN,
    SEVERAL_CONVERSATIONS,
    WRAPPED,
    TRANSCRIPT,
    PLAIN_PROMPT,
)

REGISTRY = Registry(FORMATS)

__all__ = ["FORMATS", "REGISTRY", "Format", "Registry", "Source"]
