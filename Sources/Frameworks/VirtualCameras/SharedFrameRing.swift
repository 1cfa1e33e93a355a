public import AVFoundation
internal import CFrameRings
internal import Linux

/// Frames for other programs of this machine, which read them where they were drawn: nothing is copied.
///
/// ```swift
/// let ring = try SharedFrameRing(path: "/run/user/1000/camera")
/// let feed = SharedFrameFeed(ring) { print($0) }
/// feed.offer(session)
/// ```
///
/// Programs connect to a Unix socket and read with `obscura_ring.h` (C, C++) or `obscura_ring.py` (Python). A frame is drawn once, in
/// BGRA, into one of a few slots of memory that readers can see and not write, and stays until the ring has gone round. No reader is
/// waited for: one that is too slow sees that its frame was overwritten, and one that comes late gets the newest frame, and how many it missed.
///
/// There is memory only while a program reads; when the size of frames changes, readers get another. Thread-safe, but for
/// ``draw(width:height:at:_:)``.
///
/// - Note: Apple's frameworks have nothing like it; an `IOSurface` is shared there, frame by frame.
public final class SharedFrameRing: Sendable {
  /// How many slots a ring can have.
  public static let slotCounts = 2...64

  private struct Server {
    var listener: Descriptor
    var place: cam_ring_place
    var thread: ReaderThread
  }

  /// The socket's path.
  public let path: String
  /// How many frames lie in memory: a reader has as many, less one, frames' time for one.
  public let slotCount: Int
  private let readers = SharedFrameReaders()
  private let stop: WakeUp
  private let server: Locked<Server?>
  /// The number of the newest frame.
  private let sequence = Locked(UInt64(0))

  /// Opens the socket, which this user's programs alone may connect to (mode 600).
  ///
  /// A socket of that name that no program listens to is replaced.
  ///
  /// - Parameters:
  ///   - path: The socket's path, of at most 107 bytes.
  ///   - slotCount: How many frames lie in memory; a number outside of ``slotCounts`` becomes the nearest inside.
  ///   - report: Called with the number of readers when it has changed, on a thread of the ring's own; must not wait.
  /// - Throws: ``SharedFrameProblem``.
  public init(
    path: String, slotCount: Int = 4, _ report: @escaping @Sendable (_ readers: Int) -> Void = { _ in }
  ) throws(SharedFrameProblem) {
    self.path = path
    self.slotCount = min(max(slotCount, Self.slotCounts.lowerBound), Self.slotCounts.upperBound)
    var (number, place): (Int32, cam_ring_place) = (-1, cam_ring_place())
    let error = cam_ring_listen(path, &number, &place)
    guard error == 0 else { throw SharedFrameProblem(socket: path, errno: error) }
    let listener = Descriptor(adopting: number)
    do throws(SystemError) {
      let (stop, readers) = (try WakeUp(), readers)
      let pause = { @Sendable () -> Void in
        _ = stop.wait(until: HangLimit(nanoseconds: 100_000_000).deadline)
      }
      let thread = try ReaderThread(name: "obscura.ring") {
        readers.serve(listener, until: stop, pausing: pause, report)
      }
      self.stop = stop
      server = Locked(Server(listener: listener, place: place, thread: thread))
    } catch {
      cam_ring_remove(path, place)
      throw SharedFrameProblem.socketRefused(path: path, reason: error.explanation)
    }
  }

  deinit { close() }

  /// Whether a program reads: without one nothing needs to be drawn.
  public var isRead: Bool { readers.count > 0 }

  /// How many frames readers were not told of, all readers together, as they did not take the messages of earlier ones.
  public var untoldFrames: Int { readers.untoldFrames }

  /// Has a frame drawn into the next slot, and tells the programs that read; one thread at a time.
  ///
  /// - Parameters:
  ///   - width: In pixels.
  ///   - height: In pixels.
  ///   - time: When the frame was exposed, on the host's clock.
  ///   - paint: Draws over the whole of a buffer in BGRA, which it must not use later; `false` when it could not: then the frame is left out.
  /// - Returns: Whether a frame was drawn: not while no program reads.
  /// - Throws: ``SharedFrameProblem/noRoom(width:height:reason:)``.
  @discardableResult
  public func draw(
    width: Int, height: Int, at time: CMTime, _ paint: (CVPixelBuffer) -> Bool
  ) throws(SharedFrameProblem) -> Bool {
    let name = "obscura \(path.split(separator: "/").last ?? "")"
    guard
      let memory = try readers.memory(name: name, width: width, height: height, slotCount: slotCount)
    else { return false }
    let number = sequence.withLock { $0 } + 1
    let slot = memory.slot(of: number)
    guard let buffer = memory.buffer(slot) else { return false }
    let nanoseconds = CMTimeConvertScale(time, timescale: 1_000_000_000, method: .default).value
    memory.begin(slot, number, time: nanoseconds)
    guard paint(buffer) else { return false }
    memory.end(slot, number)
    sequence.withLock { $0 = number }
    readers.tell(of: number, in: memory)
    return true
  }

  /// Hangs up on all readers and removes the socket.
  ///
  /// Blocks until a report that is under way has ended, unless it is called by one.
  public func close() {
    let ended = server.withLock { server in
      defer { server = nil }
      return server
    }
    guard let ended else { return }
    cam_ring_remove(path, ended.place)
    stop.signal()
    ended.thread.join()
    readers.end()
  }
}
