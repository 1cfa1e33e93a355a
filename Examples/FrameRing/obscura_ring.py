#!/usr/bin/env python3
"""Reads frames that `obscura serve --ring SOCKET` offers, or any program with Obscura's SharedFrameRing, where they lie.

    import obscura_ring

    with obscura_ring.Ring("/run/user/1000/camera") as ring:
        for frame in ring:                      # the newest frame, each time
            picture = frame.array()             # numpy: height × width × 4, blue, green, red, 255; nothing is copied
            result = look_at(picture[:, :, :3])
            if frame.is_valid():                # else it was overwritten meanwhile: forget the result
                use(result, frame.time)

Python 3.11, with its own library alone; numpy where it is there. How the ring works says obscura_ring.h.

A frame is memory that the camera writes again once the ring has gone round, some frames later: take `frame.copy()` of what is to stay.
No reader holds up the camera. One that comes late gets the newest frame, and in `frame.missed` how many it has not had.

As a program: `python3 obscura_ring.py SOCKET --count 100` prints the frames that come, and `--save frame.ppm` keeps one.
"""
import argparse
import mmap
import os
import select
import socket
import struct
import sys
import time

MAGIC, VERSION, HELLO = 0x676E6952, 1, 1
BGRA = 0x42475241
_HEAD = struct.Struct("=IHH")
_HELLO = struct.Struct("=IHHQQQQQIIIIII")
_COUNTER_STEP = 64


class RingClosed(Exception):
    """The ring is gone: its program has ended."""


class ProtocolError(Exception):
    """The ring says what this file does not understand."""


