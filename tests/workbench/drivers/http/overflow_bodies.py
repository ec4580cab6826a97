"""What servers say of a request that does not fit the model's window, and errors that only sound like it."""

from __future__ import annotations

import json
from typing import Any


def error(message: str, **more: Any) -> dict[str, Any]:
    """An error body as most servers send it."""
    return {"error": {"message": message, **more}}


#: As the providers' servers send it: status and body.
OVERFLOWS: dict[str, tuple[int, Any]] = {
    "openai": (400, error("This model's maximum context length is 8192 tokens. However, you requested 8545.")),
    "openai, the code alone": (400, error("Too long.", code="context_length_exceeded")),
    "openai responses": (400, error("Your input exceeds the context window of this model.")),
    "anthropic": (400, {"type": "error", **error("prompt is too long: 213462 tokens > 200000 maximum")}),
    "anthropic, with the cap": (
        400,
        error("input length and `max_tokens` exceed context limit: 199000 + 4096 > 200000"),
    ),
    "llama.cpp": (
        400,
        error("request (4390 tokens) exceeds the available context size (4096 tokens), try increasing it"),
    ),
    "llama.cpp, the type alone": (400, error("too long", type="exceed_context_size_error", n_ctx=4096)),
    "llama.cpp, earlier": (500, error("the request exceeds the available context size", type="server_error")),
    "llama.cpp, while writing": (500, error("Context size has been exceeded.")),
    "llama-cpp-python": (400, error("Requested tokens (2285) exceed context window of 2048")),
    "vllm": (400, {"object": "error", "message": "This model's maximum context length is 4096 tokens.", "code": 400}),
    "vllm, the cap": (
        400,
        error("'max_tokens' is too large: 8192. This model's maximum context length is 65536 tokens"),
    ),
    "vllm, its engine": (400, {"message": "The decoder prompt (length 10127) is longer than the maximum model length"}),
    "vllm, images": (400, {"message": "The prompt (total length 25938) is too long to fit into the model"}),
    "xinference": (500, {"detail": "The decoder prompt (length 2) is longer than the maximum model length of 1."}),
    "sglang": (400, {"message": "The input (9000 tokens) is longer than the model's context length (8192 tokens)."}),
    "sglang, the cap": (400, error("Requested token count exceeds the model's maximum context length of 8192 tokens.")),
    "gemini": (400, [error("The input token count (2845475) exceeds the maximum number of tokens allowed (1048576).")]),
    "bedrock": (400, {"Message": "Input is too long for requested model."}),
    "bedrock, titan": (400, {"message": "400 Bad Request: Too many input tokens. Max input tokens: 8192"}),
    "mistral": (
        400,
        {"message": "Prompt contains 40003 tokens, too large for model with 32768 maximum context length"},
    ),
    "groq": (400, error("Please reduce the length of the messages or completion.")),
    "together": (422, error("Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193.")),
    "tgi": (422, {"error": "Input validation error: `inputs` must have less than 1024 tokens. Given: 1025"}),
    "xai": (400, {"error": "This model's maximum prompt length is 131072 but the request contains 537812 tokens."}),
    "openrouter": (400, error("Provider returned error", metadata={"raw": json.dumps(error("prompt is too long"))})),
    "ollama": (400, {"error": "the input length exceeds the context length"}),
    "lm studio": (400, {"error": "The number of tokens to keep from the prompt is greater than the context length."}),
    "cohere": (400, {"message": "too many tokens: total number of tokens cannot exceed 4081"}),
    "moonshot": (400, error("Invalid request: Your request exceeded model token limit: 8192")),
    "minimax": (400, error("invalid params, context window exceeds limit")),
    "github models": (413, error("Request body too large for gpt-4o.", code="tokens_limit_reached")),
    "github copilot": (400, error("prompt token count of 70000 exceeds the limit of 64000")),
    "plain text": (413, "prompt is too long"),
}

#: Errors that speak of limits, lengths and tokens, and are no overflow.
OTHER_ERRORS: dict[str, tuple[int, Any]] = {
    "bare 413": (413, ""),
    "413 of a proxy": (413, "<html><title>413 Request Entity Too Large</title></html>"),
    "anthropic 413": (413, error("Request exceeds the maximum allowed number of bytes.", type="request_too_large")),
    "rate": (429, error("Rate limit reached: too many tokens per minute", code="rate_limit_exceeded")),
    "cap too small": (400, error("Invalid 'max_output_tokens': integer below minimum value.")),
    "wrong key": (401, error("Incorrect API key provided")),
    "a request that is repeated": (400, error("Bad request.", echo="prompt is too long")),
    "an input that is repeated": (
        422,
        {"detail": [{"msg": "Field required", "input": {"messages": [{"content": "prompt is too long"}]}}]},
    ),
}
