package import CaptureDevice
package import Linux

/// One run of a stream, as the reader thread of ``ReaderRuns`` does it.
package protocol StreamReading: AnyObject, Sendable {
  /// Hands frames on until the run is over; the last event of a run that fails is its own.
  func read()

  /// Takes back what was begun for it: its thread cannot be made.
  func abandon()

  /// Answers all photos that wait.
  func refuseStills(_ error: CaptureDeviceError)
}

/// A run whose photos are its frames.
package protocol FrameStillReading: StreamReading {
  /// The photos that wait for its next frame.
  var stills: WaitingStills { get }
}

extension FrameStillReading {
  /// Answers them.
  package func refuseStills(_ error: CaptureDeviceError) { stills.answer(.failure(error)) }
}

extension StreamReading {
  /// For runs that begin nothing before their thread does.
  package func abandon() {}
}

/// The runs of a stream that a thread of its own reads.
///
/// Start, stop and photos of all backends whose driver is waited upon. Thread-safe.
package final class ReaderRuns<Reading: StreamReading>: Sendable {
  private let starts = StreamStarts<Reading>()
  private let device: String
  private let thread: String

  /// The runs of a stream that has not been started.
  ///
  /// - Parameters:
  ///   - device: The device's name for people.
  ///   - thread: The name of its threads.
  package init(of device: String, thread: String) {
    self.device = device
    self.thread = thread
  }

  /// Whether a thread may still be inside the driver.
  package var isUnfinished: Bool { starts.unfinished != nil }

  /// Starts a run on a thread of its own.
  ///
  /// - Parameter make: Begins what the run needs; what it throws is thrown.
  /// - Throws: `deviceBusy` while another run streams, `ioFailure` without a descriptor or thread.
  @discardableResult
  package func start(
    _ receiver: @escaping StreamRun.Receiver,
    _ make: (_ run: StreamRun, _ wake: WakeUp) throws(CaptureDeviceError) -> Reading
  ) throws(CaptureDeviceError) -> Reading {
    do throws(StreamStarts<Reading>.Refusal) {
      try starts.claim()
    } catch {
      throw CaptureDeviceError(.deviceBusy, "\(device) streams already; stop the stream first.")
    }
    do throws(CaptureDeviceError) {
      let wake = try wakeUp()
      let run = StreamRun(wake: wake, receiver: receiver)
      let reading = try make(run, wake)
      starts.begin(run, reading)
      try read(reading, run)
      return reading
    } catch {
      starts.giveUp()
      throw error
    }
  }

  private func wakeUp() throws(CaptureDeviceError) -> WakeUp {
    do throws(SystemError) { return try WakeUp() } catch { throw failure(error) }
  }

  private func read(_ reading: Reading, _ run: StreamRun) throws(CaptureDeviceError) {
    do throws(SystemError) {
      _ = try ReaderThread(name: thread) {
        reading.read()
        run.finish()
      }
    } catch {
      reading.abandon()
      run.finish()
      throw failure(error)
    }
  }

  private func failure(_ error: SystemError) -> CaptureDeviceError {
    CaptureDeviceError(
      .ioFailure, "\(device) cannot start: \(error.explanation); close programs and try again.")
  }

  /// Stops the run, as ``CaptureStream/stop()`` says; photos that wait are answered.
  package func stop() {
    _ = starts.stop()
    starts.latest?.refuseStills(notStreaming)
  }

  /// The error of a photo of a stream that does not run.
  package var notStreaming: CaptureDeviceError {
    CaptureDeviceError(.noFrames, "\(device) does not stream; start it before a picture is taken.")
  }

  /// Has the run that streams take a photo; answers for it where none does.
  ///
  /// - Parameter add: Notes a photo that waits.
  package func addStill(
    _ completion: @escaping WaitingStills.Completion, _ add: (Reading) -> Void
  ) {
    guard let run = starts.unfinished, !run.isStopping, let reading = starts.running else {
      return completion(.failure(notStreaming))
    }
    add(reading)
    // The run may have ended before it saw the request.
    if run.isStopping { reading.refuseStills(notStreaming) }
  }
}

extension ReaderRuns where Reading: FrameStillReading {
  /// Answers with the next frame, or refuses what only other cameras can do.
  package func captureStill(
    _ request: StillRequest, of format: StreamFormat, completion: @escaping WaitingStills.Completion
  ) {
    if let refusal = refusal(of: request, in: format) { return completion(.failure(refusal)) }
    addStill(completion) { $0.stills.add(completion) }
  }

  private func refusal(of request: StillRequest, in format: StreamFormat) -> CaptureDeviceError? {
    guard format.stillSizes.contains(request.size) else {
      return CaptureDeviceError(
        .formatUnsupported, "\(device) takes no pictures of \(request.size); choose a size of its format.")
    }
    if request.frame != nil || request.constituent != nil || request.exposure != nil || request.flash != .off
    {
      return CaptureDeviceError(
        .controlUnsupported,
        "\(device) takes its next picture alone, without a flash or an exposure of its own.")
    }
    return nil
  }
}
