"""Events of OpenHands: what was said, which tools were called, what they gave back, and what the harness recorded."""

from __future__ import annotations

from ..model import Block, Json, Media, Role, Text, ToolCall, ToolResult
from ..positions import Path, path_text
from .arguments import arguments
from .draft import Draft
from .openai_blocks import result_blocks

PROVIDER = "openhands"

_SPEAKERS = {"user": Role.USER, "agent": Role.ASSISTANT}
#: Actions and observations by which the harness runs itself; none of them was said or asked for by the model.
_HARNESS = frozenset(
    "null start init pause resume stop change_agent_state agent_state_changed recall condensation "
    "condensation_request condense loop_recovery server_ready".split()
)
_FAILED = frozenset({"error", "user_rejected"})
#: What a finished run says, best first.
_LAST_WORDS = ("final_thought", "thought", "message")
_IMAGES = ("image_urls", "images_urls")
_EVENT = frozenset({"id", "action", "args", "source", "tool_call_metadata"})
#: What an observation repeats of its action.
_TOLD = frozenset({"tool_call_id", "function_name", "model_response", "total_calls_in_response"})
_SEEN = frozenset({"id", "observation", "content", "cause", "extras", "source", "success", "tool_call_metadata"})


class Events:
    """Reads events one by one; results are joined to the action that caused them."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        #: By the id of an action: the id of the call that it is, or None where it is no call.
        self._calls: dict[str, str | None] = {}
        self._aside = 0
        self._aside_at: Path = ()

    def read(self, event: dict[str, Json], at: Path) -> None:
        """Read one event."""
        is_action = isinstance(event.get("action"), str) and isinstance(event.get("args"), dict)
        kind = event["action"] if is_action else event["observation"]
        if kind in _HARNESS or (kind == "message" and not self._words(event)):
            self._keep_aside(event, at)
        elif is_action:
            self._read_action(event, kind, at)
        else:
            self._read_observation(event, kind, at)

    def end(self) -> None:
        """Say what was kept aside."""
        if self._aside:
            counted = "1 event is a record" if self._aside == 1 else f"{self._aside:,} events are records"
            self._draft.note("harness-events", f"{counted} of the harness; kept aside, not read.", self._aside_at)

    def _keep_aside(self, event: dict[str, Json], at: Path) -> None:
        if not self._aside:
            self._aside_at = at
        self._aside += 1
        if (given := event.get("id")) is not None and "action" in event:
            self._calls[str(given)] = None
        self._draft.extras[path_text(at)] = event

    def _words(self, event: dict[str, Json]) -> bool:
        args = event.get("args")
        return "observation" in event or (isinstance(args, dict) and bool(args.get("content") or _images(args)))

    def _read_action(self, event: dict[str, Json], kind: str, at: Path) -> None:
        args, source = event["args"], event.get("source")
        given = event.get("id")
        if kind == "system":
            self._draft.add(Role.SYSTEM, _said(args.get("content")), at)
            self._keep(event, args, ("content",), at)
        elif kind == "message":
            role = _SPEAKERS.get(source) if isinstance(source, str) else None
            if role is None:
                self._draft.add_unread(source, PROVIDER, event, at)
                return
            self._draft.add(role, [*_said(args.get("content")), *_images(args)], at)
            self._keep(event, args, ("content", *_IMAGES), at)
        elif kind == "finish" and source != "user":
            self._read_finish(event, args, at)
        elif source == "user":
            # What the user ran by hand is no call of the model's.
            self._keep_aside(event, at)
            return
        else:
            self._read_call(event, kind, args, at)
            return
        if given is not None:
            self._calls[str(given)] = None

    def _read_finish(self, event: dict[str, Json], args: dict[str, Json], at: Path) -> None:
        """The last words of a run; of the fields that repeat them the first that says something counts."""
        name = next((n for n in _LAST_WORDS if isinstance(args.get(n), str) and args[n].strip()), "")
        outputs = args.get("outputs")
        text = args.get(name) if name else outputs.get("content") if isinstance(outputs, dict) else None
        text = text if isinstance(text, str) and text else event.get("message")
        self._draft.add(Role.ASSISTANT, _said(text), at)
        self._keep(event, args, (name,), at)

    def _read_call(self, event: dict[str, Json], kind: str, args: dict[str, Json], at: Path) -> None:
        metadata = event.get("tool_call_metadata")
        told = metadata if isinstance(metadata, dict) else {}
        call, name = told.get("tool_call_id"), told.get("function_name")
        given = event.get("id")
        call = call if isinstance(call, str) and call else "" if given is None else str(given)
        name = name if isinstance(name, str) and name else kind
        thought = args.get("thought") if kind != "think" else None
        written = _written(told, call)
        if written is None:
            read: Json = {key: value for key, value in args.items() if key != "thought" or kind == "think"}
            self._keep(event, {}, (), at)
        else:
            where = (*at, "tool_call_metadata", "model_response")
            read = arguments(written, name, self._draft, where)
            self._keep(event, args, ("thought",), at)
        self._draft.add(Role.ASSISTANT, [*_said(thought), ToolCall(call, name, read)], at)
        if given is not None:
            self._calls[str(given)] = call

    def _read_observation(self, event: dict[str, Json], kind: str, at: Path) -> None:
        cause, metadata = event.get("cause"), event.get("tool_call_metadata")
        told = metadata.get("tool_call_id") if isinstance(metadata, dict) else None
        caused = str(cause) if cause is not None else None
        call = self._calls.get(caused, "") if caused is not None else ""
        call = told if isinstance(told, str) and told and call != told and call is not None else call
        if call is None:
            self._keep_aside(event, at)
            return
        extras = event.get("extras")
        content = result_blocks(event.get("content"), (*at, "content"), self._draft)
        content += tuple(_images(extras)) if isinstance(extras, dict) else ()
        ok = event.get("success")
        failed = True if kind in _FAILED else (not ok) if isinstance(ok, bool) else None
        self._draft.add(Role.TOOL, (ToolResult(call, content, failed),), at)
        read = _SEEN if caused is not None else _SEEN - {"cause"}
        self._draft.keep(event, read, at)
        self._draft.keep({"observation": kind, "source": event.get("source")}, (), at)
        if isinstance(metadata, dict):
            self._draft.keep(metadata, _TOLD, (*at, "tool_call_metadata"))
        if isinstance(extras, dict):
            self._draft.keep(extras, _IMAGES, (*at, "extras"))

    def _keep(self, event: dict[str, Json], args: dict[str, Json], read: tuple[str, ...], at: Path) -> None:
        """Keep what is not read of an event, and of its arguments."""
        self._draft.keep(event, _EVENT - {"tool_call_metadata"}, at)
        self._draft.keep(args, read, (*at, "args"))


def _said(text: Json) -> list[Block]:
    return [Text(text)] if isinstance(text, str) and text else []


def _images(fields: dict[str, Json]) -> list[Block]:
    held = (fields[name] for name in _IMAGES if isinstance(fields.get(name), list))
    return [Media("image", image) for image in next(held, ())]


def _written(metadata: dict[str, Json], call: str) -> Json:
    """The arguments of a call as the model wrote them; None where its reply is not kept."""
    reply = metadata.get("model_response")
    choices = reply.get("choices") if isinstance(reply, dict) else None
    for choice in choices if isinstance(choices, list) else ():
        message = choice.get("message") if isinstance(choice, dict) else None
        calls = message.get("tool_calls") if isinstance(message, dict) else None
        for made in calls if isinstance(calls, list) else ():
            body = made.get("function") if isinstance(made, dict) and made.get("id") == call else None
            if isinstance(body, dict):
                return body.get("arguments")
    return None
