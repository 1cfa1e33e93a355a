internal import CaptureDevice
internal import CoreMedia
internal import FoundationExtras
internal import Linux
internal import MediaStreaming
internal import StreamParts
internal import VideoCodecs

/// One run of a network device's stream, on its reader thread.
final class NetworkReading: FrameStillReading, @unchecked Sendable {
  // Safe because what changes is used by the reader thread alone; the rest is locked.

  /// How long it may take until something comes of a new connection: a coder may send its first key frame late.
  private static let connectionTimeout: Int64 = 10_000_000_000
  /// As often as FFmpeg asks whether to go on waiting.
  private static let tick: Int64 = 100_000_000

  let stills = WaitingStills()
  private let device: NetworkDevice
  private let configuration: StreamConfiguration
  private let run: StreamRun
  private let waiting: Locked<(timer: SilenceTimer, looked: MonotonicInstant)>
  private let held = HeldBuffers()
  private var frames: CodedFrames?
  private var times: StreamTimes
  private var sequence: UInt32 = 0
  private var hasHeard = false
  private var decoder: AudioDecoder?

  init(_ device: NetworkDevice, _ configuration: StreamConfiguration, _ run: StreamRun) {
    self.device = device
    self.configuration = configuration
    self.run = run
    times = StreamTimes(device.camera.clock)
    waiting = Locked((SilenceTimer(nanoseconds: Self.connectionTimeout), .now))
  }

  private var isAudio: Bool { device.facts.media == [.audio] }

  /// Reads until the run is over; the camera's end is the stream's.
  func read() {
    do throws(NetworkProblem) {
      let input = try device.camera.open(isAudio ? [.audio] : [.video]) { [self] in isOver() }
      try follow(input)
    } catch {
      guard !run.isStopping else { return }
      switch error.kind {
      case .unauthorized:
        // Its password may be another by now, which is looked for when it is asked anew.
        return end(
          "\(device.facts.name) is gone: \(error); correct the password in cameras.json or the keyring.",
          isOther: true)
      case .untrusted, .noDatagrams:
        // Asked anew it is listed no more, which says the same wherever devices are listed.
        return end("\(device.facts.name) is gone: \(error)\(error.remedy).", isOther: true)
      default: break
      }
      let problem =
        error.kind == .over
        ? "it has sent nothing for \(silence.nanoseconds / 1_000_000_000) seconds" : "\(error)"
      end(
        "\(device.facts.name) is gone: \(problem); it comes back by itself when it can be reached.",
        isOther: false)
    }
  }

  private var silence: SilenceTimer { waiting.withLock { $0.timer } }

  private func end(_ sentence: String, isOther: Bool) {
    let error = CaptureDeviceError(.disconnected, sentence)
    run.fail(error) { stills.answer(.failure(error)) }
    device.camera.lose(device, error, wasLive: hasHeard, isOther: isOther)
  }

  /// Whether not to wait any longer; asked while the network is waited for.
  private func isOver() -> Bool {
    if run.isStopping { return true }
    let now = MonotonicInstant.now
    return waiting.withLock { waiting in
      waiting.timer.waited(now.nanoseconds - waiting.looked.nanoseconds, asked: Self.tick)
      waiting.looked = now
      return waiting.timer.isOver
    }
  }

  private func heard() {
    waiting.withLock { waiting in
      let frame = isAudio ? 0 : configuration.frameDuration.nanoseconds
      waiting.timer.nanoseconds = SilenceTimeout.longNanoseconds + 3 * frame
      waiting.timer.heard()
      waiting.looked = .now
    }
  }

  private func follow(_ input: NetworkInput) throws(NetworkProblem) {
    let track = input.tracks.first { track in
      isAudio
        ? !track.isVideo && track.format != nil
        : NetworkDevice.streamFormat(of: track).map {
          $0.size == configuration.size && $0.encoding == configuration.format.encoding
        } ?? false
    }
    guard let track else {
      return end(
        "\(device.facts.name) sends something else than before; it is listed anew in a moment.", isOther: true
      )
    }
    try begin(track)
    heard()
    while !run.isStopping {
      guard let packet = try input.next() else {
        frames?.breakOff()
        continue
      }
      guard packet.track == track.index else { continue }
      hasHeard = true
      heard()
      let arrival = MonotonicInstant.now
      if isAudio { takeAudio(packet, arrival) } else { takePicture(packet, arrival) }
    }
  }

