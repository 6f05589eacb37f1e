"""Hosts as the config names them: which of them is this machine itself."""

import ipaddress


def is_loopback(host: str) -> bool:
    """Say whether what is sent to this host never leaves the machine, so that it needs no encryption."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() in ("localhost", "ip6-localhost")
