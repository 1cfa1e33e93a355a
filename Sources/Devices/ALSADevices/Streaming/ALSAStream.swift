public import CaptureDevice
internal import Linux

/// A microphone opened by one client; dropping it closes the device.
///
/// Audio comes in stretches of about a hundredth of a second, each in memory of its own that the kernel has filled. Stamps
/// are the driver's on `CLOCK_MONOTONIC`, smoothed; see ``AudioClock``. What the device lost, because nobody read it in time or
/// the card slept, is told as dropped stretches, and the stream goes on.
public final class ALSAStream: CaptureStream {
  private enum Phase {
    case stopped
    case starting
    case running(AudioRun)
  }

  private let source: AudioSource
  private let phase = Locked(Phase.stopped)
  private let lastDiagnosis = Locked(AudioDiagnosis())
  /// What was granted.
  public let configuration: StreamConfiguration

  init(source: AudioSource, configuration: StreamConfiguration) {
    self.source = source
    self.configuration = configuration
  }

  deinit {
    HeldLocks.assertNone(in: "ALSAStream.deinit")
    stop()
    // A thread that hangs in the driver, or from which this is called, would read from what is closed: it closes itself.
    if case .running(let run) = phase.withLock({ $0 }), !run.isOver {
      Self.closeLater(source, after: run)
      return
    }
    source.library.close(source.handle)
  }

  /// Closes the device when its run is over; where there is no thread left for that, it stays open.
  private static func closeLater(_ source: AudioSource, after run: AudioRun) {
    _ = try? ReaderThread(name: "obscura-closing") {
      run.waitUntilOver()
      source.library.close(source.handle)
    }
  }

  /// What the last run has seen; all zero before the first.
  package var diagnosis: AudioDiagnosis {
    switch phase.withLock({ $0 }) {
    case .running(let run): run.state.withLock { $0.diagnosis }
    case .stopped, .starting: lastDiagnosis.withLock { $0 }
    }
  }

  /// Starts recording; returns when the driver has accepted.
  ///
  /// C: `snd_pcm_prepare`, `snd_pcm_start`.
  public func start(_ receiver: @escaping @Sendable (StreamEvent) -> Void) throws(CaptureDeviceError) {
    try claimStart()
    do throws(CaptureDeviceError) {
      let run = AudioRun(wake: try makeWakeUp(), receiver: receiver)
      do throws(AudioRefusal) {
        try source.library.prepare(source.handle)
        try source.library.start(source.handle)
      } catch {
        throw source.error(error, "start to record")
      }
      phase.withLock { $0 = .running(run) }
      try startThread(of: run)
    } catch {
      phase.withLock { $0 = .stopped }
      throw error
    }
  }

  /// Stops recording, within one second even when the driver hangs; a hanging driver is left to its thread.
  public func stop() {
    guard case .running(let run) = phase.withLock({ $0 }) else { return }
    run.stop()
    lastDiagnosis.withLock { $0 = run.state.withLock { $0.diagnosis } }
  }

  /// Microphones have no frames.
  public func setFrameDuration(_ duration: FrameDuration) throws(CaptureDeviceError) -> FrameDuration {
    throw CaptureDeviceError(
      .formatUnsupported, "\(source.device.name) is a microphone and has no frame rate; set a camera's.")
  }

  /// Microphones take no pictures.
  public func captureStill(
    _ request: StillRequest,
    completion: @escaping @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void
  ) {
    completion(
      .failure(
        CaptureDeviceError(
          .formatUnsupported, "\(source.device.name) is a microphone and takes no pictures; ask a camera.")))
  }

  // MARK: Starting

  /// Waits for the end of the run before, and notes that a start is under way.
  private func claimStart() throws(CaptureDeviceError) {
    if case .running(let run) = phase.withLock({ $0 }) {
      guard run.isStopping else { throw busy("records already; stop it before you start it again") }
      guard !run.isDeliveringHere, run.stop() else {
        throw busy("has not yet ended the recording before; start it when its stop has returned")
      }
      lastDiagnosis.withLock { $0 = run.state.withLock { $0.diagnosis } }
    }
    let (isClaimed, former) = phase.withLock { phase in
      let former = phase
      switch phase {
      case .stopped: break
      case .running(let run) where run.isOver: break
      case .running, .starting: return (false, former)
      }
      phase = .starting
      return (true, former)
    }
    withExtendedLifetime(former) {}
    if !isClaimed { throw busy("is being started on another thread; wait for that") }
  }

  private func busy(_ why: String) -> CaptureDeviceError {
    CaptureDeviceError(.deviceBusy, "\(source.device.name) \(why).")
  }

  private func makeWakeUp() throws(CaptureDeviceError) -> WakeUp {
    do throws(SystemError) {
      return try WakeUp()
    } catch {
      throw CaptureDeviceError(
        .ioFailure,
        "\(source.device.name) cannot start: too many files are open; close some and try again.")
    }
  }

  private func startThread(of run: AudioRun) throws(CaptureDeviceError) {
    do throws(SystemError) {
      _ = try ReaderThread(name: "obscura-sound") { [source] in
        var reader = AudioReader(run, source)
        reader.read()
      }
    } catch {
      // The driver has nothing to add to the reason why this ends.
      try? source.library.stop(source.handle)
      run.finish()
      throw CaptureDeviceError(
        .ioFailure,
        "\(source.device.name) cannot start: the system has no thread left; close programs and try again.")
    }
  }
}
