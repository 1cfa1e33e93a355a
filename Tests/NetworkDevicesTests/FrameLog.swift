import CaptureDevice
import Linux

/// Writes down what a stream sends.
final class FrameLog: Sendable {
  struct Frame: Sendable {
    let sequence: UInt32
    let timestamp: MonotonicInstant
    let arrival: MonotonicInstant
    /// Whether a decoder can begin with it.
    let isKeyFrame: Bool
  }

  struct Log: Sendable {
    var frames: [Frame] = []
    var kept: [CapturedFrame] = []
    var drops: [DroppedFrame] = []
    var chunks = 0
    var failure: CaptureDeviceError?
  }

  private let log = Monitor(Log())

  var now: Log { log.withLock { $0 } }

  /// To be given to `start`; keeps the first four frames.
  var receive: @Sendable (StreamEvent) -> Void {
    { [self] event in
      log.withLock { log in
        switch event {
        case .frame(let frame):
          log.frames.append(
            Frame(
              sequence: frame.sequence, timestamp: frame.timestamp, arrival: .now,
              isKeyFrame: frame.content.coded?.isKeyFrame ?? true))
          if log.kept.count < 4 { log.kept.append(frame) }
        case .dropped(let drop): log.drops.append(drop)
        case .audio: log.chunks += 1
        case .failed(let error): log.failure = error
        default: break
        }
      }
    }
  }

  /// Whether the log comes to satisfy `condition`.
  func wait(until deadline: MonotonicInstant, _ condition: (Log) -> Bool) -> Bool {
    log.wait(until: deadline, for: condition, then: { _ in true }) ?? false
  }
}
