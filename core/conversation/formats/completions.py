"""Text completions: one prompt, often a rendered template, and the text that a model wrote behind it.

The bodies of OpenAI's older API, of text generation servers, and of the models behind Bedrock that have their own.
"""

from __future__ import annotations

from typing import Any

from ..model import Json, Role, StopReason, Text
from ..positions import Path
from .draft import Draft
from .format import Format, Holds, Match, Source
from .stop_reasons import stop_reason
from .transcript import match_transcript, read_transcript
from .wrapping import format_of, read_as

#: Where a prompt stands, and where only a rendered template is taken for one.
_PROMPTS = ("prompt", "inputText")
_RENDERED = ("prompt", "inputText", "inputs", "text", "input", "formatted_prompt")
#: Settings of a completion.
_SETTINGS = frozenset(
    "max_tokens max_tokens_to_sample max_gen_len max_new_tokens n_predict temperature top_p stop_sequences "
    "textGenerationConfig parameters suffix echo best_of".split()
)
#: Beside these a prompt is a part of something else.
_OTHERS = frozenset({"messages", "completion", "response", "output", "chosen", "rejected"})
#: What a model wrote: directly, or in the items of a list.
_TEXTS = ("completion", "generation", "generated_text", "outputText")
_LISTS = {"choices": ("text",), "outputs": ("text",), "results": ("outputText",), "generations": ("text",)}
_REASONS = ("stop_reason", "stopReason", "completionReason", "finish_reason")
_STOP = {
    **dict.fromkeys(("stop", "stop_sequence", "end_turn", "FINISH", "FINISHED", "COMPLETE"), StopReason.END_TURN),
    **dict.fromkeys(("length", "max_tokens", "LENGTH", "MAX_TOKENS"), StopReason.MAX_TOKENS),
    **dict.fromkeys(("content_filter", "CONTENT_FILTERED"), StopReason.CONTENT_FILTER),
}
_TRANSCRIPT = 0.9
_MARKS = (":", "<", "[", "{", "#", "**")


def match_prompt(source: Source) -> Match | None:
    """Score a body by its prompt: a rendered template, or a text beside the settings of a completion."""
    body = source.value
    if not isinstance(body, dict) or not _OTHERS.isdisjoint(body):
        return None
    for name in _RENDERED:
        text = body.get(name)
        if isinstance(text, str) and text[:1] not in ("{", "[", "") and _is_template(text, (), source):
            return Match(0.9, f"`{name}` that holds a rendered template")
    name = next((n for n in _PROMPTS if isinstance(body.get(n), str) and body[n]), "")
    if name and not _SETTINGS.isdisjoint(body):
        return Match(0.89, f"a `{name}` beside the settings of a completion")
    return None


def _is_template(text: str, at: Path, source: Source) -> bool:
    inner = source.inside(text, at)
    return not inner.is_json and format_of(inner, Holds.REQUEST) is not None


def read_prompt(source: Source, draft: Draft) -> None:
    """Read the prompt as what it is: a template, a transcript, or one message."""
    body = source.value
    if not isinstance(body, dict):
        return
    names = [n for n in _RENDERED if isinstance(body.get(n), str) and body[n]]
    name = next((n for n in names if _is_template(body[n], (), source)), names[0] if names else "")
    if not name:
        return
    read_text(body[name], (*source.path, name), source, draft)
    draft.keep(body, (name,), source.path)


def is_bare(text: str) -> bool:
    """Whether a text holds nothing that JSON, a stream, a template or a transcript has: it says what it says."""
    return bool(text) and not any(mark in text for mark in _MARKS)


def read_text(text: str, at: Path, source: Source, draft: Draft) -> None:
    """Read the text of a prompt: a rendered template, a transcript that shows well, or what the user asked."""
    inner = source.inside(text, at)
    reads = format_of(inner, Holds.REQUEST) if not inner.is_json else None
    if reads is not None:
        read_as(reads, inner, draft)
    elif (found := match_transcript(inner)) is not None and found.score >= _TRANSCRIPT:
        made = Draft()
        read_transcript(inner, made)
        made.stand_at(at)
        draft.take(made)
    else:
        draft.add(Role.USER, (Text(text),), at)


def match_completion(source: Source) -> Match | None:
    """Score what a model wrote: a body, or a list of its pieces."""
    pieces = source.value if isinstance(source.value, list) else [source.value]
    if not pieces or not all(_text_in(piece) is not None for piece in pieces[:20]):
        return None
    telling = any(
        key in piece for piece in pieces[:20] for key in (*_REASONS, "prompt_token_count", "outputs", "results")
    )
    telling = telling or any(piece.get("object") == "text_completion" for piece in pieces[:20])
    name = next((n for n in (*_TEXTS, *_LISTS) if n in pieces[0]), "")
    return Match(0.92 if telling else 0.5, f"`{name}` with the text of a completion")


def _text_in(body: Json) -> tuple[str, dict[str, Any], Path] | None:
    """The text of a body, the object it stands in, and the path to that."""
    if not isinstance(body, dict) or "messages" in body or "prompt" in body:
        return None
    for name in _TEXTS:
        if isinstance(body.get(name), str):
            return body[name], body, ()
    for name, keys in _LISTS.items():
        items = body.get(name)
        first = items[0] if isinstance(items, list) and items else None
        for key in keys:
            if isinstance(first, dict) and isinstance(first.get(key), str):
                return first[key], first, (name, 0)
    return None


def read_completion(source: Source, draft: Draft) -> None:
    """Read the text; of a stream its pieces, put together."""
    texts: list[str] = []
    for piece, at in source.records():
        found = _text_in(piece)
        if found is None:
            draft.keep({str(at[-1]) if at else "body": piece}, (), at[:-1])
            continue
        text, holder, inner = found
        texts.append(text)
        reason = next((n for n in _REASONS if holder.get(n) is not None), "")
        if reason:
            draft.stop_reason = stop_reason(holder[reason], _STOP, draft, (*at, *inner, reason))
        used = next(key for key, value in holder.items() if value is text)
        draft.keep(holder, (used, reason, "index"), (*at, *inner))
        if inner:
            name = str(inner[0])
            draft.keep(piece, (name,), at)
            others = {str(i): item for i, item in enumerate(piece[name]) if i}
            draft.keep(others, (), (*at, name))
            if others:
                step = "The others are kept aside; to look at one, paste it alone."
                draft.warn("several-choices", f"The reply holds {len(piece[name])} texts; the first is read.", step, at)
    body = "".join(texts)
    draft.add(Role.ASSISTANT, (Text(body),) if body else (), source.path)


TEXT_COMPLETION_REQUEST = Format(
    "text-completion-request",
    "Text completion request",
    "a `prompt` beside settings, or a `prompt`, `inputs` or `text` that holds a rendered template",
    "what the format of the prompt loses; settings are kept as extras",
    match_prompt,
    read_prompt,
    holds=Holds.REQUEST,
    fields=frozenset(_RENDERED),
    priority=3,
)
TEXT_COMPLETION_RESPONSE = Format(
    "text-completion-response",
    "Text completion",
    "`choices` or `outputs` with a `text`; `completion`, `generation`, `outputText`",
    "how a stream was cut into pieces; usage is kept as extras",
    match_completion,
    read_completion,
    holds=Holds.REPLY,
    fields=frozenset((*_TEXTS, *_LISTS)),
    priority=3,
)
