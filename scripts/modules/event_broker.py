"""A Mosquitto of its own, and receivers of what it is sent; for the trials of `--publish`."""
import os
import pathlib
import socket
import subprocess
import sys
import threading
import time

from recording_server import free_port

BROKER = "/usr/sbin/mosquitto"
TOPIC = "trial/door"


class Broker:
    """A broker on a free port of the loopback, whose sessions outlive it when it is ended in order."""

    def __init__(self, folder):
        if not pathlib.Path(BROKER).exists():
            sys.exit("There is no broker; scripts/camera-packages.txt has its packages.")
        self.port = free_port()
        self.address = f"mqtt://127.0.0.1:{self.port}/{TOPIC}"
        self.process = None
        folder = pathlib.Path(folder)
        folder.mkdir()
        self.settings = folder / "conf"
        # Written down when it ends, and not with each message: that is slower with each that waits.
        lines = [f"listener {self.port} 127.0.0.1", "allow_anonymous true", "persistence true", f"persistence_location {folder}/",
                 "autosave_interval 0", "max_queued_messages 0", "log_dest none"]
        if os.getuid() == 0:
            lines.append("user root")
        self.settings.write_text("\n".join(lines) + "\n")

    def start(self):
        """Returns when it takes connections."""
        self.process = subprocess.Popen([BROKER, "-c", str(self.settings)], stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 20
        while self.process.poll() is None and time.monotonic() < deadline:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.02)
        sys.exit("The broker does not start.")

    def stop(self):
        """Ends it in order; nothing where it does not run."""
        if self.process:
            self.process.terminate()
            self.process.wait()
            self.process = None

    def subscribe(self, name):
        """Has the broker keep from now on what comes, for the receiver of that name."""
        subprocess.run(self.words(name, "-E"), check=True)

    def words(self, name, *more):
        # Not what it keeps for those who come later (-R): that comes with each connection anew.
        return ["mosquitto_sub", "-h", "127.0.0.1", "-p", str(self.port), "-i", name, "-c", "-R", "-q", "1", "-t", f"{TOPIC}/#", *more]


class Receiver:
    """Takes what the broker has for that name, and what comes: topic, text and moment of each, in seconds of the calendar."""

    def __init__(self, broker, name):
        self.port = broker.port
        self.messages, self.news = [], threading.Condition()
        # It would keep its lines until there are many.
        self.process = subprocess.Popen(
            ["stdbuf", "-oL", *broker.words(name, "-F", "%U %t %p")], stdout=subprocess.PIPE, text=True)
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            moment, topic, text = line.rstrip("\n").split(" ", 2)
            with self.news:
                self.messages.append((topic, text, float(moment)))
                self.news.notify_all()

    def wait_for_silence(self, seconds):
        """Returns when nothing has come for so long."""
        with self.news:
            count = -1
            while count != len(self.messages):
                count = len(self.messages)
                self.news.wait_for(lambda: len(self.messages) > count, timeout=seconds)

    def wait_for(self, count, words, seconds):
        """Waits for so many messages under one of the words below the topic; returns those that came."""
        topics = {f"{TOPIC}/{word}" for word in words}
        found, looked_at, deadline = [], 0, time.monotonic() + seconds
        with self.news:
            while True:
                found += [message for message in self.messages[looked_at:] if message[0] in topics]
                looked_at = len(self.messages)
                left = deadline - time.monotonic()
                if len(found) >= count or left <= 0:
                    return found
                self.news.wait(timeout=left)

    def greet(self):
        """Returns when it takes what is published."""
        subprocess.run(["mosquitto_pub", "-h", "127.0.0.1", "-p", str(self.port), "-q", "1", "-t", f"{TOPIC}/greeting", "-m", "hello"], check=True)
        if not self.wait_for(1, ["greeting"], 20):
            sys.exit("The receiver does not receive.")

    def end(self):
        self.process.terminate()
        self.process.wait()
        self.reader.join()


def waiting(state):
    """How many events wait on the disk below the folder that XDG_STATE_HOME names."""
    return sum(1 for _ in pathlib.Path(state).glob("obscura/events/*/*.event"))
