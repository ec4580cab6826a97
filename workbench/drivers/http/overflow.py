"""How endpoints say that a request is longer than the model's window, each in its own words.

No status says it by itself: 400 is the usual one, 413 and 422 occur, and some servers answer 500. So the wording
decides, read from the error body, which goes no further than this module.
"""

from __future__ import annotations

import re

#: Who says it, and how; searched in its lower-cased words. Rows were taken from the providers' error messages.
WORDINGS: tuple[tuple[str, str], ...] = (
    ("OpenAI, Azure, Groq, Cerebras: the error's code", r"context_length_exceeded"),
    ("OpenAI, DeepSeek, OpenRouter, Fireworks, vLLM, NIM, Mistral", r"maximum context length"),
    ("OpenAI Responses", r"exceeds the context window"),
    ("Anthropic", r"prompt is too long"),
    ("Anthropic, input and output cap together", r"exceed context limit"),
    ("Amazon Bedrock", r"input is too long"),
    ("Amazon Bedrock, Titan and others", r"too many input tokens"),
    ("Gemini and Vertex", r"input token count.{0,40}exceeds the maximum"),
    ("xAI", r"maximum prompt length is"),
    ("Groq, Cerebras", r"reduce the length of the (?:messages|prompt|input)"),
    ("llama.cpp: the error's type", r"exceed_context_size_error"),
    ("llama.cpp", r"exceeds? the available context size"),
    ("llama.cpp, while writing", r"context size has been exceeded"),
    ("llama-cpp-python", r"exceed context window of"),
    ("vLLM", r"longer than the maximum model length"),
    ("vLLM, images and text", r"too long to fit into the model"),
    ("SGLang", r"longer than the model's context length"),
    ("SGLang", r"exceeds the model's maximum context"),
    ("Text Generation Inference, Together", r"`?inputs`? tokens \+ `?max_new_tokens`? must be <="),
    ("Text Generation Inference", r"`?inputs`? must have less than \d+ tokens"),
    ("Ollama", r"input length exceeds the context length"),
    ("LM Studio", r"greater than the context length|when context the overflows"),
    ("Mistral", r"too large for model with \d+ maximum"),
    ("Cohere", r"too many tokens"),
    ("Moonshot", r"exceeded model token limit"),
    ("MiniMax", r"context window exceeds limit"),
    ("GitHub Models: the error's code", r"tokens_limit_reached"),
    ("GitHub Copilot", r"prompt token count of \d+ exceeds the limit"),
)

_ANY = re.compile("|".join(f"(?:{wording})" for _, wording in WORDINGS))


def says_overflow(words: str) -> bool:
    """Whether an error's words, lower-cased, say that the request did not fit the model's window."""
    return _ANY.search(words) is not None
