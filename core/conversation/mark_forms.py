"""The forms in which harnesses put words of their own between those of the user: tags, openings, tails.

Only names and sentences that a harness writes and a user does not; a tag that people use in their own prompts
(`<context>`, `<instructions>`, `<task>`) is none of them. What a harness wraps around the user's own words
(`<user_query>`, `<feedback>`) is not listed either.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class MarkKind(StrEnum):
    """What a harness said with a text, by its effect on who reads the conversation."""

    # Kinds key small tables; an enum's own hash is a call into Python.
    __hash__ = str.__hash__

    #: A summary that stands for turns that were cut away, or the request to write one.
    COMPACTION = "compaction"
    #: Working directory, shell, date, open tabs.
    ENVIRONMENT = "environment"
    REMINDER = "reminder"
    #: AGENTS.md, CLAUDE.md, skills, permissions.
    INSTRUCTIONS = "instructions"
    #: Tools that are declared in a message.
    TOOLS = "tools"
    #: A slash command, or what a command printed, as text of the user.
    COMMAND = "command"
    INTERRUPTION = "interruption"
    #: An example run that is no part of the task.
    DEMONSTRATION = "demonstration"
    #: Files, selections and maps of the repository that were attached.
    CONTEXT = "context"
    #: What a harness says when something happened, or to make the model go on.
    NOTICE = "notice"


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag that wraps a text. `words` name it on the screen; `holds` has to stand in it where the name is common."""

    kind: MarkKind
    words: str
    holds: str = ""
    #: What stands in it are the user's own words; only the tags are marked.
    is_wrapper: bool = False


@dataclass(frozen=True, slots=True)
class Opening:
    """A sentence at the start of a text, and where what it opens ends.

    The mark ends behind the first of `until` that occurs, with its line if `whole_line`; without one it runs to the end
    of the text, or to that of the line, or there is no mark, as `otherwise` says (`text`, `line`, `none`).
    """

    start: str
    kind: MarkKind
    words: str
    until: tuple[str, ...] = ()
    otherwise: str = "text"
    whole_line: bool = False
    #: All of these stand in it too.
    holds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tail:
    """A line in a text from which on, up to a line, it is the harness's; without that line, to the end."""

    start: str
    kind: MarkKind
    words: str
    until: str = ""


_KIND = MarkKind


def _tags(kind: MarkKind, words: str, *names: str, holds: str = "") -> dict[str, Tag]:
    return {name: Tag(kind, words, holds) for name in names}


