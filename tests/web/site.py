"""A server that can be ended and started again."""

from server.lives import Process


class Site:
    """`franchise serve` over one file and at one address, however often it is started."""

    def __init__(self, database: str) -> None:
        self.database = database
        self.process = Process(database)
        self.address = self.process.address

    def stop(self, signal: int = 15) -> None:
        self.process.stop(signal)

    def start(self) -> None:
        self.process = Process(self.database, "--port", self.address.rpartition(":")[2])