class _Memory:
    """One memory of a ring. It is unmapped when neither the ring nor a frame holds it."""

    def __init__(self, descriptor, hello):
        (_, _, _, self.generation, size, self._slot_size, self._first, self.after, self._slot_count,
         self.width, self.height, self.stride, self.pixel_format, _) = hello
        if (self._slot_count == 0 or self._first // _COUNTER_STEP <= self._slot_count or self.stride * self.height > self._slot_size
                or self._first + self._slot_size * self._slot_count > size):
            raise ProtocolError("The ring's memory has no room for its slots.")
        self._bytes = memoryview(mmap.mmap(descriptor, size, flags=mmap.MAP_SHARED, prot=mmap.PROT_READ))
        # Eight bytes at a time, as they are written.
        self._numbers = self._bytes[:_COUNTER_STEP * (self._slot_count + 1)].cast("q")

    def count(self, slot):
        """The slot's counter: twice the number of the frame that lies there; odd while that is written."""
        return self._numbers[_COUNTER_STEP // 8 * (slot + 1)]

    def newest(self, had):
        """The slot, the number and the time of the newest frame; None without one that is newer than the one that was had."""
        # The frames after those lie in another memory, which is on its way.
        if self._numbers[0] != 0:
            return None
        while True:
            counts = ((self.count(slot), slot) for slot in range(self._slot_count))
            count, slot = max((pair for pair in counts if pair[0] % 2 == 0), default=(0, 0))
            if count // 2 <= max(had, self.after):
                return None
            moment = self._numbers[_COUNTER_STEP // 8 * (slot + 1) + 1]
            # One that is overwritten by now has a newer one beside it.
            if self.count(slot) == count:
                return slot, count // 2, moment

    def pixels(self, slot):
        start = self._first + self._slot_size * slot
        return self._bytes[start:start + self.stride * self.height]


class Frame:
    """A frame, where it lies in the ring's memory."""

    def __init__(self, memory, slot, sequence, moment, missed):
        self.generation, self.sequence, self.time = memory.generation, sequence, moment
        self.width, self.height, self.stride, self.pixel_format = memory.width, memory.height, memory.stride, memory.pixel_format
        #: How many frames there were since the one before.
        self.missed = missed
        #: All rows, from top to bottom, each of `stride` bytes; a read-only memoryview.
        self.pixels = memory.pixels(slot)
        self._memory, self._slot = memory, slot

    def is_valid(self):
        """Whether the frame still lies there as it was drawn; to be asked after its pixels were used."""
        return self._memory.count(self._slot) == 2 * self.sequence

    def array(self):
        """The frame as a numpy array of height × width × 4 bytes (blue, green, red, 255), without a copy; cannot be written."""
        import numpy
        rows = numpy.frombuffer(self.pixels, numpy.uint8).reshape(self.height, self.stride)
        return rows[:, :4 * self.width].reshape(self.height, self.width, 4)

    def copy(self):
        """The pixels as bytes, without what stands between rows; None when the frame was overwritten meanwhile."""
        width = 4 * self.width
        rows = b"".join(self.pixels[start:start + width] for start in range(0, len(self.pixels), self.stride))
        return rows if self.is_valid() else None

    def ppm(self):
        """The frame as a file of the kind PPM; None when it was overwritten meanwhile."""
        pixels = self.copy()
        if pixels is None:
            return None
        colors = bytearray(3 * self.width * self.height)
        colors[0::3], colors[1::3], colors[2::3] = pixels[2::4], pixels[1::4], pixels[0::4]
        return b"P6\n%d %d\n255\n" % (self.width, self.height) + colors


class Ring:
    """A reader's end of a ring; for one thread."""

    def __init__(self, path):
        """Connects to the ring whose socket has this path.

        Raises OSError: FileNotFoundError or ConnectionRefusedError where no ring is offered, PermissionError where it is another user's.
        """
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._memory = None
        self._sequence = 0
        self._trouble = None
        try:
            self._socket.connect(os.fspath(path))
            self._socket.setblocking(False)
        except BaseException:
            self._socket.close()
            raise

    def next(self, timeout=None):
        """Waits for a frame that this reader has not had, and returns the newest.

        Raises TimeoutError when none has come in so many seconds (a camera that is away says nothing; None waits for ever), RingClosed
        when the ring is gone, ProtocolError when it is of a newer version than this file, and OSError or ProtocolError where a memory of
        the ring cannot be taken. After any but TimeoutError every call raises it anew: close the ring, and connect again.
        """
        end = None if timeout is None else time.monotonic() + timeout
        waiting = select.poll()
        waiting.register(self._socket, select.POLLIN)
        while True:
            if self._trouble:
                raise self._trouble.with_traceback(None)
            try:
                is_over = self._take_all()
            except (OSError, ValueError, ProtocolError) as error:
                self._trouble = error
                raise
            newest = self._memory.newest(self._sequence) if self._memory else None
            if newest:
                slot, sequence, moment = newest
                missed = sequence - self._sequence - 1 if self._sequence else 0
                self._sequence = sequence
                return Frame(self._memory, slot, sequence, moment, missed)
            if is_over:
                raise RingClosed("The ring of frames is gone, because its program has ended.")
            left = None if end is None else max(0, 1000 * (end - time.monotonic()))
            if not waiting.poll(left) and end is not None and time.monotonic() >= end:
                raise TimeoutError("No frame came in time.")

    def _take_all(self):
        """Takes all messages that have come, which only wake: what frames there are stands in the memory. Whether the ring is gone."""
        while True:
            descriptors = []
            try:
                message, descriptors, _, _ = socket.recv_fds(self._socket, 256, 1, socket.MSG_CMSG_CLOEXEC)
                if not message:
                    return True
                if self._kind(message) == HELLO:
                    if not descriptors:
                        raise ProtocolError("The ring's memory did not come along; this process may have too many files open.")
                    self._memory = _Memory(descriptors[0], _HELLO.unpack_from(message))
            except BlockingIOError:
                return False
            except ConnectionResetError:
                return True
            except struct.error:
                raise ProtocolError("The ring sends a message that is too short.") from None
            finally:
                for descriptor in descriptors:
                    os.close(descriptor)

    @staticmethod
    def _kind(message):
        magic, version, kind = _HEAD.unpack_from(message)
        if magic != MAGIC:
            raise ProtocolError("What listens there is no ring of frames.")
        if version != VERSION:
            raise ProtocolError(f"The ring is of version {version}, which this file does not read; take the file that came with it.")
        return kind

    def fileno(self):
        """The socket's descriptor, to wait for beside others: readable when there is news, mostly a frame, or the ring is gone."""
        return self._socket.fileno()

    def close(self):
        """Ends reading. Frames that are still held stay as they are."""
        self._socket.close()
        self._memory = None

    def __iter__(self):
        return self

    def __next__(self):
        try:
            return self.next()
        except RingClosed:
            raise StopIteration from None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def main():
    parser = argparse.ArgumentParser(description="Reads frames of a ring: of obscura serve --ring SOCKET.")
    parser.add_argument("socket", help="the ring's socket")
    parser.add_argument("--count", type=int, default=1, help="how many frames, 1 without; 0 reads until the ring is gone")
    parser.add_argument("--save", metavar="FILE", help="keep the last frame as a picture: frame.ppm")
    parser.add_argument("--timeout", type=float, metavar="SECONDS", help="how long to wait for a frame; for ever without")
    asked = parser.parse_args()
    picture = None
    try:
        with Ring(asked.socket) as ring:
            count = 0
            while asked.count == 0 or count < asked.count:
                frame = ring.next(asked.timeout)
                if asked.save:
                    kept = frame.ppm()
                    if kept is None:
                        continue
                    picture = kept
                count += 1
                print(f"{frame.sequence}: {frame.width}x{frame.height} at {frame.time / 1e9:.3f} s, {frame.missed} missed", flush=True)
    except RingClosed:
        if asked.count:
            print("obscura_ring: The ring is gone, because its program has ended.", file=sys.stderr)
            return 1
    except (OSError, ProtocolError) as error:
        print(f"obscura_ring: {asked.socket} cannot be read: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        pass
    if picture:
        with open(asked.save, "wb") as file:
            file.write(picture)
    return 0


if __name__ == "__main__":
    sys.exit(main())
