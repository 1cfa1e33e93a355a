internal import CPipeWire
internal import CaptureDevice
internal import CoreMedia
internal import Linux
internal import StreamParts

/// One run of a PipeWire camera's stream, on its reader thread.
final class PipeWireReading: FrameStillReading, @unchecked Sendable {
  // Safe because what changes is used by the reader thread alone; the rest is locked.

  /// The most pictures that clients may hold.
  static let mostBuffers = 60
  /// The buffers that stay with the source when clients hold theirs; of more than that pictures are copied.
  static let reserve = 2

  let stills = WaitingStills()
  private let device: PipeWireDevice
  private let configuration: StreamConfiguration
  private let format: NodeFormat
  private let run: StreamRun
  private let wake: WakeUp
  private let buffers: StreamBuffers
  private let pictures: PictureLayout
  private var clock: FrameClock
  private var counter = FrameCounter()
  private var check = MotionJPEGCheck()
  /// Of a node that sends H.264.
  private var coded: CodedBuffers?
  /// Buffers that held no picture, and have no number.
  private var passed: UInt32 = 0
  private var hasHeard = false
  private var failure: CaptureDeviceError?

  init(
    _ device: PipeWireDevice, _ configuration: StreamConfiguration, _ format: NodeFormat, _ run: StreamRun,
    _ wake: WakeUp
  ) {
    self.device = device
    self.configuration = configuration
    self.format = format
    self.run = run
    self.wake = wake
    clock = FrameClock(start: .now, olderCount: configuration.bufferCount + Self.reserve)
    buffers = StreamBuffers()
    pictures = PictureLayout(format)
    coded = format.frameEncoding?.isCoded == true ? CodedBuffers() : nil
  }

  static func serverEnded(_ name: String) -> CaptureDeviceError {
    CaptureDeviceError(
      .mediaServicesReset, "\(name) is gone, because PipeWire has ended; it comes back with PipeWire.")
  }

  /// Ends the run with an error, on any thread.
  func end(_ error: CaptureDeviceError) {
    run.fail(error) { stills.answer(.failure(error)) }
    wake.signal()
  }

  /// Reads until the run is over; the camera's end is the stream's.
  func read() {
    do throws(CaptureDeviceError) {
      let connection = try device.reach.connect(wake)
      defer { cam_pipewire_close(connection) }
      try follow(connection)
    } catch {
      end(error)
    }
  }

  private func follow(_ connection: OpaquePointer) throws(CaptureDeviceError) {
    var request = format.request(configuration.frameDuration)
    var code: Int32 = 0
    let serial: String? = device.isManaged ? device.node.serial : nil
    let stream = cam_pipewire_stream_open(
      connection, serial, device.node.id, &request, UInt32(configuration.bufferCount + Self.reserve),
      consumer, &code)
    guard let stream else { throw failed(SystemError("start", errno: code).explanation) }
    buffers.begin(stream)
    defer {
      buffers.end()
      cam_pipewire_stream_close(stream)
    }
    var silence = SilenceWatch(
      SilenceTimeout(nanoseconds: SilenceTimeout.longNanoseconds),
      frame: configuration.frameDuration.nanoseconds)
    while !run.isStopping {
      let (asked, before) = (silence.nextWait, MonotonicInstant.now)
      hasHeard = false
      guard cam_pipewire_turn(connection, Int32((asked + 999_999) / 1_000_000)) == 0 else {
        throw Self.serverEnded(device.facts.name)
      }
      if let failure { throw failure }
      if hasHeard {
        silence.heard()
      } else {
        silence.waited(MonotonicInstant.now.nanoseconds - before.nanoseconds, asked: asked)
      }
      if silence.isOver(isDry: false, exposure: { nil }) {
        throw CaptureDeviceError(
          .noFrames,
          "\(device.facts.name) has sent no picture for \(silence.silence / 1_000_000_000) seconds; plug it in again, or look at the program that offers it."
        )
      }
    }
  }

  private func failed(_ reason: String) -> CaptureDeviceError {
    CaptureDeviceError(
      .ioFailure,
      "\(device.facts.name) cannot stream: PipeWire says “\(reason)”; close other programs that use it and try again."
    )
  }

  /// Its pictures lie in memory that this process cannot have.
  private var unusable: CaptureDeviceError {
    CaptureDeviceError(
      .ioFailure,
      "\(device.facts.name) cannot stream: the memory of its pictures cannot be mapped; start the program that offers it again, or this one."
    )
  }

