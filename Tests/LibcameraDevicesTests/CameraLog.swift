import CaptureDevice
import CoreVideo
import Linux

/// Writes down what a camera's stream sends; holds nothing of it.
final class CameraLog: Sendable {
  struct Frame: Sendable {
    var sequence: UInt32
    var time: MonotonicInstant
    var size: FrameSize
    var state: ControlState
    var shade: UInt8
    var metadata: [String: Double]
  }

  struct Log: Sendable {
    var frames: [Frame] = []
    var drops: [UInt32] = []
    var failure: CaptureDeviceError?
  }

  private let log = Monitor(Log())

  var now: Log { log.withLock { $0 } }

  var receive: @Sendable (StreamEvent) -> Void {
    { [log] event in
      log.withLock { log in
        switch event {
        case .frame(let frame):
          if let frame = Self.note(frame) { log.frames.append(frame) }
        case .dropped(let drop): log.drops.append(drop.sequence)
        case .failed(let error): log.failure = error
        default: break
        }
      }
    }
  }

  static func note(_ frame: CapturedFrame) -> Frame? {
    guard case .pixels(let pixels) = frame.picture else { return nil }
    let attached = CVBufferCopyAttachment(pixels, "LibcameraMetadata", nil)
    return Frame(
      sequence: frame.sequence, time: frame.timestamp,
      size: FrameSize(width: pixels.width, height: pixels.height), state: frame.conditions.state,
      shade: pixels.planes[0].row(0)[0], metadata: attached as? [String: Double] ?? [:])
  }

  /// The log once it satisfies `condition`; `nil` when it does not within half a minute.
  func wait(_ condition: (Log) -> Bool) -> Log? {
    log.wait(until: .now.advanced(byNanoseconds: 30_000_000_000), for: condition, then: { $0 })
  }

  /// The first frame that shows a change.
  func frame(showing change: UInt64) -> Frame? {
    let shows = { (frame: Frame) in frame.state.change >= change }
    return wait { $0.frames.contains(where: shows) }?.frames.first(where: shows)
  }
}

/// Answers of photos, in order.
final class StillLog: Sendable {
  private let answers = Monitor<[Result<CapturedFrame, CaptureDeviceError>]>([])

  var take: @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void {
    { [answers] answer in answers.withLock { $0.append(answer) } }
  }

  /// The answers once there are so many; fewer when they do not come within half a minute.
  func wait(_ count: Int = 1) -> [Result<CapturedFrame, CaptureDeviceError>] {
    answers.wait(
      until: .now.advanced(byNanoseconds: 30_000_000_000), for: { $0.count >= count }, then: { $0 }) ?? []
  }
}

extension CaptureDeviceDriver {
  /// Opens the format of full size, with frames of that size or another.
  func openPhotos(_ size: FrameSize? = nil, buffers: Int = 4) throws -> any CaptureStream {
    guard let format = facts.formats.last else {
      throw CaptureDeviceError(.formatUnsupported, "It has no format.")
    }
    return try openStream(
      StreamConfiguration(
        format: format, size: size, frameDuration: FrameDuration(1, 60), bufferCount: buffers))
  }
}
