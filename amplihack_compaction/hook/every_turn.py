"""The events of every turn: nearly always nothing to say (hot).

Only when the transcript shows a compaction whose injection is missing, one that Stop has not
checked yet, when a text is waiting, or when the context may have reached another level, is
anything else imported.
"""

from amplihack_compaction.base.paths import session_folder
from amplihack_compaction.injection.delivery import is_pending, observe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def answer_turn_event(payload: "dict[str, Any]", root: str) -> str:
    """Return what a PreToolUse or UserPromptSubmit hook has to say: nearly always nothing."""
    folder = session_folder(root, payload["session_id"])
    is_prompt = payload["hook_event_name"] == "UserPromptSubmit"
    position = observe(root, folder, payload["transcript_path"], is_new_turn=is_prompt)
    if position is None:
        return ""
    if position.missing:
        from amplihack_compaction.base.installation import add_site_packages
        from amplihack_compaction.hook.late_injection import inject_missing

        add_site_packages()
        return inject_missing(payload, root, folder, position)
    if is_pending(folder):
        from amplihack_compaction.hook.late_injection import give_pending

        return give_pending(payload, folder)
    from amplihack_compaction.context.watch import is_due

    if is_due(root, folder, payload["transcript_path"], position.boundary):
        from amplihack_compaction.base.installation import add_site_packages
        from amplihack_compaction.hook.level_crossed import answer_level

        add_site_packages()
        return answer_level(payload, root, folder, position.boundary)
    return ""


def answer_stop(payload: "dict[str, Any]", root: str) -> str:
    """Return what Stop has to say: something only after a compaction that lost something."""
    if payload.get("stop_hook_active"):
        return ""  # a turn that a hook prolonged is never prolonged again
    folder = session_folder(root, payload["session_id"])
    position = observe(root, folder, payload["transcript_path"], look_back=True)
    if position is None or position.boundary <= position.checked:
        return ""
    from amplihack_compaction.base.installation import add_site_packages
    from amplihack_compaction.hook.stop import check_losses

    add_site_packages()
    return check_losses(payload, root, folder, position)
