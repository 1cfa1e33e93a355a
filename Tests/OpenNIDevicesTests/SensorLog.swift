import CaptureDevice
import CoreVideo
import Linux

/// Writes down what a depth camera's stream sends; holds nothing of it.
final class SensorLog: Sendable {
  struct Frame: Sendable {
    var sequence: UInt32
    var time: MonotonicInstant
    /// The first pixel's value, and the second's: they differ by one where frames are not mirrored.
    var values: [Int]
  }

  struct Log: Sendable {
    var frames: [Frame] = []
    var maps: [Frame] = []
    var drops: [UInt32] = []
    var failure: CaptureDeviceError?
  }

  private let log = Monitor(Log())

  var now: Log { log.withLock { $0 } }

  var receive: @Sendable (StreamEvent) -> Void {
    { [self] event in
      log.withLock { log in
        switch event {
        case .frame(let frame):
          guard case .pixels(let pixels) = frame.picture else { return }
          let row = pixels.planes[0].row(0)
          log.frames.append(
            Frame(sequence: frame.sequence, time: frame.timestamp, values: [Int(row[0]), Int(row[3])]))
        case .depth(let depth):
          let row = depth.map.planes[0].row(0)
          let values = [0, 2].map {
            Int(UInt16(littleEndian: row.loadUnaligned(fromByteOffset: $0, as: UInt16.self)))
          }
          log.maps.append(Frame(sequence: depth.sequence, time: depth.timestamp, values: values))
        case .dropped(let drop): log.drops.append(drop.sequence)
        case .failed(let error): log.failure = error
        default: break
        }
      }
    }
  }

  /// The log once it satisfies `condition`; `nil` when it does not within half a minute.
  func wait(_ condition: (Log) -> Bool) -> Log? {
    log.wait(until: .now.advanced(byNanoseconds: 30_000_000_000), for: condition, then: { $0 })
  }
}

extension CaptureDeviceDriver {
  /// Opens the largest format, with its last way to measure depth.
  func openWithDepth() throws -> any CaptureStream {
    guard let format = facts.formats.last, let depth = format.depthFormats.last else {
      throw CaptureDeviceError(.formatUnsupported, "It measures no depth.")
    }
    var configuration = StreamConfiguration(
      format: format, frameDuration: format.frameDurations[0].lowerBound)
    configuration.depth = DepthConfiguration(format: depth, frameDuration: depth.frameDurations[0].lowerBound)
    return try openStream(configuration)
  }
}
