public import CaptureDevice
internal import Glibc
internal import Linux
internal import StreamParts

/// A kernel camera opened by one client; dropping it closes the device.
///
/// Frames are the driver's own memory, mapped: nothing is copied. When the last reference to a frame goes, on whatever
/// thread, its buffer returns to the driver; frames that outlive the stream keep their memory and nothing else.
/// Stamps are the driver's on `CLOCK_MONOTONIC`, or the arrival where it has none that can be right; see
/// ``StreamDiagnosis``. Where depth is measured, the maps are the depth node's memory in the same way, and the stream ends with
/// either node. A stream of which one node stays silent for longer than ``SilenceTimeout`` allows fails with `noFrames`.
public final class V4L2Stream: CaptureStream {
  private let frames: OpenNode
  /// The node of the depth sensor, and how many metres its unit stands for; `nil` when the stream measures no depth.
  private let depth: (node: OpenNode, metresPerUnit: Float)?
  private let granted: Locked<StreamConfiguration>
  private let camera: V4L2Camera
  private let timeout: SilenceTimeout
  private let starts = StreamStarts<StreamingNodes>()

  init(
    camera: V4L2Camera, frames: OpenNode, depth: (node: OpenNode, metresPerUnit: Float)?,
    configuration: StreamConfiguration, timeout: SilenceTimeout
  ) {
    self.camera = camera
    self.frames = frames
    self.depth = depth
    self.timeout = timeout
    granted = Locked(configuration)
  }

  deinit {
    HeldLocks.assertNone(in: "V4L2Stream.deinit")
    stop()
    // A thread that hangs in the driver, or from which this is called, closes the device when it ends.
    if starts.unfinished != nil { return }
    ring.closeDevice()
    depth?.node.ring.closeDevice()
  }

  private var ring: BufferRing { frames.ring }
  private var device: DeviceName { frames.device }

  /// The configuration that the driver granted.
  public var configuration: StreamConfiguration { granted.withLock { $0 } }

  /// The counters of the last run's pictures; all zero before the first.
  package var diagnosis: StreamDiagnosis {
    starts.latest?.frames.diagnosis.withLock { $0 } ?? StreamDiagnosis()
  }

  /// The same of the depth maps; all zero where none are measured.
  package var depthDiagnosis: StreamDiagnosis {
    starts.latest?.depth?.diagnosis.withLock { $0 } ?? StreamDiagnosis()
  }

  /// Starts streaming; returns when the driver has accepted.
  ///
  /// C: `VIDIOC_QBUF`, `VIDIOC_STREAMON`.
  public func start(_ receiver: @escaping @Sendable (StreamEvent) -> Void) throws(CaptureDeviceError) {
    try claimStart()
    let run: StreamingNodes
    do throws(CaptureDeviceError) {
      run = try makeRun(receiver)
      try startDriver()
    } catch {
      starts.giveUp()
      throw error
    }
    starts.begin(run.stream, run)
    run.setPrivate(camera.table.isPrivate(ring.kernel, ring.handle))
    let watch = ControlWatch(camera) { [weak run] isPrivate in run?.setPrivate(isPrivate) }
    if let watch { run.keepWatch { watch.end() } }
    do throws(SystemError) {
      let name = device.path.split(separator: "/").last ?? "camera"
      _ = try ReaderThread(name: "obscura-\(name)") {
        var reader = FrameReader(run)
        reader.read()
      }
    } catch {
      // The driver has nothing to add to the reason why this ends.
      try? ring.stop()
      try? depth?.node.ring.stop()
      run.finish()
      starts.giveUp()
      throw device.error(
        .ioFailure, "cannot start: the system has no thread left; close programs and try again."
      )
    }
  }

  /// Stops streaming, within one second even when the driver hangs; a hanging driver is left to its thread.
  public func stop() {
    if starts.stop() { return }
    // Pictures are answered even when the driver does not answer.
    if let run = starts.latest { run.abandonStills(run.stopped) }
  }

  /// Adds buffers for more frames, where the driver can do that.
  ///
  /// C: `VIDIOC_CREATE_BUFS`, `VIDIOC_QUERYBUF`, `mmap`, `VIDIOC_QBUF`.
  public func addBuffers() -> Int {
    let count = granted.withLock { granted in
      defer { granted.laterBufferCount = 0 }
      return granted.laterBufferCount
    }
    guard count > 0 else { return configuration.bufferCount }
    let limit = ring.add(count)
    granted.withLock { $0.bufferCount = limit }
    return limit
  }

  /// Changes the frame duration of the running stream, where the driver can do that.
  ///
  /// C: `VIDIOC_S_PARM`.
  public func setFrameDuration(_ duration: FrameDuration) throws(CaptureDeviceError) -> FrameDuration {
    do throws(KernelRefusal) {
      let fraction = VideoFraction(UInt32(duration.numerator), UInt32(duration.denominator))
      let answer = FrameDuration(try ring.kernel.setFrameDuration(ring.handle, fraction)) ?? duration
      granted.withLock { $0.frameDuration = answer }
      return answer
    } catch {
      throw refused(error, "frame rate")
    }
  }

