internal import CaptureDevice
internal import CoreMedia
internal import CoreVideo
internal import Linux
internal import PixelTransforms
internal import StreamParts

/// One run of a movie's stream, on its thread.
struct MovieStreaming {
  private let device: MovieDevice
  private let configuration: StreamConfiguration
  private let run: StreamRun
  private let wake: WakeUp
  private let stills: MovieStream.Stills
  /// When the movie began.
  private let epoch: MonotonicInstant
  private let start: MonotonicInstant

  init(
    _ device: MovieDevice, _ configuration: StreamConfiguration, _ run: StreamRun, _ wake: WakeUp,
    _ stills: MovieStream.Stills, _ moments: (epoch: MonotonicInstant, start: MonotonicInstant)
  ) {
    self.device = device
    self.configuration = configuration
    self.run = run
    self.wake = wake
    self.stills = stills
    (epoch, start) = moments
  }

  /// Sleeps until a moment; `false` when the run is over before.
  private func sleep(until moment: MonotonicInstant) -> Bool {
    while !run.isStopping, MonotonicInstant.now < moment {
      if wake.wait(until: moment) == .signalled { return false }
    }
    return !run.isStopping
  }

  func sendPictures() {
    guard let track = device.film.pictures else { return }
    let pictures = LoopedPictures(device.film, track)
    let transformer = PixelTransformer(bufferLimit: configuration.bufferCount)
    let change = FrameTransform(
      rotation: device.turn, isMirrored: device.isMirrored,
      size: PixelSize(width: configuration.size.width, height: configuration.size.height),
      pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
    let size = PixelSize(width: configuration.size.width, height: configuration.size.height)
    var sequence: UInt32 = 0
    while !run.isStopping {
      do {
        let (pixels, nanoseconds) = try pictures.next()
        let time = epoch.advanced(byNanoseconds: nanoseconds)
        // What the movie showed before the camera was started was not seen.
        if time < start { continue }
        guard sleep(until: time) else { return }
        send(pixels, time, sequence, transformer, change, size)
        sequence &+= 1
      } catch {
        stills.answer(.failure(failure(error)))
        run.fail(failure(error))
        return
      }
    }
  }

  private func failure(_ error: any Error) -> CaptureDeviceError {
    CaptureDeviceError(.ioFailure, "\(device.facts.name) cannot be played on: \(error)")
  }

  private func send(
    _ pixels: CVPixelBuffer, _ time: MonotonicInstant, _ sequence: UInt32, _ transformer: PixelTransformer,
    _ change: FrameTransform, _ size: PixelSize
  ) {
    do {
      let target = try transformer.makeBuffer(
        size: size, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
      CVBufferPropagateAttachments(pixels, target)
      CVBufferRemoveAttachment(target, kCVImageBufferPixelAspectRatioKey)
      try transformer.apply(change, to: pixels, into: target)
      let frame = CapturedFrame(
        pixels: target, timestamp: time, sequence: sequence, conditions: .unknown)
      run.deliver(.frame(frame))
      if !stills.isEmpty { run.perform { stills.answer(.success(frame)) } }
    } catch PixelTransformError.poolExhausted {
      run.deliver(.dropped(DroppedFrame(sequence: sequence, timestamp: time, reason: .outOfBuffers)))
    } catch {
      run.deliver(.dropped(DroppedFrame(sequence: sequence, timestamp: time, reason: .discontinuity)))
    }
  }

  func sendAudio() {
    guard let track = device.film.audio else { return }
    let (rate, channels) = (configuration.audio.rate, configuration.audio.channels)
    let audio = LoopedAudio(device.film, track, rate: rate, channels: channels)
    let chunk = max(rate / 100, 1)
    var sequence: UInt32 = 0
    var place: Int64 = 0
    while !run.isStopping {
      let begin = epoch.advanced(byNanoseconds: place * 1_000_000_000 / Int64(rate))
      let end = epoch.advanced(byNanoseconds: (place + Int64(chunk)) * 1_000_000_000 / Int64(rate))
      let samples = audio.next(chunk)
      place += Int64(chunk)
      if begin < start { continue }
      // A chunk is there when its last sample has been heard.
      guard sleep(until: end) else { return }
      run.deliver(
        .audio(
          CapturedAudio(
            samples: samples.withUnsafeBytes { CMBlockBuffer(copying: $0) }, sampleRate: Double(rate),
            channels: channels, frameCount: chunk, timestamp: begin, sequence: sequence)))
      sequence &+= 1
    }
  }
}
