"""The machine that something was measured on, without its name: for provenance and benchmarks."""

from __future__ import annotations

import os
import platform
from pathlib import Path


def described() -> str:
    """Processor, cores and system."""
    return f"{processor()}, {cores()} cores, {platform.system()}, {platform.machine()}"


def processor() -> str:
    """The processor as the system calls it."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or "unknown processor"


def cores() -> int:
    """How many this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
