"""The two formats of an API that are written: what each is called, asks for and knows, and who reads it back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from ..model import Json
from .anthropic import stands_alone as stands_alone_in_anthropic
from .anthropic import write_anthropic
from .openai_chat import stands_alone as stands_alone_in_openai
from .openai_chat import write_openai_chat
from .rules import anthropic_faults, openai_faults
from .written import Turn, Written


@dataclass(frozen=True, slots=True, eq=False)
class Dialect:
    """A format of an API."""

    name: str
    title: str
    write: Callable[[Iterable[Turn]], Written]
    #: Whether a turn is one message, as it was if it was pasted in this format.
    stands_alone: Callable[[Turn], bool]
    #: Whether instructions stand at the top, beside the messages.
    top_level: bool
    #: The fields of a body, each with a test whether a value is in the words of this API.
    body: Mapping[str, Callable[[Json], bool]]
    #: The fields of messages and blocks that the model does not hold.
    inside: frozenset[str]
    #: Fields that a body has to have.
    needs: tuple[str, ...]
    faults: Callable[[list[dict[str, Json]]], Counter[str]]


def _any(_: Json) -> bool:
    return True


def _openai_tools(tools: Json) -> bool:
    return _each(tools, lambda tool: "function" in tool or "custom" in tool)


def _anthropic_tools(tools: Json) -> bool:
    return _each(tools, lambda tool: "function" not in tool and ("input_schema" in tool or "type" in tool))


def _each(tools: Json, test: Callable[[dict[str, Json]], bool]) -> bool:
    return isinstance(tools, list) and all(isinstance(tool, dict) and test(tool) for tool in tools)


def _anthropic_choice(choice: Json) -> bool:
    return isinstance(choice, dict) and choice.get("type") in ("auto", "any", "tool", "none")


OPENAI_CHAT = Dialect(
    "openai-chat",
    "OpenAI Chat",
    write_openai_chat,
    stands_alone_in_openai,
    False,
    {
        **dict.fromkeys(
            "model parallel_tool_calls temperature top_p max_tokens max_completion_tokens n stop stream stream_options "
            "seed logprobs top_logprobs logit_bias presence_penalty frequency_penalty response_format reasoning_effort "
            "verbosity metadata store user service_tier modalities audio prediction".split(),
            _any,
        ),
        "tools": _openai_tools,
        "tool_choice": lambda choice: not _anthropic_choice(choice),
    },
    frozenset({"name", "weight"}),
    ("model",),
    openai_faults,
)

ANTHROPIC = Dialect(
    "anthropic",
    "Anthropic Messages",
    write_anthropic,
    stands_alone_in_anthropic,
    True,
    {
        **dict.fromkeys(
            "model max_tokens temperature top_p top_k stop_sequences stream metadata thinking service_tier container "
            "mcp_servers context_management output_config".split(),
            _any,
        ),
        "tools": _anthropic_tools,
        "tool_choice": _anthropic_choice,
    },
    frozenset({"cache_control", "citations", "signature", "data", "title", "context"}),
    ("model", "max_tokens"),
    anthropic_faults,
)

#: By both of these readers; what is the same in both formats, either may read.
READ_AS = frozenset({"openai-chat-request", "anthropic-messages-request"})