  private var consumer: cam_pipewire_consumer {
    cam_pipewire_consumer(
      // Safe because the stream, which calls it, is closed before `read()` returns.
      context: Unmanaged.passUnretained(self).toOpaque(),
      memory: { context, index, memory in
        guard let memory, let reading = PipeWireReading.at(context) else { return }
        if !reading.buffers.add(Int(index), memory.pointee) { reading.failure = reading.unusable }
      },
      forgotten: { context, index in PipeWireReading.at(context)?.buffers.forget(Int(index)) },
      picture: { context, index, picture in
        guard let picture, let reading = PipeWireReading.at(context) else { return 0 }
        return reading.take(Int(index), picture.pointee) ? 1 : 0
      },
      failed: { context, reason in
        guard let reading = PipeWireReading.at(context) else { return }
        reading.failure = reading.failed(reason.map { String(cString: $0) } ?? "unknown")
      })
  }

  private static func at(_ context: UnsafeMutableRawPointer?) -> PipeWireReading? {
    context.map { Unmanaged<PipeWireReading>.fromOpaque($0).takeUnretainedValue() }
  }

  // MARK: Pictures

  /// Hands a picture on; whether its buffer is kept until the picture has ended.
  private func take(_ index: Int, _ told: cam_video_picture) -> Bool {
    let arrival = MonotonicInstant.now
    // A source hands a new consumer the picture that it last sent another one.
    if clock.isOfBefore(stamp: told.time < 0 ? nil : told.time) { return false }
    hasHeard = true
    let (count, lost) = counter.advance(to: UInt32(truncatingIfNeeded: told.number))
    let number = count &- passed
    let time = clock.time(stamp: told.time < 0 ? nil : told.time, arrival: arrival)
    for missed in 0..<lost {
      drop(number &- lost &+ missed, time, .discontinuity)
    }
    if coded != nil {
      takeCoded(index, told, number, time)
      return false
    }
    guard buffers.heldCount < configuration.bufferCount else {
      drop(number, time, .outOfBuffers)
      return false
    }
    let parts = withUnsafeBytes(of: told.parts) { bytes in
      bytes.bindMemory(to: cam_video_part.self).prefix(Int(told.count)).map {
        PicturePart(offset: Int($0.offset), size: Int($0.size), stride: Int($0.stride))
      }
    }
    guard let memory = buffers.memory(index), told.is_broken == 0, memory.fetch(),
      let place = pictures.place(parts, in: memory.blocks, &check)
    else {
      drop(number, time, .discontinuity)
      return false
    }
    let isCopied = buffers.isShort
    let lent = isCopied ? buffers.copy(place, of: memory) : buffers.lend(index, place, memory)
    guard let lent else {
      drop(number, time, .outOfBuffers)
      return false
    }
    let frame = CapturedFrame(picture: lent, timestamp: time, sequence: number)
    deliver(frame)
    return !isCopied
  }

  private func deliver(_ frame: CapturedFrame) {
    run.deliver(.frame(frame))
    if !stills.isEmpty { run.perform { stills.answer(.success(frame)) } }
  }

  /// Hands on the H.264 picture of a buffer, which goes back at once.
  private func takeCoded(
    _ index: Int, _ told: cam_video_picture, _ number: UInt32, _ time: MonotonicInstant
  ) {
    let hasRoom = buffers.heldCount < configuration.bufferCount
    let memory = buffers.memory(index)
    let (offset, size) = (Int(told.parts.0.offset), Int(told.parts.0.size))
    var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    if let block = memory?.blocks.first, told.count > 0, memory?.fetch() == true, offset + size <= block.count
    {
      bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(block)[offset..<offset + size])
    }
    memory?.beginReading()
    let ended = buffers.beginCopy()
    let outcome = coded?.take(bytes, isBroken: told.is_broken != 0, number, hasRoom: hasRoom, ended: ended)
    memory?.endReading()
    if case .picture(let picture)? = outcome {
      return deliver(CapturedFrame(picture: .coded(picture), timestamp: time, sequence: number))
    }
    ended()
    if case .lost(let reason)? = outcome { drop(number, time, reason) } else { passed &+= 1 }
  }

  private func drop(_ number: UInt32, _ time: MonotonicInstant, _ reason: DropReason) {
    run.deliver(.dropped(DroppedFrame(sequence: number, timestamp: time, reason: reason)))
  }
}
