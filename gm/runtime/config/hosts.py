"""Which hosts are this machine itself."""

import ipaddress


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine: what is sent there needs no encryption."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() in ("localhost", "ip6-localhost")
