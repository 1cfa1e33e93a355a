"""GStreamer's RTSP server as a process of its own, which takes one stream (RECORD) and says when each picture of it arrives.

Run as a program with a port it says "ready", listens when a line comes on its input, and ends with its input. It needs the packages of
Benchmarks/packages.txt.
"""
import os
import socket
import subprocess
import sys
import threading
import time

# H.264 and AAC, as `obscura stream` sends them.
TAKEN = (
    "( rtph264depay name=depay0 ! h264parse ! video/x-h264,alignment=au ! fakesink name=pictures sync=false async=false "
    "rtpmp4gdepay name=depay1 ! fakesink sync=false async=false )")


def free_port():
    """A port that was free a moment ago."""
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        return place.getsockname()[1]


def say(word):
    # One write, so that lines of two threads do not mix.
    os.write(1, f"{word} {time.monotonic():.6f}\n".encode())


def serve(port):
    import gi

    gi.require_version("Gst", "1.0")
    gi.require_version("GstRtspServer", "1.0")
    from gi.repository import GLib, Gst, GstRtspServer

    def picture(*_):
        say("picture")
        return Gst.PadProbeReturn.OK

    def configure(_, media):
        media.get_element().get_by_name("pictures").get_static_pad("sink").add_probe(Gst.PadProbeType.BUFFER, picture)

    Gst.init(None)
    server = GstRtspServer.RTSPServer()
    server.set_address("127.0.0.1")
    server.set_service(str(port))
    factory = GstRtspServer.RTSPMediaFactory()
    factory.set_transport_mode(GstRtspServer.RTSPTransportMode.RECORD)
    # What arrives is counted at once.
    factory.set_latency(0)
    factory.set_launch(TAKEN)
    factory.connect("media-configure", configure)
    server.get_mount_points().add_factory("/door", factory)
    say("ready")
    sys.stdin.readline()
    if not server.attach(None):
        sys.exit(f"recording_server: the port {port} is taken.")
    say("listens")
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    GLib.MainLoop().run()


class RecordingServer:
    """One life of the server; all moments are seconds of the monotonic clock."""

    def __init__(self, port):
        self.port = port
        self.address = f"rtsp://127.0.0.1:{port}/door"
        self.process = subprocess.Popen(
            [sys.executable, __file__, str(port)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.moments, self.is_over, self.news = {"ready": [], "listens": [], "picture": []}, False, threading.Condition()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()
        if not self.wait("ready", 30):
            sys.exit("The media server does not start; Benchmarks/packages.txt has its packages.")

    def read(self):
        for line in self.process.stdout:
            word, moment = line.split()
            with self.news:
                self.moments[word].append(float(moment))
                self.news.notify_all()
        with self.news:
            self.is_over = True
            self.news.notify_all()

    def wait(self, word, seconds):
        """The moment of the first such word; None without one in time."""
        with self.news:
            self.news.wait_for(lambda: self.moments[word] or self.is_over, timeout=seconds)
            return next(iter(self.moments[word]), None)

    def listen(self):
        """Listens from now on; returns since when."""
        self.process.stdin.write("listen\n")
        self.process.stdin.flush()
        moment = self.wait("listens", 10)
        if moment is None:
            sys.exit("The media server does not listen.")
        return moment

    def first_picture(self, seconds):
        return self.wait("picture", seconds)

    @property
    def pictures(self):
        return len(self.moments["picture"])

    def kill(self):
        """Ends it as a crash does; what it said is read."""
        self.process.kill()
        self.process.wait()
        self.reader.join()


if __name__ == "__main__":
    serve(int(sys.argv[1]))
