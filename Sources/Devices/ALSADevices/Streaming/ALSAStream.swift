public import CaptureDevice
internal import Linux
internal import StreamParts

/// A microphone opened by one client; dropping it closes the device.
///
/// Audio comes in chunks of about a hundredth of a second, each in memory of its own that the kernel has filled. Stamps are the
/// driver's on `CLOCK_MONOTONIC`, smoothed; see ``AudioClock``. What the device lost, because it was not read in time or the
/// card slept, is reported as dropped chunks, and the stream goes on.
public final class ALSAStream: CaptureStream {
  private let source: AudioSource
  private let starts = StreamStarts<Locked<AudioDiagnosis>>()
  /// The configuration that the device granted.
  public let configuration: StreamConfiguration

  init(source: AudioSource, configuration: StreamConfiguration) {
    self.source = source
    self.configuration = configuration
  }

  deinit {
    HeldLocks.assertNone(in: "ALSAStream.deinit")
    stop()
    // A thread that hangs in the driver, or from which this is called, would read from what is closed: it closes itself.
    if let run = starts.unfinished {
      Self.closeLater(source, after: run)
      return
    }
    source.library.close(source.handle)
  }

  /// Closes the device when its run is over; where there is no thread left for that, it stays open.
  private static func closeLater(_ source: AudioSource, after run: StreamRun) {
    _ = try? ReaderThread(name: "obscura-closing") {
      run.waitUntilOver()
      source.library.close(source.handle)
    }
  }

  /// The counters of the last run; all zero before the first.
  package var diagnosis: AudioDiagnosis {
    starts.latest?.withLock { $0 } ?? AudioDiagnosis()
  }

  /// Starts recording; returns when the driver has accepted.
  ///
  /// C: `snd_pcm_prepare`, `snd_pcm_start`.
  public func start(_ receiver: @escaping @Sendable (StreamEvent) -> Void) throws(CaptureDeviceError) {
    try claimStart()
    do throws(CaptureDeviceError) {
      let wake = try makeWakeUp()
      let run = StreamRun(wake: wake, receiver: receiver)
      let diagnosis = Locked(AudioDiagnosis())
      do throws(AudioRefusal) {
        try source.library.prepare(source.handle)
        try source.library.start(source.handle)
      } catch {
        throw source.error(error, "start to record")
      }
      starts.begin(run, diagnosis)
      try startThread(of: run, wake, diagnosis)
    } catch {
      starts.giveUp()
      throw error
    }
  }

  /// Stops recording, within one second even when the driver hangs; a hanging driver is left to its thread.
  public func stop() {
    _ = starts.stop()
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
    do throws(StreamStarts<Locked<AudioDiagnosis>>.Refusal) {
      try starts.claim()
    } catch {
      let why =
        switch error {
        case .running: "records already; stop it before you start it again"
        case .ending: "has not yet ended the recording before; start it when its stop has returned"
        case .starting: "is being started on another thread; wait for that"
        }
      throw CaptureDeviceError(.deviceBusy, "\(source.device.name) \(why).")
    }
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

  private func startThread(of run: StreamRun, _ wake: WakeUp, _ diagnosis: Locked<AudioDiagnosis>)
    throws(CaptureDeviceError)
  {
    do throws(SystemError) {
      _ = try ReaderThread(name: "obscura-sound") { [source] in
        var reader = AudioReader(run, wake: wake, source, diagnosis)
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
