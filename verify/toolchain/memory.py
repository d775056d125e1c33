"""How much memory a compiler may take: one that fills it must not take the machine with it."""

import os
import resource

LEAST_BYTES = 8 << 30


def limit_bytes() -> int:
    """Half of the machine's memory, eight gigabytes at least, as a limit of the address space."""
    try:
        installed = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (OSError, ValueError):
        installed = 0
    return max(LEAST_BYTES, installed // 2)


def limit_this_process() -> None:
    """Keep this process, and what it becomes, within the limit; a stricter one stays."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = limit_bytes()
    if hard == resource.RLIM_INFINITY or hard > wanted:
        resource.setrlimit(resource.RLIMIT_AS, (wanted, wanted))