TAGS: dict[str, Tag] = {
    **_tags(_KIND.REMINDER, "reminder", "system-reminder", "system_reminder", "reminderInstructions"),
    **_tags(_KIND.ENVIRONMENT, "environment", "environment_context", "environment_details", "environment_info"),
    **_tags(_KIND.ENVIRONMENT, "environment", "workspace_info", "RUNTIME_INFORMATION", "REPOSITORY_INFO", "info-msg"),
    **_tags(_KIND.ENVIRONMENT, "environment", "session_context", holds="setting up the context"),
    **_tags(_KIND.ENVIRONMENT, "environment", "user_info", holds="OS Version"),
    **_tags(_KIND.ENVIRONMENT, "environment", "env", holds="Working directory"),
    **_tags(_KIND.INSTRUCTIONS, "project instructions", "user_instructions", "REPOSITORY_INSTRUCTIONS"),
    **_tags(_KIND.INSTRUCTIONS, "project instructions", "always_applied_workspace_rules"),
    **_tags(_KIND.INSTRUCTIONS, "harness instructions", "CONVERSATION_INSTRUCTIONS", "EXTRA_INFO", "model_switch"),
    **_tags(_KIND.INSTRUCTIONS, "permissions", "permissions instructions", "collaboration_mode", "personality_spec"),
    **_tags(_KIND.INSTRUCTIONS, "skills", "skills_instructions", "apps_instructions", "plugins_instructions"),
    **_tags(_KIND.INSTRUCTIONS, "skills", "available_skills", "recommended_plugins"),
    **_tags(_KIND.INSTRUCTIONS, "skill", "skill", holds="<name>"),
    **_tags(_KIND.COMMAND, "slash command", "command-name", "command-message", "command-contents"),
    "command-args": Tag(_KIND.COMMAND, "slash command", is_wrapper=True),
    **_tags(_KIND.COMMAND, "shell command", "bash-input", "user_shell_command"),
    **_tags(_KIND.COMMAND, "command output", "local-command-stdout", "local-command-stderr"),
    **_tags(_KIND.COMMAND, "command output", "bash-stdout", "bash-stderr"),
    **_tags(_KIND.COMMAND, "caveat about commands", "local-command-caveat"),
    **_tags(_KIND.INTERRUPTION, "interruption", "turn_aborted"),
    **_tags(_KIND.COMPACTION, "compaction summary", "state_snapshot", "conversation-summary", "CONVERSATION SUMMARY"),
    **_tags(_KIND.CONTEXT, "open file", "ide_opened_file", "ide_selection", "editorContext"),
    **_tags(_KIND.CONTEXT, "open file", "open_and_recently_viewed_files"),
    **_tags(_KIND.CONTEXT, "diagnostics of the editor", "new-diagnostics", "ide_diagnostics"),
    **_tags(_KIND.CONTEXT, "attached files", "file_content", "folder_content", "url_content", "attached_files"),
    **_tags(_KIND.CONTEXT, "attached files", "attachedFiles", "uploaded_files", "project_layout", "git_status"),
    **_tags(_KIND.CONTEXT, "transcripts of agents", "agent_transcripts"),
    **_tags(_KIND.NOTICE, "notice of a task", "task-notification", "subagent_notification", "teammate-message"),
    **_tags(_KIND.NOTICE, "output of a hook", "user-prompt-submit-hook", "session-start-hook"),
}

_AIDER_MAP, _AIDER_FILES = "repository map", "files in the chat"

