"""Where a map stands: its XML file alone, its folder, or a zip of it; and the keys of its notifications."""

from __future__ import annotations

import re

NOTIFICATIONS = "notifications.properties"
_ENTRY = re.compile(r"\s*([^#!\s](?:\\.|[^=:\\])*?)\s*[=:]")


def keys_of(content: str) -> frozenset[str]:
    """The keys of a properties file of Java.

    Args:
        content: What `notifications.properties` holds.
    """
    found = set()
    continued = False
    for line in content.splitlines():
        entry = None if continued else _ENTRY.match(line)
        if entry:
            found.add(re.sub(r"\\(.)", r"\1", entry[1]))
        continued = (len(line) - len(line.rstrip("\\"))) % 2 == 1
    return frozenset(found)
