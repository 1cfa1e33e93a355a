internal import CaptureDevice
internal import CoreMedia
internal import Glibc
internal import Linux
internal import StreamParts

/// The loop of a run's reader thread: it waits for samples, takes their time, reads and delivers them, and recovers the device.
struct AudioReader {
  /// More lost chunks than this, a minute, are not reported one by one.
  private static let longestGap: Int64 = 6000

  private let run: StreamRun
  private let wake: WakeUp
  private let diagnosis: Locked<AudioDiagnosis>
  private let source: AudioSource
  private let unpacking: SampleUnpacking
  private var clock: AudioClock
  private var scratch: [UInt8]
  /// Samples of each channel that were read since the device was started last.
  private var readFrames: Int64 = 0
  private var sequence: UInt32 = 0
  /// The time of the next sample if nothing is lost.
  private var expected: MonotonicInstant?
  /// Whether the device was started anew and what was lost is not reported yet.
  private var isGapDue = false

  init(_ run: StreamRun, wake: WakeUp, _ source: AudioSource, _ diagnosis: Locked<AudioDiagnosis>) {
    self.run = run
    self.wake = wake
    self.diagnosis = diagnosis
    self.source = source
    let setup = source.setup
    unpacking = SampleUnpacking(setup.encoding, from: setup.channels, to: source.channels)
    clock = AudioClock(rate: setup.rate)
    scratch = unpacking.isIdentity ? [] : [UInt8](repeating: 0, count: source.chunk * setup.frameSize)
  }

  /// Runs until the run is stopped or the device fails, then ends the stream.
  mutating func read() {
    do throws(AudioRefusal) {
      try readChunks()
    } catch {
      run.fail(source.error(cause(of: error), "go on recording"))
    }
    // A device that is gone refuses this too, and the run ends all the same.
    try? source.library.stop(source.handle)
    run.finish()
  }

  /// The cause of a failed call: one that a pulled plug overtakes fails in any way, and only the next one reports a missing card.
  private func cause(of refusal: AudioRefusal) -> AudioRefusal {
    do throws(AudioRefusal) {
      try source.library.prepare(source.handle)
    } catch {
      return error.errno == ENODEV ? error : refusal
    }
    return refusal
  }

  private mutating func readChunks() throws(AudioRefusal) {
    var timeout = SilenceTimer(nanoseconds: source.silence)
    while !run.isStopping {
      let asked = timeout.nextWait
      let began = MonotonicInstant.now
      do throws(AudioRefusal) {
        let ready = try source.library.wait(source.handle, wake, nanoseconds: asked)
        if ready.contains(.ready), try readWhatIsThere() {
          timeout.heard()
          continue
        }
      } catch {
        try mend(error)
      }
      timeout.waited(MonotonicInstant.now.nanoseconds - began.nanoseconds, asked: asked)
      if timeout.isOver, !run.isStopping {
        run.fail(
          CaptureDeviceError(
            .noFrames,
            "\(source.device.name) records but has sent no sound for \(source.silence / 1_000_000_000) s; "
              + "unplug it and plug it in again."))
        return
      }
    }
  }

  /// Goes on after an overrun or a sleep; throws everything else.
  private mutating func mend(_ refusal: AudioRefusal) throws(AudioRefusal) {
    switch refusal.errno {
    case EAGAIN: return
    case EPIPE: record { $0.overruns += 1 }
    // Resuming where a card was would give stale samples with fresh stamps.
    case ESTRPIPE: break
    default: throw refusal
    }
    try source.library.prepare(source.handle)
    try source.library.start(source.handle)
    clock.restart()
    readFrames = 0
    isGapDue = true
  }

  // MARK: One chunk

  /// Reads every whole chunk that there is; false when there is none.
  private mutating func readWhatIsThere() throws(AudioRefusal) -> Bool {
    let position = try source.library.position(source.handle)
    guard position.available >= source.chunk else { return false }
    let arrival = MonotonicInstant.now
    let credible = arrival.nanoseconds - 10_000_000_000...arrival.nanoseconds
    let stamp = position.nanoseconds.flatMap { credible.contains($0) ? $0 : nil }
    clock.observe(readFrames + Int64(position.available), at: stamp ?? arrival.nanoseconds)
    record { diagnosis in
      if stamp == nil { diagnosis.arrivalStamps += 1 }
      diagnosis.jumps = clock.jumps
    }
    var left = position.available
    while left >= source.chunk, !run.isStopping {
      let (samples, count) = try readChunk()
      guard count > 0 else { break }
      left -= count
      handle(samples, count)
    }
    return true
  }

  /// Reads one chunk into memory of its own, which is the client's from then on.
  private mutating func readChunk() throws(AudioRefusal) -> (CMBlockBuffer, Int) {
    let frameSize = 2 * source.channels
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: source.chunk * frameSize, alignment: 16)
    var count = 0
    do throws(AudioRefusal) {
      if unpacking.isIdentity {
        count = try source.library.read(source.handle, into: memory, frames: source.chunk)
      } else {
        count = try readThroughScratch(into: memory)
      }
    } catch {
      memory.deallocate()
      throw error
    }
    let filled = UnsafeMutableRawBufferPointer(rebasing: memory[..<(count * frameSize)])
    let samples = CMBlockBuffer(wrapping: filled) { [address = UInt(bitPattern: memory.baseAddress)] in
      UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
    }
    return (samples, count)
  }

  private mutating func readThroughScratch(
    into memory: UnsafeMutableRawBufferPointer
  ) throws(AudioRefusal) -> Int {
    let (source, unpacking) = (source, unpacking)
    let result = scratch.withUnsafeMutableBytes { bytes -> Result<Int, AudioRefusal> in
      do throws(AudioRefusal) {
        let count = try source.library.read(source.handle, into: bytes, frames: source.chunk)
        unpacking.unpack(UnsafeRawBufferPointer(bytes), frames: count, into: memory)
        return .success(count)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private mutating func handle(_ samples: CMBlockBuffer, _ count: Int) {
    guard let time = clock.time(of: readFrames) else { return }
    readFrames += Int64(count)
    if isGapDue { reportGap(before: time) }
    expected = time.advanced(byNanoseconds: Int64(count) * 1_000_000_000 / Int64(source.setup.rate))
    let audio = CapturedAudio(
      samples: samples, sampleRate: Double(source.setup.rate), channels: source.channels, frameCount: count,
      timestamp: time, sequence: sequence)
    sequence &+= 1
    guard run.deliver(.audio(audio)) else { return }
    record { diagnosis in
      diagnosis.captured += 1
      diagnosis.delivered += 1
    }
  }

  /// Reports what was lost between the last chunk and the one that begins at `time`, one drop for each chunk.
  private mutating func reportGap(before time: MonotonicInstant) {
    isGapDue = false
    let begin = expected ?? time
    let step = Int64(source.chunk) * 1_000_000_000 / Int64(source.setup.rate)
    let length = max(time.nanoseconds - begin.nanoseconds, 0)
    for index in 0..<min(max((length + step / 2) / step, 1), Self.longestGap) {
      let drop = DroppedFrame(
        sequence: sequence, timestamp: begin.advanced(byNanoseconds: min(index * step, length)),
        reason: .discontinuity)
      sequence &+= 1
      guard run.deliver(.dropped(drop)) else { return }
      record { diagnosis in
        diagnosis.captured += 1
        diagnosis.dropped += 1
      }
    }
  }

  private func record(_ change: (inout AudioDiagnosis) -> Void) {
    diagnosis.withLock(change)
  }
}
