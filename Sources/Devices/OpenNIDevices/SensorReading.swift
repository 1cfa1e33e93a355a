internal import CaptureDevice
internal import CoreVideo
internal import FoundationExtras
internal import Linux
internal import PixelTransforms
internal import StreamParts

/// One run of a depth camera's stream, on its reader thread.
final class SensorReading: FrameStillReading, @unchecked Sendable {
  // Safe because what changes is used by the reader thread alone; the rest is locked.

  let stills = WaitingStills()
  private let device: OpenNIDevice
  private let library: any DepthLibrary
  private let isRecording: Bool
  private let run: StreamRun
  private var times = SensorTimes()
  /// Colours, and distances where they are asked for: in the order of ``streams``.
  private var readers: [SensorReader]
  private let streams: [SensorStreamHandle]

  init(
    _ device: OpenNIDevice, _ configuration: StreamConfiguration, _ sensors: OpenSensors,
    _ depthMode: SensorMode?, _ run: StreamRun
  ) {
    self.device = device
    self.run = run
    library = sensors.library
    isRecording = sensors.isRecording
    var found: [(SensorStreamHandle, SensorReader)] = []
    if let color = sensors.color, case .pixels(let format) = configuration.format.encoding {
      found.append(
        (
          color.handle,
          SensorReader(
            .color, configuration.size, format, metresPerUnit: nil, isMirrored: color.isMirrored,
            configuration.frameDuration, buffers: configuration.bufferCount, timeout: device.timeout)
        ))
    }
    if let stream = sensors.depth, let mode = depthMode, let depth = configuration.depth {
      found.append(
        (
          stream.handle,
          SensorReader(
            .depth, depth.format.size, kCVPixelFormatType_OneComponent16,
            metresPerUnit: SensorPixels.metresPerUnit(mode.pixelFormat), isMirrored: stream.isMirrored,
            depth.frameDuration, buffers: depth.bufferCount, timeout: device.timeout)
        ))
    }
    streams = found.map(\.0)
    readers = found.map(\.1)
  }

  /// Reads until the run is over, and stops the sensors; the camera's end is the stream's.
  func read() {
    defer { abandon() }
    do throws(CaptureDeviceError) {
      while !run.isStopping {
        if device.isGone { throw device.unplugged }
        do throws(DepthRefusal) {
          try readOnce()
        } catch {
          throw device.isGone
            ? device.unplugged
            : CaptureDeviceError(
              .ioFailure,
              "\(device.facts.name) has stopped sending (\(error.reason)); unplug it and plug it in again.")
        }
        for reader in readers { try checkSilence(of: reader) }
      }
    } catch {
      run.fail(error) { stills.answer(.failure(error)) }
    }
  }

  func abandon() {
    for stream in streams { library.stop(stream) }
  }

  private func readOnce() throws(DepthRefusal) {
    let asked = readers.map(\.silence.nextWait).min() ?? SilenceWatch.tick
    let before = MonotonicInstant.now
    let ready = try library.wait(streams, milliseconds: max(Int(asked / 1_000_000), 1))
    let arrival = MonotonicInstant.now
    let waited = arrival.nanoseconds - before.nanoseconds
    for index in readers.indices { readers[index].silence.waited(waited, asked: asked) }
    guard let ready, !run.isStopping else { return }
    var events: [StreamEvent] = []
    try library.read(streams[ready]) { frame in
      events = readers[ready].take(frame, arrival: arrival, &times)
    }
    for event in events {
      run.deliver(event)
      if case .frame(let frame) = event, !stills.isEmpty {
        run.perform { stills.answer(.success(frame)) }
      }
    }
  }

  private func checkSilence(of reader: SensorReader) throws(CaptureDeviceError) {
    guard reader.silence.isSilent else { return }
    let what = reader.kind == .color ? "pictures" : "depth maps"
    let remedy =
      isRecording
      ? "record it anew with a driver that tells its cropping" : "unplug it and plug it in again"
    throw CaptureDeviceError(
      .noFrames,
      "\(device.facts.name) streams but has sent no \(what) for \(reader.silence.silence / 1_000_000_000) s; \(remedy)."
    )
  }
}

extension SilenceTimeout {
  /// That of cameras on a cable.
  static let cable = SilenceTimeout(nanoseconds: longNanoseconds)
}

extension SilenceWatch {
  /// Whether it is too long; the sensors tell no exposure.
  fileprivate var isSilent: Bool {
    var watch = self
    return watch.isOver(isDry: false) { nil }
  }
}
