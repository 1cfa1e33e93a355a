internal import CaptureDevice
internal import CoreMedia
internal import CoreVideo
internal import FoundationExtras
internal import Linux
internal import PixelTransforms
internal import StreamParts

/// One run of a movie's stream: on a thread of its own, or, where the clock is moved by hand, on the thread that moves it.
///
/// Each picture and chunk is made ahead, and sent at its moment.
final class MovieStreaming: @unchecked Sendable {
  // Safe because what changes is used by the run's thread alone, or by the clock's events, which follow each other; the rest is locked.

  /// What is sent next, and when.
  private struct Due: Sendable {
    let moment: MonotonicInstant
    let send: @Sendable () -> Void
  }

  let stills = WaitingStills()
  private let device: MovieDevice
  private let configuration: StreamConfiguration
  private let run: StreamRun
  /// When the movie began.
  private let epoch: MonotonicInstant
  private let start: MonotonicInstant
  private let hasEnded = Locked(false)
  /// Keeps the next event planned.
  private let planned = Locked<(any AnyObject & Sendable)?>(nil)

  private let pictures: LoopedPictures?
  private let audio: LoopedAudio?
  private let transformer: PixelTransformer
  private var sequence: UInt32 = 0
  /// The moments of audio that were made.
  private var place: Int64 = 0

  init(_ device: MovieDevice, _ configuration: StreamConfiguration, _ run: StreamRun) {
    self.device = device
    self.configuration = configuration
    self.run = run
    (epoch, start) = device.film.begin(at: device.now)
    let (film, format) = (device.film, configuration.audio)
    let isAudio = device.facts.media == [.audio]
    pictures = isAudio ? nil : film.pictures.map { LoopedPictures(film, $0) }
    audio =
      isAudio ? film.audio.map { LoopedAudio(film, $0, rate: format.rate, channels: format.channels) } : nil
    transformer = PixelTransformer(bufferLimit: configuration.bufferCount)
  }

  /// Sends until the run is over; on the run's thread.
  func play(_ wake: WakeUp) {
    while let due = next() {
      while !run.isStopping, device.now < due.moment {
        if wake.wait(until: due.moment) == .signalled { break }
      }
      guard !run.isStopping else { return }
      due.send()
    }
  }

  /// Sends what is next when the device's clock is moved to its moment, and so on until the run is over.
  func plan() {
    guard let due = next() else { return }
    let event = device.clock.plan(at: due.moment) { [weak self] in
      guard let self, !run.isStopping else { return }
      due.send()
      plan()
    }
    let former = planned.withLock { planned in
      defer { planned = event }
      return planned
    }
    withExtendedLifetime(former) {}
  }

  /// Notes that the run is over: nothing more is planned, and the movie's time goes on without it.
  func end() {
    let former = planned.withLock { planned in
      defer { planned = nil }
      return planned
    }
    withExtendedLifetime(former) {}
    let isFirst = hasEnded.withLock { hasEnded in
      defer { hasEnded = true }
      return !hasEnded
    }
    if isFirst { device.film.end() }
  }

  /// What is sent next; `nil` when the run is over.
  private func next() -> Due? {
    if let pictures { return nextPicture(pictures) }
    return audio.flatMap { nextChunk($0) }
  }

  private func nextPicture(_ pictures: LoopedPictures) -> Due? {
    while !run.isStopping {
      do {
        let (pixels, nanoseconds) = try pictures.next()
        let time = epoch.advanced(byNanoseconds: nanoseconds)
        // What the movie showed before the camera was started was not seen.
        if time < start { continue }
        return Due(moment: time) { [self] in
          send(pixels, time)
          sequence &+= 1
        }
      } catch {
        stills.answer(.failure(failure(error)))
        run.fail(failure(error))
      }
    }
    return nil
  }

  private func failure(_ error: any Error) -> CaptureDeviceError {
    CaptureDeviceError(.ioFailure, "\(device.facts.name) cannot be played on: \(error)")
  }

  /// What a clock that is moved by hand waits for; `nil` on the machine's.
  private var inFlight: (any AnyObject & Sendable)? { device.clock.movesByHand ? InFlight.hold() : nil }

  private func send(_ pixels: CVPixelBuffer, _ time: MonotonicInstant) {
    let pixelFormat = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
    let size = PixelSize(width: configuration.size.width, height: configuration.size.height)
    let change = FrameTransform(
      rotation: device.turn, isMirrored: device.isMirrored, size: size, pixelFormat: pixelFormat)
    func drop(_ reason: DropReason) {
      run.deliver(
        .dropped(DroppedFrame(sequence: sequence, timestamp: time, reason: reason, inFlight: inFlight)))
    }
    do {
      let target = try transformer.makeBuffer(size: size, pixelFormat: pixelFormat)
      CVBufferPropagateAttachments(pixels, target)
      CVBufferRemoveAttachment(target, kCVImageBufferPixelAspectRatioKey)
      try transformer.apply(change, to: pixels, into: target)
      let frame = CapturedFrame(
        picture: .pixels(target), timestamp: time, sequence: sequence, inFlight: inFlight)
      run.deliver(.frame(frame))
      if !stills.isEmpty { run.perform { stills.answer(.success(frame)) } }
    } catch PixelTransformError.poolExhausted {
      drop(.outOfBuffers)
    } catch {
      drop(.discontinuity)
    }
  }

  private func nextChunk(_ audio: LoopedAudio) -> Due? {
    let (rate, channels) = (configuration.audio.rate, configuration.audio.channels)
    let chunk = max(rate / 100, 1)
    func moment(_ place: Int64) -> MonotonicInstant {
      epoch.advanced(byNanoseconds: place * 1_000_000_000 / Int64(rate))
    }
    while !run.isStopping {
      let (begin, end) = (moment(place), moment(place + Int64(chunk)))
      let samples = audio.next(chunk)
      place += Int64(chunk)
      if begin < start { continue }
      // A chunk is there when its last sample has been heard.
      return Due(moment: end) { [self] in
        run.deliver(
          .audio(
            CapturedAudio(
              samples: samples.withUnsafeBytes { CMBlockBuffer(copying: $0) }, sampleRate: Double(rate),
              channels: channels, frameCount: chunk, timestamp: begin, sequence: sequence, inFlight: inFlight)
          ))
        sequence &+= 1
      }
    }
    return nil
  }
}
