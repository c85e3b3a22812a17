"""Every exception becomes an answer: the typed error where it is one of ours, else one that says nothing."""

from __future__ import annotations

import logging
import secrets

from enfilade.errors import EnfiladeError

log = logging.getLogger(__name__)


def to_enfilade_error(exception: BaseException) -> EnfiladeError:
    """The error to answer with. Of an unexpected one only an id goes out; its trace goes to the log."""
    if isinstance(exception, EnfiladeError):
        return exception
    error_id = secrets.token_hex(4)
    log.error("Unexpected error %s", error_id, exc_info=exception)
    return EnfiladeError(f"Something went wrong in the server; its log tells more under {error_id}.")
