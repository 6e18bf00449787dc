"""The address under which other devices reach this server, for a link and its QR code."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from urllib.parse import urlsplit, urlunsplit


def is_loopback(host: str) -> bool:
    """Whether a host is this machine itself, which no other device reaches by that name."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def of_this_machine() -> list[str]:
    """The machine's IPv4 addresses in its networks, those of home and school networks first."""
    import psutil

    up = {name for name, state in psutil.net_if_stats().items() if state.isup}
    found = [
        ipaddress.ip_address(each.address)
        for name, addresses in psutil.net_if_addrs().items()
        if name in up
        for each in addresses
        if each.family.name == "AF_INET"
    ]
    outside = [a for a in found if not a.is_loopback and not a.is_link_local]
    return [str(address) for address in sorted(outside, key=lambda a: not a.is_private)]


def reachable(url: str, bound_to: str | None, machine: Sequence[str]) -> list[str]:
    """The addresses of the app as other devices reach it, likeliest first; empty if there is none.

    Parameters
    ----------
    url
        As the teacher's browser has it.
    bound_to
        The address that the server listens at; None if at all of the machine's.
    machine
        The machine's addresses in its networks.

    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    root = parts._replace(path="", query="", fragment="")
    if not is_loopback(host):
        return [urlunsplit(root)]
    if bound_to and bound_to not in ("0.0.0.0", "::"):
        if is_loopback(bound_to):
            return []
        machine = [bound_to]
    port = f":{parts.port}" if parts.port else ""
    return [urlunsplit(root._replace(netloc=f"{address}{port}")) for address in machine]