  private func begin(_ track: NetworkInput.Track) throws(NetworkProblem) {
    if isAudio {
      guard let format = track.format else { return }
      let wanted = configuration.audio
      do {
        decoder = try AudioDecoder(format, rate: Double(wanted.rate), channels: wanted.channels)
      } catch {
        throw NetworkProblem(.other, error.description)
      }
    } else if configuration.format.encoding.isCoded {
      frames = CodedFrames(configuration.format.encoding == .hevc ? .hevc : .h264)
      frames?.note(parameterSets: track.parameterSets)
    }
  }

  // MARK: Pictures

  private func takePicture(_ packet: NetworkInput.Packet, _ arrival: MonotonicInstant) {
    let time = times.instant(packet.time, sent: packet.sent, arrival: arrival)
    let number = sequence
    sequence &+= 1
    let hasRoom = held.count < configuration.bufferCount
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: packet.bytes.count + 64, alignment: 16)
    memory.copyMemory(from: packet.bytes)
    var picture: CapturedFrame.Picture?
    var reason = DropReason.discontinuity
    if configuration.format.encoding.isCoded {
      let outcome = frames?.take(
        memory, used: packet.bytes.count, isBroken: packet.isBroken, number, hasRoom: hasRoom)
      switch outcome {
      case .picture(let unit)?:
        let bytes = UnsafeMutableRawBufferPointer(rebasing: memory[unit.range])
        picture = .coded(
          CodedPicture(
            data: held.block(bytes, of: memory), format: unit.format, isKeyFrame: unit.isKeyFrame,
            isReference: unit.isReference))
      case .lost(let why)?: reason = why
      case .noFrame?, nil:
        sequence = number
        memory.deallocate()
        return
      }
    } else if !hasRoom {
      reason = .outOfBuffers
    } else if !packet.isBroken, packet.bytes.count > 4 {
      let bytes = UnsafeMutableRawBufferPointer(rebasing: memory[..<packet.bytes.count])
      picture = .jpeg(held.block(bytes, of: memory), configuration.size)
    }
    guard let picture else {
      memory.deallocate()
      run.deliver(.dropped(DroppedFrame(sequence: number, timestamp: time, reason: reason)))
      return
    }
    // TCP, and the numbers of RTP's packets, show what was lost; such a picture is marked as broken.
    let frame = CapturedFrame(
      content: FrameContent(picture, isIntact: true), timestamp: time, sequence: number,
      conditions: .unknown, inFlight: nil)
    run.deliver(.frame(frame))
    if !stills.isEmpty { run.perform { stills.answer(.success(frame)) } }
  }

  // MARK: Audio

  private func takeAudio(_ packet: NetworkInput.Packet, _ arrival: MonotonicInstant) {
    guard let decoder, let time = packet.time else { return }
    let timing = CMSampleTimingInfo(
      duration: .invalid, presentationTimeStamp: CMTime(value: time, timescale: 1_000_000_000),
      decodeTimeStamp: .invalid)
    let sample = CMSampleBuffer.coded(
      CMBlockBuffer(copying: packet.bytes), formatDescription: decoder.inputFormat, timing: timing,
      isKeyFrame: true)
    // One damaged packet is a gap, and no end.
    guard let chunks = try? decoder.decode(sample) else { return decoder.flush() }
    let (rate, channels) = (configuration.audio.rate, configuration.audio.channels)
    for chunk in chunks {
      guard let data = chunk.dataBuffer else { continue }
      let moment = chunk.presentationTimeStamp.convertScale(1_000_000_000, method: .default).value
      run.deliver(
        .audio(
          CapturedAudio(
            samples: data, sampleRate: Double(rate), channels: channels,
            frameCount: data.dataLength / (2 * channels),
            timestamp: times.instant(moment, sent: packet.sent, arrival: arrival), sequence: sequence)))
      sequence &+= 1
    }
  }
}

/// Counts the pictures that clients hold.
private final class HeldBuffers: Sendable {
  private let number = Locked(0)

  var count: Int { number.withLock { $0 } }

  /// Bytes of a memory that is freed with the last reference to them.
  func block(_ bytes: UnsafeMutableRawBufferPointer, of memory: UnsafeMutableRawBufferPointer)
    -> CMBlockBuffer
  {
    number.withLock { $0 += 1 }
    let address = UInt(bitPattern: memory.baseAddress)
    return CMBlockBuffer(wrapping: bytes) { [self] in
      UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
      number.withLock { $0 -= 1 }
    }
  }
}
