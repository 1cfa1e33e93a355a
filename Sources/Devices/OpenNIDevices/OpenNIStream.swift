internal import CaptureDevice
internal import Linux
internal import StreamParts

/// A depth camera opened by one client; dropping it closes the device.
///
/// Thread-safe.
final class OpenNIStream: CaptureStream {
  let configuration: StreamConfiguration
  private let device: OpenNIDevice
  private let sensors: OpenSensors
  private let modes: (color: SensorMode, depth: SensorMode?)
  private let runs: ReaderRuns<SensorReading>

  init(
    _ device: OpenNIDevice, _ configuration: StreamConfiguration, _ sensors: OpenSensors, _ color: SensorMode,
    _ depth: SensorMode?
  ) {
    self.device = device
    self.configuration = configuration
    self.sensors = sensors
    modes = (color, depth)
    runs = ReaderRuns(of: device.facts.name, thread: "obscura-openni")
  }

  deinit {
    HeldLocks.assertNone(in: "OpenNIStream.deinit")
    stop()
    device.streamClosed()
  }

  /// Starts both sensors, and then lays depth upon colours where the format promises it: some drivers heed that only then.
  func start(_ receiver: @escaping @Sendable (StreamEvent) -> Void) throws(CaptureDeviceError) {
    try runs.start(receiver) { run, _ throws(CaptureDeviceError) in
      if device.isGone { throw device.unplugged }
      try startSensors()
      return SensorReading(device, configuration, sensors, modes.depth, run)
    }
  }

  private func startSensors() throws(CaptureDeviceError) {
    var started: [OpenSensors.Stream] = []
    let streams = [sensors.color, modes.depth == nil ? nil : sensors.depth].compactMap(\.self)
    do throws(DepthRefusal) {
      for stream in streams {
        try sensors.library.start(stream.handle)
        started.append(stream)
      }
      guard let depth = configuration.depth, device.abilities.canRegister else { return }
      let isRegistered = sensors.library.register(sensors.device, depth.format.isAligned)
      if isRegistered != depth.format.isAligned {
        throw DepthRefusal("it does not lay its depth upon its pictures as asked")
      }
    } catch {
      for stream in started { sensors.library.stop(stream.handle) }
      throw device.isGone
        ? device.unplugged
        : CaptureDeviceError(
          .ioFailure,
          "\(device.facts.name) does not start (\(error.reason)); unplug it, plug it in again, and try once more."
        )
    }
  }

  func stop() { runs.stop() }

  /// Refused unless it is the one that runs: another is another mode, for which the sensor must stop.
  func setFrameDuration(_ duration: FrameDuration) throws(CaptureDeviceError) -> FrameDuration {
    guard duration == configuration.frameDuration else {
      throw CaptureDeviceError(
        .formatUnsupported,
        "\(device.facts.name) must stop to change its frame rate; stop the stream and open it again.")
    }
    return duration
  }

  /// Takes the next frame.
  func captureStill(_ request: StillRequest, completion: @escaping WaitingStills.Completion) {
    runs.captureStill(request, of: configuration.format, completion: completion)
  }
}
