internal import CaptureDevice
internal import Linux
internal import StreamParts

/// A depth camera opened by one client; dropping it closes the device.
///
/// Thread-safe.
final class OpenNIStream: CaptureStream {
  typealias Completion = @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void

  let configuration: StreamConfiguration
  private let device: OpenNIDevice
  private let sensors: OpenSensors
  private let modes: (color: SensorMode, depth: SensorMode?)
  private let starts = StreamStarts<SensorReading>()

  init(
    _ device: OpenNIDevice, _ configuration: StreamConfiguration, _ sensors: OpenSensors, _ color: SensorMode,
    _ depth: SensorMode?
  ) {
    self.device = device
    self.configuration = configuration
    self.sensors = sensors
    modes = (color, depth)
  }

  deinit {
    HeldLocks.assertNone(in: "OpenNIStream.deinit")
    stop()
    device.streamClosed()
  }

  /// Starts both sensors, and then lays depth upon colours where the format promises it: some drivers heed that only then.
  func start(_ receiver: @escaping @Sendable (StreamEvent) -> Void) throws(CaptureDeviceError) {
    do throws(StreamStarts<SensorReading>.Refusal) {
      try starts.claim()
    } catch {
      throw CaptureDeviceError(.deviceBusy, "\(device.facts.name) streams already; stop the stream first.")
    }
    do throws(CaptureDeviceError) {
      if device.isGone { throw device.unplugged }
      try startSensors()
      try startReading(receiver)
    } catch {
      starts.giveUp()
      throw error
    }
  }

  private var streams: [OpenSensors.Stream] {
    [sensors.color, modes.depth == nil ? nil : sensors.depth].compactMap(\.self)
  }

  private func startSensors() throws(CaptureDeviceError) {
    var started: [OpenSensors.Stream] = []
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

  private func startReading(
    _ receiver: @escaping @Sendable (StreamEvent) -> Void
  ) throws(CaptureDeviceError) {
    let streams = streams
    func giveUp() { for stream in streams { sensors.library.stop(stream.handle) } }
    do throws(SystemError) {
      let run = StreamRun(wake: try WakeUp(), receiver: receiver)
      let reading = SensorReading(device, configuration, sensors, modes.depth, run)
      starts.begin(run, reading)
      do throws(SystemError) {
        _ = try ReaderThread(name: "obscura-openni") { [sensors] in
          reading.read()
          for stream in streams { sensors.library.stop(stream.handle) }
          run.finish()
        }
      } catch {
        run.finish()
        throw error
      }
    } catch {
      giveUp()
      throw CaptureDeviceError(
        .ioFailure, "\(device.facts.name) cannot start: \(error.explanation); close programs and try again.")
    }
  }

  func stop() {
    _ = starts.stop()
    starts.latest?.stills.answer(.failure(notStreaming))
  }

  private var notStreaming: CaptureDeviceError {
    CaptureDeviceError(.noFrames, "\(device.facts.name) does not stream; start it before a picture is taken.")
  }

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
  func captureStill(_ request: StillRequest, completion: @escaping Completion) {
    if let refusal = refusal(of: request) { return completion(.failure(refusal)) }
    guard let stills = starts.running?.stills, let run = starts.unfinished, !run.isStopping else {
      return completion(.failure(notStreaming))
    }
    stills.add(completion)
    // The run may have ended before it saw the request.
    if run.isStopping { stills.answer(.failure(notStreaming)) }
  }

  private func refusal(of request: StillRequest) -> CaptureDeviceError? {
    let name = device.facts.name
    guard configuration.format.stillSizes.contains(request.size) else {
      return CaptureDeviceError(
        .formatUnsupported, "\(name) takes no pictures of \(request.size); choose a size of its format.")
    }
    if request.frame != nil || request.constituent != nil || request.exposure != nil || request.flash != .off
    {
      return CaptureDeviceError(
        .controlUnsupported,
        "\(name) takes its next picture alone, without a flash or an exposure of its own.")
    }
    return nil
  }
}
