"""Starting the app: seconds to a healthy server and to the first private sentence, and its memory.

A fresh server on a free port, then a fresh Chromium:

healthy          from the start of the process until the server says that it is
first sentence   from opening the home page until a private sentence stands on it; nobody has used
                 this server before, so it reads the vocabulary meanwhile
second visitor   the same in another browser session, with the vocabulary read
400,000 words    the same with the largest vocabulary, every token, which is read for this visitor
memory           what the server holds resident after that, and the most it ever held (Linux)

    python -m benchmarks.start_up
    python -m benchmarks.start_up --chromium /usr/bin/chromium
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from benchmarks.live_sentence import machine

HOUSE = Path(__file__).parent.parent
PATIENCE = 60.0  # seconds
LARGEST = "?size=400000&tokens=all"

# A root user has no sandbox, and a browser that is measured should not fetch anything of its own.
CHROMIUM_OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

PROMISED = {"healthy": 3.0, "first sentence": 5.0}  # seconds
PROMISED_MEMORY = 700  # MB


def main() -> None:
    """Print the table."""
    arguments = _arguments()
    print(machine() + "\n")
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    start = time.perf_counter()
    with server(port) as process, sync_playwright() as playwright:
        seconds = {"healthy": healthy(address, process, start)}
        browser = playwright.chromium.launch(
            executable_path=arguments.chromium, args=CHROMIUM_OPTIONS
        )
        seconds["first sentence"] = first_sentence(browser, address)
        seconds["second visitor"] = first_sentence(browser, address)
        before = memory(process.pid)
        seconds["first sentence, 400,000 words"] = first_sentence(browser, f"{address}/{LARGEST}")
        after = memory(process.pid)
        browser.close()
    print("| what | measured | promised |")
    print("|:---|---:|---:|")
    for what, taken in seconds.items():
        limit = f"{PROMISED[what]:g} s" if what in PROMISED else ""
        print(f"| {what} | {taken:.2f} s | {limit} |")
    if before and after:
        print(f"| memory, 30,000 words | {before[0]:.0f} MB | |")
        print(f"| memory, 400,000 words too | {after[0]:.0f} MB | {PROMISED_MEMORY} MB |")
        print(f"| memory, at its peak | {after[1]:.0f} MB | |")


@contextlib.contextmanager
def server(port: int, script: str = "app.py") -> Iterator[subprocess.Popen[bytes]]:
    """The app, or another script, on a port of this machine, until the block ends."""
    command = [sys.executable, "-m", "streamlit", "run", script, "--server.headless", "true"]
    command += ["--server.port", str(port), "--server.address", "127.0.0.1"]
    process = subprocess.Popen(
        command, cwd=HOUSE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)


def first_sentence(browser: Browser, address: str) -> float:
    """Seconds from opening the page in a session of its own until a private sentence is shown."""
    page = browser.new_context().new_page()
    start = time.perf_counter()
    page.goto(f"{address}/perturb", wait_until="commit")
    page.locator(".wv-version").first.wait_for(state="visible", timeout=PATIENCE * 1_000)
    taken = time.perf_counter() - start
    page.context.close()
    return taken


def memory(pid: int) -> tuple[float, float] | None:
    """Resident megabytes of a process, now and at most; None where there is no /proc."""
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return None
    lines = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
    now, most = (int(lines[name].split()[0]) * 1024 / 1e6 for name in ("VmRSS", "VmHWM"))
    return now, most


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def healthy(address: str, process: subprocess.Popen[bytes], start: float) -> float:
    """Seconds since the start until the server says that it is well."""
    while time.perf_counter() - start < PATIENCE:
        if process.poll() is not None:
            raise RuntimeError(f"The server ended with code {process.returncode}.")
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=1) as answer:
                if answer.read() == b"ok":
                    return time.perf_counter() - start
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.02)
    raise TimeoutError(f"The server was not healthy within {PATIENCE:g} s.")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="How long the app takes to start.")
    default = os.environ.get("CHROMIUM") or shutil.which("chromium")
    parser.add_argument(
        "--chromium", default=default, help="the browser; default: the Chromium on the path"
    )
    return parser.parse_args()


if __name__ == "__main__":
    main()
