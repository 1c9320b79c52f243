"""A port for a server that is stopped and started again, or whose address is needed before it starts."""

import socket
import sys


class ReservedPort:
    """A port of this machine that no other program is given, until it is closed.

    On Linux a server may listen where another socket is bound that never does. Elsewhere the port is free at first.
    """

    def __init__(self) -> None:
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(("127.0.0.1", 0))
        self.number = int(self.socket.getsockname()[1])
        if sys.platform != "linux":
            self.close()

    def close(self) -> None:
        self.socket.close()
