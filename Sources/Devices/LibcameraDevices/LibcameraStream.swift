internal import CaptureDevice
internal import Linux
internal import StreamParts

/// A camera of libcamera's opened by one client; dropping it gives the camera back.
///
/// Thread-safe.
final class LibcameraStream: CaptureStream {
  private let granted: Locked<StreamConfiguration>
  private let device: LibcameraDevice
  private let format: CameraFormat
  private let session: any CameraSession
  private let buffers: FrameBuffers
  private let inbox: CompletionInbox
  private let runs: ReaderRuns<CameraReading>

  init(
    _ device: LibcameraDevice, _ configuration: StreamConfiguration, _ format: CameraFormat,
    _ session: any CameraSession, _ buffers: FrameBuffers, _ inbox: CompletionInbox
  ) {
    granted = Locked(configuration)
    self.device = device
    self.format = format
    self.session = session
    self.buffers = buffers
    self.inbox = inbox
    runs = ReaderRuns(of: device.facts.name, thread: "obscura-libcam")
  }

  deinit {
    HeldLocks.assertNone(in: "LibcameraStream.deinit")
    stop()
    buffers.end()
    device.close(session, hangs: runs.isUnfinished)
  }

  var configuration: StreamConfiguration { granted.withLock { $0 } }

  /// Starts the camera; what was set of its controls goes along.
  func start(_ receiver: @escaping @Sendable (StreamEvent) -> Void) throws(CaptureDeviceError) {
    let reading = try runs.start(receiver) { run, wake throws(CaptureDeviceError) in
      if device.isGone { throw device.unplugged }
      let configuration = configuration
      buffers.begin(wake)
      inbox.begin(wake)
      do throws(LibraryRefusal) {
        try session.start(
          device.controls.begin(format, size: configuration.size, configuration.frameDuration))
      } catch {
        throw device.error(error, "cannot start")
      }
      return CameraReading(device, configuration, session, buffers, inbox, run, wake)
    }
    device.note(reading)
  }

  func stop() { runs.stop() }

  /// Changes it with the next request.
  func setFrameDuration(_ duration: FrameDuration) throws(CaptureDeviceError) -> FrameDuration {
    guard format.ranges.has(.frameDurationLimits),
      format.format.frameDurations.contains(where: { $0.contains(duration) })
    else {
      throw CaptureDeviceError(
        .formatUnsupported,
        "\(device.facts.name) does not take that frame rate in this format; choose one of its format's.")
    }
    granted.withLock { $0.frameDuration = duration }
    device.controls.set(duration)
    device.reading?.note(duration)
    return duration
  }

  /// Takes the next exposure in full size, or one that is kept.
  func captureStill(_ request: StillRequest, completion: @escaping WaitingStills.Completion) {
    if let refusal = refusal(of: request) { return completion(.failure(refusal)) }
    runs.addStill(completion) { reading in
      if let past = request.frame {
        reading.recall(past, request, completion)
      } else {
        reading.orders.add(StillOrders.Order(request: request, since: .now, completion: completion))
      }
    }
  }

  private func refusal(of request: StillRequest) -> CaptureDeviceError? {
    let name = device.facts.name
    guard configuration.format.stillSizes.contains(request.size) else {
      return CaptureDeviceError(
        .formatUnsupported, "\(name) takes no pictures of \(request.size); choose a size of its format.")
    }
    if request.constituent != nil || request.exposure != nil || request.flash != .off {
      return CaptureDeviceError(
        .controlUnsupported,
        "\(name) takes pictures as its stream is exposed, without a flash; set its exposure first, and take the picture then."
      )
    }
    if request.frame != nil, device.facts.capabilities.recalledFrames == 0 {
      return CaptureDeviceError(
        .controlUnsupported, "\(name) keeps no past frames in full size; take the next one.")
    }
    if request.wantsMosaic, !buffers.has(.raw), !buffers.areMosaics {
      return CaptureDeviceError(
        .controlUnsupported,
        "\(name) does not give its sensor's numbers in this format; take the picture without them.")
    }
    return nil
  }
}
