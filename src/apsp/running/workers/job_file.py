"""The job in a file, and what stands for it in the arguments of tasks."""

from __future__ import annotations

import tempfile
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from apsp.errors import ExecutorError, OutputError, shown
from apsp.system.mapped import write_mapped
from apsp.system.owned_folder import OwnedFolder

__all__ = ["JobFile", "JobReference"]


@dataclass(frozen=True)
class JobReference:
    """Stands for a job in the arguments of a task.

    Attributes
    ----------
    key : str
        Differs between jobs.
    path : str
        A file on the machine of the caller that exists as long as the caller waits; it holds the job unless the engine
        itself sends it.
    version : str
        The version of apsp of the caller.
    is_sent : bool
        The engine itself sends the job, and the preparation.
    """

    key: str
    path: str
    version: str
    is_sent: bool = False

    @property
    def preparation(self) -> Path:
        """The file of what the worker that plans shares with the others."""
        return Path(self.path).with_name("preparation")

    @property
    def folder(self) -> Path:
        """A folder of this job on the machine of a worker: that of the file on the machine of the caller."""
        own = Path(self.path).parent
        return own if own.is_dir() else Path(tempfile.gettempdir()) / f"apsp-gpus-{self.key}"

    @property
    def has_file(self) -> bool:
        """Whether the file is there; only the machine of the caller can tell."""
        return Path(self.path).exists()


@dataclass
class JobFile:
    """The file of a job, in a folder that only this user can read, and that the next job removes after `kill -9`."""

    job: Any
    is_sent: bool
    folder: OwnedFolder = field(init=False)
    reference: JobReference = field(init=False)

    def __enter__(self) -> JobReference:
        from apsp import __version__

        try:
            self.folder = OwnedFolder.create("apsp-job-")
            path = self.folder.path / "job"
            if self.is_sent:
                path.touch()
            else:
                write_mapped(path, self.job)
        except OSError as error:
            self.__exit__()
            where = tempfile.gettempdir()
            raise OutputError(
                f"cannot write the graph for the workers to {where}: {error.strerror or error}"
            ) from error
        except Exception as error:  # labels may be objects of any class
            self.__exit__()
            raise ExecutorError(
                f"the graph cannot be sent to the workers ({type(error).__name__}: {shown(str(error))}): its labels "
                "must be objects that pickle takes"
            ) from error
        self.reference = JobReference(uuid.uuid4().hex, str(path), __version__, self.is_sent)
        return self.reference

    def __exit__(self, *_: object) -> None:
        if hasattr(self, "folder"):
            self.folder.remove()
