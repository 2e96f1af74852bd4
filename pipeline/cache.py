"""A cache by content: what was made once from the same things is copied, not made again.

Off with PIPELINE_NO_CACHE=1 in the environment. Only good results are kept, with a digest of their
own: an entry that does not match it is removed, and its artifact is made.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from pipeline.digest import canonical
from pipeline.layout import CACHE

MAX_BYTES = 256 * 2**20
"""What all entries together may take; those that were not used for longest go first."""

DIGEST_BYTES = hashlib.sha256().digest_size


def entry_of(
    key: Mapping[str, str], inputs: Mapping[str, str], targets: Sequence[str]
) -> Path | None:
    """Return the file for an artifact's targets, whatever the artifact's name; None if off."""
    if os.environ.get("PIPELINE_NO_CACHE") == "1":
        return None
    content = canonical([dict(key), dict(inputs), list(targets)])
    return CACHE / hashlib.sha256(content.encode()).hexdigest()


def store(entry: Path, places: Iterable[Path]) -> None:
    """Keep the bytes and the permissions of files; raises OSError where there is no room."""
    contents = [place.read_bytes() for place in places]
    modes = [place.stat().st_mode & 0o777 for place in places]
    sizes = [[len(content), mode] for content, mode in zip(contents, modes, strict=True)]
    body = json.dumps(sizes).encode() + b"\n" + b"".join(contents)
    CACHE.mkdir(parents=True, exist_ok=True)
    fresh = entry.with_name(f"{entry.name}.{os.getpid()}")  # another worker may store the same
    fresh.write_bytes(hashlib.sha256(body).digest() + body)
    fresh.replace(entry)


def restore(entry: Path, places: Sequence[Path]) -> bool:
    """Write the files that an entry holds; return False, and write none, if it is not good."""
    try:
        content = entry.read_bytes()
    except FileNotFoundError:
        return False
    digest, body = content[:DIGEST_BYTES], content[DIGEST_BYTES:]
    if hashlib.sha256(body).digest() != digest:
        entry.unlink(missing_ok=True)
        return False
    head, _, rest = body.partition(b"\n")
    for place, (size, mode) in zip(places, json.loads(head), strict=True):
        place.write_bytes(rest[:size])
        place.chmod(mode)
        rest = rest[size:]
    with suppress(FileNotFoundError):  # another worker may have found it too old
        os.utime(entry)
    return True


def trim_cache() -> None:
    """Remove the entries used longest ago, and those that were never finished, down to the cap."""
    if not CACHE.is_dir():
        return
    entries = [(entry, entry.stat()) for entry in CACHE.iterdir()]
    total = sum(state.st_size for _, state in entries)
    for entry, state in sorted(entries, key=lambda each: each[1].st_mtime_ns):
        unfinished = bool(entry.suffix)
        if total > MAX_BYTES or unfinished:
            entry.unlink()
            total -= state.st_size