  /// Steadies the frames of the running stream or not, where the driver can change that.
  ///
  /// C: `V4L2_CID_IMAGE_STABILIZATION`.
  public func setStabilization(_ mode: StabilizationMode) throws(CaptureDeviceError) {
    guard mode == .off || configuration.format.stabilizationModes.contains(mode) else {
      throw device.error(
        .formatUnsupported,
        "cannot steady \(configuration.format.size) in that way; choose one of the format's modes.")
    }
    do throws(KernelRefusal) {
      try camera.steady(ring.handle, mode)
      granted.withLock { $0.stabilization = mode }
    } catch {
      throw refused(error, "stabilization")
    }
  }

  /// The reason why a change failed while the stream runs.
  private func refused(_ refusal: KernelRefusal, _ what: String) -> CaptureDeviceError {
    guard refusal.errno == EBUSY else { return camera.refused(refusal, "change its \(what)") }
    return device.error(
      .formatUnsupported,
      "cannot change its \(what) while it streams: its driver refuses; stop the stream and open it again.")
  }

  /// Takes the next frame of the stream, which has full size already, as a photo; its exposure is asked of the camera.
  public func captureStill(
    _ request: StillRequest,
    completion: @escaping @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void
  ) {
    if let error = refusal(of: request, in: configuration.format) { return completion(.failure(error)) }
    guard let run = starts.running else {
      return completion(
        .failure(
          device.error(.noFrames, "takes no picture: its stream does not run; start it first.")))
    }
    if !run.add(StreamingNodes.Still(requested: .now, completion: completion)) {
      completion(.failure(run.stopped))
    }
  }

  /// The reason why a picture cannot be taken; `nil` when it can.
  private func refusal(of request: StillRequest, in format: StreamFormat) -> CaptureDeviceError? {
    guard !format.stillSizes.isEmpty else {
      return device.error(
        .formatUnsupported,
        "takes no picture while it sends H.264, which is not decoded for photos; choose another format.")
    }
    guard format.stillSizes.contains(request.size) else {
      let sizes = format.stillSizes.map(\.description).joined(separator: ", ")
      return device.error(
        .formatUnsupported, "takes no picture of \(request.size) in this format; choose \(sizes).")
    }
    if request.frame != nil {
      return device.error(
        .controlUnsupported,
        "takes no picture of a past frame: the kernel keeps none; keep the frame itself.")
    }
    if request.constituent != nil {
      return device.error(.controlUnsupported, "has no cameras under it; ask for its own picture.")
    }
    guard request.exposure == nil, request.flash == .off else {
      let what = request.flash == .off ? "an exposure of its own" : "a flash"
      return device.error(
        .controlUnsupported,
        "takes no picture with \(what): the kernel does not say which frame shows it; "
          + "set the camera's exposure first, and take the picture then.")
    }
    return nil
  }

  // MARK: Starting

  /// Waits for the end of the run before, and notes that a start is under way.
  private func claimStart() throws(CaptureDeviceError) {
    do throws(StreamStarts<StreamingNodes>.Refusal) {
      try starts.claim()
    } catch {
      let why =
        switch error {
        case .running: "streams already; stop it before you start it again"
        case .ending: "has not yet ended the stream before; start it when its stop has returned"
        case .starting: "is being started on another thread; wait for that"
        }
      throw device.error(.deviceBusy, "\(why).")
    }
  }

  private func makeRun(
    _ receiver: @escaping @Sendable (StreamEvent) -> Void
  ) throws(CaptureDeviceError) -> StreamingNodes {
    let wake: WakeUp
    do throws(SystemError) {
      wake = try WakeUp()
    } catch {
      throw device.error(.ioFailure, "cannot start: too many files are open; close some and try again.")
    }
    let granted = configuration
    let pictures = StreamNode(
      frames, .pictures, frameNanoseconds: granted.frameDuration.nanoseconds)
    let maps = depth.map { depth in
      StreamNode(
        depth.node, .depth(metresPerUnit: depth.metresPerUnit),
        frameNanoseconds: (granted.depth?.frameDuration ?? granted.frameDuration).nanoseconds)
    }
    return StreamingNodes(
      frames: pictures, depth: maps, wake: wake, timeout: timeout, history: camera.history,
      exposure: { [camera, ring] in camera.readState(ring.handle).exposure },
      frameNanoseconds: { [granted = self.granted] in granted.withLock { $0.frameDuration.nanoseconds } },
      receiver: receiver)
  }

  /// Starts both nodes, or neither.
  private func startDriver() throws(CaptureDeviceError) {
    do throws(KernelRefusal) {
      try ring.start()
    } catch {
      throw camera.refused(error, "start to stream", configuration)
    }
    do throws(KernelRefusal) {
      try depth?.node.ring.start()
    } catch {
      // What the camera says to its end does not matter: it is the other node that keeps the stream from starting.
      try? ring.stop()
      throw camera.refused(error, depth?.node.device ?? device, "start to measure depth", configuration)
    }
  }
}
