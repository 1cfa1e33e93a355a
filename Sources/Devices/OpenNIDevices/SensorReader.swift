internal import CaptureDevice
internal import CoreVideo
internal import FoundationExtras
internal import Linux
internal import PixelTransforms
internal import StreamParts

/// One sensor's part of a run: it copies frames into memory of its own, gives them numbers and times, and reports lost ones.
struct SensorReader {
  let kind: SensorKind
  var silence: SilenceWatch
  private let size: PixelSize
  private let format: OSType
  private let metresPerUnit: Float?
  private let isMirrored: Bool
  private let pool: PixelTransformer
  private var counter = FrameCounter()
  private var clock = FrameClock()
  private var lap = 0
  private var lastStamp: UInt64?

  /// - Parameters:
  ///   - size: The frames' size.
  ///   - format: The pixel format of the buffers.
  ///   - metresPerUnit: Of distances; `nil` for colours.
  ///   - isMirrored: Whether frames come mirrored, and are turned back.
  ///   - duration: How long a frame takes.
  ///   - buffers: How many clients may hold at once.
  ///   - timeout: How long the sensor may be silent.
  init(
    _ kind: SensorKind, _ size: FrameSize, _ format: OSType, metresPerUnit: Float?, isMirrored: Bool,
    _ duration: FrameDuration, buffers: Int, timeout: SilenceTimeout
  ) {
    self.kind = kind
    self.size = PixelSize(width: size.width, height: size.height)
    self.format = format
    self.metresPerUnit = metresPerUnit
    self.isMirrored = isMirrored
    pool = PixelTransformer(bufferLimit: buffers)
    silence = SilenceWatch(timeout, frame: duration.nanoseconds)
  }

  /// The events of a frame: those of lost ones before it, then its own.
  mutating func take(_ frame: SensorFrame, arrival: MonotonicInstant, _ times: inout SensorTimes)
    -> [StreamEvent]
  {
    silence.heard()
    // A recording that begins anew, or a device that was restarted.
    if let lastStamp, frame.microseconds < lastStamp { lap += 1 }
    lastStamp = frame.microseconds
    let stamp = times.instant(ofMicroseconds: frame.microseconds, lap: lap, arrival: arrival)
    let time = clock.time(stamp: stamp.nanoseconds, arrival: arrival)
    let (sequence, lost) = counter.advance(to: frame.number)
    let before = (0..<lost).map { index in
      drop(sequence - lost + index, time, .discontinuity)
    }
    return before + [event(frame, sequence, time)]
  }

  private func event(_ frame: SensorFrame, _ sequence: UInt32, _ time: MonotonicInstant) -> StreamEvent {
    let number = frame.mode.pixelFormat
    let pixels = kind == .color ? SensorPixels.color(number) : SensorPixels.depth(number)
    guard let pixels, pixels.format == format else { return drop(sequence, time, .discontinuity) }
    do {
      let buffer = try pool.makeBuffer(size: size, pixelFormat: format)
      guard pixels.copy(frame, into: buffer, isMirrored: isMirrored) else {
        return drop(sequence, time, .discontinuity)
      }
      switch kind {
      case .color:
        return .frame(CapturedFrame(picture: .pixels(buffer), timestamp: time, sequence: sequence))
      case .depth:
        return .depth(
          CapturedDepth(map: buffer, metresPerUnit: metresPerUnit, timestamp: time, sequence: sequence))
      }
    } catch {
      return drop(sequence, time, .outOfBuffers)
    }
  }

  private func drop(_ sequence: UInt32, _ time: MonotonicInstant, _ reason: DropReason) -> StreamEvent {
    let frame = DroppedFrame(sequence: sequence, timestamp: time, reason: reason)
    return kind == .color ? .dropped(frame) : .depthDropped(frame)
  }
}
