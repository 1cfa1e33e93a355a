import CFrameRings
import Foundation
import Linux
import Testing

/// A reader of a ring in this process, by the header that programs in C include.
final class RingReader {
  private(set) var ring = obscura_ring()

  /// Connects.
  init(_ path: String) throws {
    let error = obscura_ring_connect(&ring, path)
    if error != 0 { throw SystemError("read \(path)", errno: -error) }
  }

  /// Reads what comes by a socket that is connected.
  init(connected socket: Descriptor) { ring.socket = dup(socket.number) }

  deinit { close() }

  func close() { obscura_ring_close(&ring) }

  /// The newest frame; `nil` when half a minute brings none, and when the ring is gone.
  func next() -> obscura_frame? { next(within: 30_000) }

  /// The newest frame that is there; `nil` without one that is new.
  func nextAtHand() -> obscura_frame? { next(within: 0) }

  /// The newest frame; `nil` when so many milliseconds bring none.
  func next(within milliseconds: Int32) -> obscura_frame? {
    var frame = obscura_frame()
    result = obscura_ring_next(&ring, &frame, milliseconds)
    return result == 1 ? frame : nil
  }

  /// The answer of the last call: 1, 0, or an error below zero.
  private(set) var result: Int32 = 0

  /// Whether the frame still lies there.
  func isValid(_ frame: obscura_frame) -> Bool {
    var frame = frame
    return obscura_ring_is_valid(&ring, &frame) == 1
  }
}

extension obscura_frame {
  /// All bytes of its rows.
  var bytes: [UInt8] { Array(UnsafeBufferPointer(start: pixels, count: Int(stride) * Int(height))) }

  /// The bytes of its rows without what stands between them.
  var colors: [UInt8] {
    (0..<Int(height)).flatMap {
      UnsafeBufferPointer(start: pixels + $0 * Int(stride), count: 4 * Int(width))
    }
  }
}
