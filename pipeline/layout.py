"""Where the plugin keeps what is not a result. The folder is not committed."""

from pathlib import Path

BUILD = Path("generated/build")
CACHE = BUILD / "cache"
DIGESTS = BUILD / "digests"
LOCK = BUILD / "lock"
LOGS = BUILD / "logs"
ROOMS = BUILD / "rooms"


def log_path(task: str) -> Path:
    """Return the log file of a task: `build:dot` logs to LOGS/build/dot.log."""
    return LOGS / (task.replace(":", "/") + ".log")
