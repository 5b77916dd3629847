"""Failures of a disk, a network or a service, which leave a store as it is: what they are, and what helps."""

from __future__ import annotations

import errno
import re
from collections.abc import Iterator

from apsp.errors import OutputError, StoreAccessError
from apsp.system.lack_of_memory import is_lack_of_memory

__all__ = ["GOES_ON", "is_access", "reason", "unreadable"]

_AGAIN = "make the same call again"
GOES_ON = f"{_AGAIN}: it goes on where it stopped"
"""What helps a run that writes."""

_REMEDIES = {
    errno.ENOSPC: "free some of the disk",
    errno.EDQUOT: "free some of the quota of this user, or have it raised",
    errno.EFBIG: "allow larger files (ulimit -f)",
    errno.EMFILE: "allow more open files (ulimit -n)",
    errno.EROFS: "name a folder on a disk that can be written",
    errno.EACCES: "change the permissions, or name another folder",
    errno.EPERM: "change the permissions, or name another folder",
}

_METADATA = re.compile(r"https?://[^ ]*/(latest/(api/token|meta-data/)|computeMetadata/|metadata/identity)")
"""Services of clouds that give credentials to their own machines, for those that have no others."""

_CREDENTIALS = (
    "set the credentials in the environment, such as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, "
    "GOOGLE_APPLICATION_CREDENTIALS, or AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY "
    "(AWS_SKIP_SIGNATURE=true, GOOGLE_SKIP_SIGNATURE=true: none, for a public bucket)"
)

_ORIGIN = re.compile(r"https?://[^/ ]+")
_STATUS = re.compile(r"status code: (\d+ [A-Za-z ]+)")
_MESSAGE = re.compile(r"<Message>(.*?)</Message>", re.DOTALL)


def reason(error: BaseException, again: str = _AGAIN) -> str:
    """Return what happened, and what helps.

    Parameters
    ----------
    error : Exception
        Of the system (OSError), or of obstore.
    again : str
        The last remedy.
    """
    cause = next((each for each in _chain(error) if isinstance(each, OSError) and each.errno is not None), None)
    if cause is None:
        what, remedy = _of_service(error)
    else:
        what, remedy = cause.strerror or str(cause), _REMEDIES.get(cause.errno or 0)
    remedy = again if remedy is None else f"{remedy}, and {again}"
    return f"{what.rstrip('.')}. {remedy[0].upper()}{remedy[1:]}"


def _of_service(error: BaseException) -> tuple[str, str | None]:
    words = str(error).strip()
    status, told, origin = _STATUS.search(words), _MESSAGE.search(words), _ORIGIN.search(words)
    first = words.partition("\n")[0] or type(error).__name__
    if status is not None:
        what = f"{status[1].strip()}: {told[1].strip()}" if told else status[1].strip()
    else:
        what = first.rpartition("HTTP error: ")[2]
    if _METADATA.search(words):
        return "there are no credentials", _CREDENTIALS
    if origin is not None and "BadScheme" in words:
        return f"{origin[0]} is not encrypted", "use https://, or a store of obstore that allows it (client_options)"
    if origin is not None:
        what = f"{origin[0]} answers {what}" if status is not None else f"no answer from {origin[0]}: {what}"
    if type(error).__name__ in ("PermissionDeniedError", "UnauthenticatedError"):
        return what, "check the credentials, what they allow, and the clock of this machine"
    if status is not None and status[1].startswith("404"):
        return what, "check the name of the bucket, and its region"
    if "timed out" in words or "TimedOut" in words:
        return what, "pass a store of obstore with a longer timeout (client_options), if the network is slow"
    return what, None


def is_access(error: BaseException) -> bool:
    """Whether an exception, or what caused it, is a failure of a disk, a network or a service."""
    return any(map(_fails, _chain(error)))


def _fails(error: BaseException) -> bool:
    if isinstance(error, FileNotFoundError) or type(error).__name__ == "NotFoundError" or is_lack_of_memory(error):
        return False
    if isinstance(error, OSError):  # packages raise it without a number, or with EINVAL, for damaged bytes, too
        return isinstance(error, StoreAccessError) or error.errno not in (None, errno.EINVAL)
    return type(error).__module__.startswith("obstore")


def unreadable(name: str, what: str, error: BaseException) -> StoreAccessError:
    """Return the error that tells a caller that a part of a store cannot be read now."""
    if isinstance(error, StoreAccessError):
        return error
    return StoreAccessError(f"{name}: {what} cannot be read: {reason(error)}")


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    for _ in range(20):
        if error is None:
            return
        yield error
        error = error.__cause__ or (error.__context__ if isinstance(error, OutputError) else None)
