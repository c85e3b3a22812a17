"""Read a raw command's envelope before it is validated, and turn exceptions into wire errors.

Both entry points use these functions, so that a refused command is counted and answered alike.
"""

from __future__ import annotations

import logging
import math
import secrets
from typing import Any

from enfilade.errors import BadMessage, EnfiladeError, RateLimited
from enfilade.i18n import localize

log = logging.getLogger(__name__)

_MAX_ID_LENGTH = 64
SCENE_COMMANDS = ("scene.set", "scene.sync")
"""The commands that have a whole scene, and may be larger than a message."""


def to_enfilade_error(exception: BaseException) -> EnfiladeError:
    """Return the error to answer with.

    The client sees only an ID of an unexpected exception. The log has the traceback under that ID.
    """
    if isinstance(exception, EnfiladeError):
        return exception
    error_id = secrets.token_hex(4)
    log.error("Unexpected error %s", error_id, exc_info=exception)
    return EnfiladeError(localize("server.internal_error", error_id=error_id))


def retry_after_seconds(problem: RateLimited) -> str:
    """Return the value of the header Retry-After, in whole seconds."""
    return str(math.ceil(problem.retry_after_ms / 1000))


def command_kind(raw: Any) -> str:
    """Return the kind of an unvalidated command, empty if it has none."""
    found = raw.get("kind") if isinstance(raw, dict) else None
    return found if isinstance(found, str) else ""


def command_id(raw: Any) -> str:
    """Return the ID of an unvalidated command, empty if it has none."""
    found = raw.get("id") if isinstance(raw, dict) else None
    return found[:_MAX_ID_LENGTH] if isinstance(found, str) else ""


def command_number(raw: Any) -> int:
    """Return the sequence number of an unvalidated command on its connection. Raises BadMessage.

    It is read before validation, because a command that validation refuses counts too.
    """
    number = raw.get("n") if isinstance(raw, dict) else None
    if not isinstance(number, int) or isinstance(number, bool):
        raise BadMessage({"n": [localize("server.missing_command_number")]})
    return number
