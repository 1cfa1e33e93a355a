public import CaptureDevice
internal import Glibc
internal import Linux

/// A kernel camera opened by one client; dropping it closes the device.
///
/// Frames are the driver's own memory, mapped: nothing is copied. When the last reference to a frame goes, on whatever
/// thread, its buffer returns to the driver; frames that outlive the stream keep their memory and nothing else.
/// Stamps are the driver's on `CLOCK_MONOTONIC`, or the arrival where it has none that can be right; see
/// ``StreamDiagnosis``. Where depth is measured, the maps are the depth node's memory in the same way, and the stream ends with
/// either node. A stream of which one node stays silent for longer than ``SilenceTimeout`` allows fails with `noFrames`.
public final class V4L2Stream: CaptureStream {
  private enum Phase {
    case stopped
    /// The driver is asked to start; a stop that comes meanwhile is remembered.
    case starting(isCancelled: Bool)
    case running(StreamRun)
  }

  private let frames: OpenNode
  /// The node of the depth sensor, and how many metres its unit stands for; `nil` when the stream measures no depth.
  private let depth: (node: OpenNode, metresPerUnit: Float)?
  private let granted: Locked<StreamConfiguration>
  private let camera: V4L2Camera
  private let timeout: SilenceTimeout
  private let phase = Monitor(Phase.stopped)

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
    if case .running(let run) = phase.withLock({ $0 }), !run.isOver { return }
    ring.closeDevice()
    depth?.node.ring.closeDevice()
  }

  private var ring: BufferRing { frames.ring }
  private var device: DeviceName { frames.device }

  /// What was granted.
  public var configuration: StreamConfiguration { granted.withLock { $0 } }

  /// What the last run has seen of the pictures; all zero before the first.
  package var diagnosis: StreamDiagnosis {
    lastRun.withLock { $0?.frames }?.diagnosis.withLock { $0 } ?? StreamDiagnosis()
  }

  /// The same of the depth maps; all zero where none are measured.
  package var depthDiagnosis: StreamDiagnosis {
    lastRun.withLock { $0?.depth }?.diagnosis.withLock { $0 } ?? StreamDiagnosis()
  }

  /// The nodes of the last run.
  private let lastRun = Locked<(frames: StreamNode, depth: StreamNode?)?>(nil)

  /// Starts streaming; returns when the driver has accepted.
  ///
  /// C: `VIDIOC_QBUF`, `VIDIOC_STREAMON`.
  public func start(_ receiver: @escaping @Sendable (StreamEvent) -> Void) throws(CaptureDeviceError) {
    try claimStart()
    let run: StreamRun
    do throws(CaptureDeviceError) {
      run = try makeRun(receiver)
      try startDriver()
    } catch {
      phase.withLock { $0 = .stopped }
      throw error
    }
    let former = phase.withLock { phase in
      defer { phase = .running(run) }
      return phase
    }
    let isCancelled = if case .starting(true) = former { true } else { false }
    let formerNodes = lastRun.withLock { last in
      defer { last = (run.frames, run.depth) }
      return last
    }
    withExtendedLifetime(formerNodes) {}
    if isCancelled { run.cancel() }
    run.setPrivate(camera.table.isPrivate(ring.kernel, ring.handle))
    run.watch(camera)
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
      phase.withLock { $0 = .stopped }
      throw CaptureDeviceError(
        .ioFailure,
        "\(device.name) (\(device.path)) cannot start: the system has no thread left; close programs and try again."
      )
    }
  }

  /// Stops streaming, within one second even when the driver hangs; a hanging driver is left to its thread.
  public func stop() {
    let run = phase.withLock { phase -> StreamRun? in
      switch phase {
      case .stopped: return nil
      case .starting:
        phase = .starting(isCancelled: true)
        return nil
      case .running(let run): return run
      }
    }
    run?.stop()
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
    } catch  where error.errno == EBUSY {
      throw CaptureDeviceError(
        .formatUnsupported,
        "\(device.name) (\(device.path)) cannot change its frame rate while it streams: its driver refuses; "
          + "stop the stream and open it again.")
    } catch {
      throw camera.refused(error, "change its frame rate")
    }
  }

  /// Takes the next frame of the stream, which has full size already, as a photo; its exposure is asked of the camera.
  public func captureStill(
    _ request: StillRequest,
    completion: @escaping @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void
  ) {
    let format = configuration.format
    guard !format.stillSizes.isEmpty else {
      completion(
        .failure(
          CaptureDeviceError(
            .formatUnsupported,
            "\(device.name) (\(device.path)) takes no picture while it sends H.264, which nothing here decodes; choose another format."
          )))
      return
    }
    guard format.stillSizes.contains(request.size) else {
      let sizes = format.stillSizes.map(\.description).joined(separator: ", ")
      completion(
        .failure(
          CaptureDeviceError(
            .formatUnsupported,
            "\(device.name) (\(device.path)) takes no picture of \(request.size) in this format; choose \(sizes)."
          )))
      return
    }
    if request.frame != nil {
      completion(
        .failure(
          CaptureDeviceError(
            .controlUnsupported,
            "\(device.name) (\(device.path)) takes no picture of a past frame: the kernel keeps none; keep the frame itself."
          )))
      return
    }
    if request.exposure != nil || request.flash != .off {
      let what = request.flash == .off ? "an exposure of its own" : "a flash"
      completion(
        .failure(
          CaptureDeviceError(
            .controlUnsupported,
            "\(device.name) (\(device.path)) takes no picture with \(what): the kernel does not say which frame shows it; "
              + "set the camera's exposure first, and take the picture then.")))
      return
    }
    guard case .running(let run) = phase.withLock({ $0 }) else {
      return completion(
        .failure(
          CaptureDeviceError(
            .noFrames,
            "\(device.name) (\(device.path)) takes no picture: its stream does not run; start it first.")))
    }
    if !run.add(StreamRun.Still(requested: .now, completion: completion)) {
      completion(.failure(run.stopped))
    }
  }

  // MARK: Starting

  /// Waits for the end of the run before, and notes that a start is under way.
  private func claimStart() throws(CaptureDeviceError) {
    if case .running(let run) = phase.withLock({ $0 }) {
      guard run.isStopping else {
        throw CaptureDeviceError(
          .deviceBusy, "\(device.name) (\(device.path)) streams already; stop it before you start it again.")
      }
      guard !run.isDeliveringHere, run.stop() else {
        throw CaptureDeviceError(
          .deviceBusy,
          "\(device.name) (\(device.path)) has not yet ended the stream before; start it when its stop has returned."
        )
      }
    }
    let (isClaimed, former) = phase.withLock { phase in
      let former = phase
      switch phase {
      case .stopped: break
      case .running(let run) where run.isOver: break
      case .running, .starting: return (false, former)
      }
      phase = .starting(isCancelled: false)
      return (true, former)
    }
    withExtendedLifetime(former) {}
    if !isClaimed {
      throw CaptureDeviceError(
        .deviceBusy, "\(device.name) (\(device.path)) is being started on another thread; wait for that.")
    }
  }

  private func makeRun(
    _ receiver: @escaping @Sendable (StreamEvent) -> Void
  ) throws(CaptureDeviceError) -> StreamRun {
    let wake: WakeUp
    do throws(SystemError) {
      wake = try WakeUp()
    } catch {
      throw CaptureDeviceError(
        .ioFailure,
        "\(device.name) (\(device.path)) cannot start: too many files are open; close some and try again.")
    }
    let granted = configuration
    let pictures = StreamNode(
      frames, .pictures, frameNanoseconds: granted.frameDuration.nanoseconds)
    let maps = depth.map { depth in
      StreamNode(
        depth.node, .depth(metresPerUnit: depth.metresPerUnit),
        frameNanoseconds: (granted.depth?.frameDuration ?? granted.frameDuration).nanoseconds)
    }
    return StreamRun(
      frames: pictures, depth: maps, wake: wake, timeout: timeout, history: camera.history,
      exposure: { [camera, ring] in camera.readState(ring.handle).exposure }, receiver: receiver)
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
