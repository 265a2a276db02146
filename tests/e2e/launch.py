"""Becomes the client, after handing the API's listening socket to the test process.

    launch.py CHANNEL_FD COMMAND [ARGUMENT ...]
    launch.py probe

A socket stays in the network namespace it was made in, whoever accepts on it later. So this
process, started in a namespace of its own, listens there and sends the socket through the unix
socket CHANNEL_FD. The API then runs in the test process, and the client reaches it although its
namespace has no way out.
`probe` brings loopback up and leaves with 0 when that worked.
"""

import fcntl
import os
import socket
import struct
import sys

SIOCGIFFLAGS = 0x8913
SIOCSIFFLAGS = 0x8914
IFF_UP = 0x1
IFREQ = "16sh22x"


def bring_loopback_up() -> None:
    """Set the flag that a new namespace's loopback lacks; elsewhere it is set already."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        asked = struct.pack(IFREQ, b"lo", 0)
        _, flags = struct.unpack(IFREQ, fcntl.ioctl(control, SIOCGIFFLAGS, asked))
        if not flags & IFF_UP:
            fcntl.ioctl(control, SIOCSIFFLAGS, struct.pack(IFREQ, b"lo", flags | IFF_UP))


def listen() -> socket.socket:
    """Listen on a free port of loopback."""
    return socket.create_server(("127.0.0.1", 0), backlog=64)


def main() -> None:
    """Do what the module says."""
    if sys.platform == "linux":
        bring_loopback_up()
    if sys.argv[1] == "probe":
        listen().close()
        return
    with socket.socket(fileno=int(sys.argv[1])) as channel, listen() as listener:
        socket.send_fds(channel, [b"api"], [listener.fileno()])
        port = listener.getsockname()[1]
    os.environ["ANTHROPIC_BASE_URL"] = f"http://127.0.0.1:{port}"
    os.execv(sys.argv[2], sys.argv[2:])


if __name__ == "__main__":
    main()