OPENINGS: tuple[Opening, ...] = (
    Opening(
        "This session is being continued from a previous conversation",
        _KIND.COMPACTION,
        "compaction summary",
        ("The user request for this round is:", "\nPlease continue the conversation from where"),
        whole_line=True,
    ),
    Opening("Another language model started to solve this problem", _KIND.COMPACTION, "compaction summary"),
    Opening("You were originally given instructions from a user over one", _KIND.COMPACTION, "compaction summary"),
    Opening("Here is a summary of the conversation to date:", _KIND.COMPACTION, "compaction summary"),
    Opening("You are in the middle of a conversation that has been summarized", _KIND.COMPACTION, "compaction summary"),
    Opening("Note: prior messages have been hidden from view", _KIND.COMPACTION, "compaction summary"),
    Opening("I spoke to you previously about a number of things.", _KIND.COMPACTION, "compaction summary"),
    Opening(
        "The conversation history before this point was compacted",
        _KIND.COMPACTION,
        "compaction summary",
        ("</summary>",),
    ),
    Opening(
        "USER_CONTEXT:",
        _KIND.COMPACTION,
        "compaction summary",
        holds=("\nCOMPLETED:", "\nPENDING:", "\nCURRENT_STATE:"),
    ),
    Opening(
        "[NOTE] Some previous conversation history with the user has been removed",
        _KIND.COMPACTION,
        "notice of a compaction",
        otherwise="line",
    ),
    Opening("You are performing a CONTEXT CHECKPOINT COMPACTION", _KIND.COMPACTION, "request to compact"),
    Opening("Your task is to create a detailed summary of the conversation", _KIND.COMPACTION, "request to compact"),
    Opening("Your task is to create a comprehensive, detailed summary", _KIND.COMPACTION, "request to compact"),
    Opening("The current conversation is rapidly running out of context", _KIND.COMPACTION, "request to compact"),
    Opening("You are maintaining a context-aware state summary for", _KIND.COMPACTION, "request to compact"),
    Opening("First, reason in your scratchpad. Then, generate the", _KIND.COMPACTION, "request to compact"),
    Opening("# AGENTS.md instructions", _KIND.INSTRUCTIONS, "project instructions", ("</INSTRUCTIONS>",)),
    Opening("Base directory for this skill:", _KIND.INSTRUCTIONS, "skill", ("\nARGUMENTS: ",)),
    Opening(
        "This is the ",
        _KIND.ENVIRONMENT,
        "environment",
        holds=(". We are setting up the context for our chat.",),
    ),
    Opening(
        "Caveat: The messages below were generated by the user", _KIND.COMMAND, "caveat about commands", (), "line"
    ),
    Opening("EXECUTION RESULT of [", _KIND.COMMAND, "command output"),
    Opening("OBSERVATION:\n", _KIND.COMMAND, "command output"),
    Opening("<returncode>", _KIND.COMMAND, "command output", holds=("</returncode>",)),
    Opening("[Request interrupted by user", _KIND.INTERRUPTION, "interruption", ("]",), "line"),
    Opening(
        "[TASK RESUMPTION]", _KIND.INTERRUPTION, "interruption", ("<user_message>", "for task continuation:"), "text"
    ),
    Opening("[ERROR] You did not use a tool in your previous response!", _KIND.REMINDER, "reminder"),
    Opening(
        "# Context from my IDE setup:",
        _KIND.CONTEXT,
        "open files",
        ("## My request for Codex:",),
        "none",
    ),
    Opening("# Files mentioned by the user:", _KIND.CONTEXT, "open files", ("## My request for Codex:",), "none"),
    Opening(
        "Here is a demonstration of how to correctly",
        _KIND.DEMONSTRATION,
        "demonstration",
        ("END OF DEMONSTRATION",),
        "none",
        whole_line=True,
    ),
    Opening(
        "Here's a running example of how to perform a task",
        _KIND.DEMONSTRATION,
        "demonstration",
        ("- NEW TASK DESCRIPTION -", "END OF EXAMPLE"),
        "none",
        whole_line=True,
    ),
    Opening("Please continue working on the task on whatever approach", _KIND.NOTICE, "request to go on"),
    Opening("Here are summaries of some files present in my git repo", _KIND.CONTEXT, _AIDER_MAP),
    Opening("I am working with you on code in a git repository.\nHere are summaries", _KIND.CONTEXT, _AIDER_MAP),
    Opening("I have *added these files to the chat*", _KIND.CONTEXT, _AIDER_FILES),
    Opening("Here are some READ ONLY files, provided for your reference.", _KIND.CONTEXT, _AIDER_FILES),
    Opening("I am not sharing any files that you can edit yet.", _KIND.CONTEXT, _AIDER_FILES, (), "line"),
    Opening("I am not sharing the full contents of any files with you yet.", _KIND.CONTEXT, _AIDER_FILES, (), "line"),
)

#: What ends an example run: what was said before it is no part of the task.
SWITCH = Opening("I switched to a new code base. Please don't consider the", _KIND.DEMONSTRATION, "end of the examples")
#: How the answers begin that such harnesses let the model give to their own messages, and how short they are.
ANSWERS = ("Ok.", "Ok, ", "Got it. Thanks for the ")
ANSWER_CHARS = 160

TAILS: tuple[Tail, ...] = (
    Tail("--- Context from: ", _KIND.INSTRUCTIONS, "project instructions", "--- End of Context from: "),
    Tail("--- Content from referenced files ---", _KIND.CONTEXT, "attached files", "--- End of content ---"),
    Tail("--------------------- END OF NEW TASK DESCRIPTION", _KIND.REMINDER, "reminder"),
    Tail("# *SEARCH/REPLACE block* Rules:", _KIND.REMINDER, "reminder"),
)

#: Openings of results that no tool gave: the user refused the call. What the user said about it stands behind.
REFUSED: tuple[Opening, ...] = (
    Opening(
        "The user doesn't want to proceed with this tool use.",
        _KIND.INTERRUPTION,
        "refused by the user",
        ("the user said:",),
    ),
    Opening("The user doesn't want to take this action right now.", _KIND.INTERRUPTION, "refused by the user"),
    Opening("[Request interrupted by user", _KIND.INTERRUPTION, "interruption", ("]",), "line"),
)
