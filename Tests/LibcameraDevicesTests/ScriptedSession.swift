import CaptureDevice
import Glibc
import LibcameraDevices
import Linux
import Testing

/// An open scripted camera: it completes the oldest request each time that a frame is due.
///
/// The bytes of a frame are its number.
final class ScriptedSession: CameraSession {
  private struct State {
    var queued: [FrameRequest] = []
    var settings: [LibraryControl: [Double]] = [:]
    /// What the sensor will obey, and from which request on.
    var obeyed: [(cookie: UInt64, settings: [LibraryControl: [Double]])] = []
    var isRunning = false
    var number: UInt32 = 0
  }

  let streams: [CameraStream]
  let ranges: [ControlRange]
  private let camera: ScriptedCamera
  private let completed: @Sendable (RequestCompletion) -> Void
  private let state = Monitor(State())
  private let files: [StreamUse: [Descriptor]]
  private let thread = Locked<ReaderThread?>(nil)

  init(
    _ camera: ScriptedCamera, _ streams: [CameraStream],
    _ completed: @escaping @Sendable (RequestCompletion) -> Void
  ) {
    self.camera = camera
    self.streams = streams
    self.completed = completed
    ranges = camera.script.ranges
    files = Dictionary(
      uniqueKeysWithValues: streams.map { stream in
        (stream.use, (0..<stream.buffers).map { _ in Self.memory(Self.size(of: stream)) })
      })
  }

  private static func size(of stream: CameraStream) -> Int {
    stream.bytesPerRow * stream.size.height * (stream.use == .raw ? 2 : 3) / 2
  }

  private static func memory(_ size: Int) -> Descriptor {
    var path = Array("/dev/shm/frame-XXXXXX\0".utf8.map(CChar.init(bitPattern:)))
    let number = mkstemp(&path)
    unlink(path)
    if number < 0 || ftruncate(number, off_t(size)) != 0 { Issue.record("There is no shared memory.") }
    return Descriptor(adopting: number)
  }

  func planes(_ use: StreamUse, _ index: Int) -> [BufferPlane] {
    guard let file = files[use]?[index].number, let stream = streams.first(where: { $0.use == use }) else {
      return []
    }
    if !camera.script.hasMemory { return [BufferPlane(descriptor: -1, offset: 0, length: 4096)] }
    let size = Self.size(of: stream)
    let luma = stream.bytesPerRow * stream.size.height
    switch stream.code.letters {
    case "NV12":
      return [
        BufferPlane(descriptor: file, offset: 0, length: luma),
        BufferPlane(descriptor: file, offset: luma, length: length(stream, size - luma, stream.size.width)),
      ]
    case "XR24":
      return [BufferPlane(descriptor: file, offset: 0, length: length(stream, luma, 4 * stream.size.width))]
    default: return [BufferPlane(descriptor: file, offset: 0, length: size)]
    }
  }

  /// The length of a plane of `size` whose rows have so many bytes of pixels.
  private func length(_ stream: CameraStream, _ size: Int, _ rowBytes: Int) -> Int {
    camera.script.missingBytes.map { size - stream.bytesPerRow + rowBytes - $0 } ?? size
  }

  func start(_ values: [ControlValue]) throws(LibraryRefusal) {
    camera.note(values)
    state.withLock { state in
      state.isRunning = true
      state.settings = Dictionary(uniqueKeysWithValues: values.map { ($0.control, $0.numbers) })
      state.obeyed = []
    }
    do throws(SystemError) {
      let thread = try ReaderThread(name: "scripted-camera") { [self] in run() }
      self.thread.withLock { $0 = thread }
    } catch {
      throw LibraryRefusal(EAGAIN)
    }
  }

  func queue(_ request: FrameRequest) throws(LibraryRefusal) {
    camera.note(request.settings)
    camera.noteRequest()
    if camera.script.cancelsAll { return cancel([request]) }
    state.withLock { $0.queued.append(request) }
  }

  func stop() {
    let cancelled = state.withLock { state in
      state.isRunning = false
      defer { state.queued = [] }
      return state.queued
    }
    thread.withLock { $0 = nil }
    cancel(cancelled)
  }

  private func cancel(_ requests: [FrameRequest]) {
    for request in requests {
      completed(
        RequestCompletion(
          cookie: request.cookie, isCancelled: true,
          buffers: request.buffers.map { .init(use: $0.key, index: $0.value, number: 0, time: 0) }))
    }
  }

  func close() { camera.note(isOpen: false) }

  // MARK: Frames

  private func run() {
    var isOver = false
    while !isOver {
      let limits = state.withLock { $0.settings[.frameDurationLimits] }
      let due = MonotonicInstant.now.advanced(byNanoseconds: Int64((limits?.first ?? 33_333) * 1000))
      isOver = state.wait(until: due, for: { !$0.isRunning }, then: { _ in true }) ?? false
      if camera.script.isSilent { continue }
      // Late requests are late frames here: what is lost is scripted.
      _ = state.wait(for: { !$0.isRunning || !$0.queued.isEmpty }, then: { _ in })
      expose()
    }
  }

  private func expose() {
    let now = MonotonicInstant.now.nanoseconds
    let exposed = state.withLock { state -> (FrameRequest, UInt32, [LibraryControl: [Double]])? in
      guard !state.queued.isEmpty else { return nil }
      repeat { state.number += 1 } while camera.script.lostFrames.contains(state.number)
      let request = state.queued.removeFirst()
      let settings = Dictionary(uniqueKeysWithValues: request.settings.map { ($0.control, $0.numbers) })
      state.obeyed.append((request.cookie + camera.script.delay, settings))
      while let next = state.obeyed.first, next.cookie <= request.cookie {
        state.settings.merge(next.settings) { $1 }
        state.obeyed.removeFirst()
      }
      return (request, state.number, state.settings)
    }
    guard let (request, number, settings) = exposed else { return }
    for (use, index) in request.buffers { write(UInt8(truncatingIfNeeded: number), use, index) }
    completed(
      RequestCompletion(
        cookie: request.cookie, isCancelled: false,
        buffers: request.buffers.map {
          .init(use: $0.key, index: $0.value, number: number + 40, time: now)
        },
        metadata: metadata(settings), sensorTime: now))
  }

  private func metadata(_ settings: [LibraryControl: [Double]]) -> [LibraryControl: [Double]] {
    var told: [LibraryControl: [Double]] = [
      .exposureTime: [10_000], .analogueGain: [2], .colourGains: [2, 1.5],
    ]
    for control in [LibraryControl.exposureTime, .analogueGain, .colourGains, .lensPosition, .scalerCrop] {
      if let set = settings[control] { told[control] = set }
    }
    return told.merging(camera.told) { $1 }
  }

  private func write(_ byte: UInt8, _ use: StreamUse, _ index: Int) {
    guard let file = files[use]?[index].number, let stream = streams.first(where: { $0.use == use }) else {
      return
    }
    let bytes = [UInt8](repeating: byte, count: Self.size(of: stream))
    if pwrite(file, bytes, bytes.count, 0) != bytes.count { Issue.record("A frame cannot be written.") }
  }
}
