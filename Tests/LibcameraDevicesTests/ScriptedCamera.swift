import CaptureDevice
import Glibc
import LibcameraDevices
import Linux
import StreamParts

/// The script of a camera: its nature, and its deeds.
struct CameraScript: Sendable {
  var identity = CameraIdentity(
    id: "/base/soc/i2c0mux/i2c@1/imx708@1a", model: "imx708", location: .back, rotation: 90)
  var views = [FrameSize(width: 160, height: 120), FrameSize(width: 320, height: 180)]
  /// The size of its stills; `nil` for a camera that has no such stream beside another.
  var full: FrameSize? = FrameSize(width: 640, height: 480)
  var code = PictureCode("NV12")
  /// The code of its sensor's numbers; `nil` where they cannot be had.
  var raw: PictureCode? = PictureCode("RG10", isPacked: true)
  var ranges = CameraScript.usualRanges
  /// Why it cannot be opened.
  var refusal: Int32 = 0
  /// The most buffers that it finds memory for.
  var mostBuffers = 100
  /// The most buffers that it grants, however many are asked for.
  var mostGranted = 100
  /// The code of the sensor's numbers that it makes of the one that is asked for.
  var rawGrant: @Sendable (PictureCode) -> PictureCode = { $0 }
  /// Beside pictures of this size its stills are narrower than was asked for.
  var narrowing: FrameSize?
  /// So many bytes of its last row of pixels are behind the end of a buffer; `nil` where its memory is longer than its pixels.
  var missingBytes: Int?
  /// Whether the memory of its buffers can be mapped.
  var hasMemory = true
  var isSilent = false
  /// Whether it cancels each request at once.
  var cancelsAll = false
  /// The numbers of frames that it loses.
  var lostFrames: Set<UInt32> = []
  /// So many frames later the sensor obeys.
  var delay: UInt64 = 0
  /// What its frames tell beside what was set.
  var metadata: [LibraryControl: [Double]] = [:]
  /// The kernel's devices that are part of it.
  var nodes: Set<UInt64> = []

  static let usualRanges = [
    ControlRange(.aeEnable, 0...1), ControlRange(.exposureValue, -8...8),
    ControlRange(.exposureTime, 26...220_000), ControlRange(.analogueGain, 1...16),
    ControlRange(.frameDurationLimits, 16_666...250_000), ControlRange(.awbEnable, 0...1),
    ControlRange(.awbMode, 0...7), ControlRange(.colourGains, 0...32), ControlRange(.brightness, -1...1),
    ControlRange(.noiseReduction, 0...4, values: [0, 1, 2]), ControlRange(.afMode, 0...2, values: [0, 1, 2]),
    ControlRange(.afRange, 0...2, values: [0, 1, 2]), ControlRange(.afSpeed, 0...1, values: [0, 1]),
    ControlRange(.afMetering, 0...1, values: [0, 1]), ControlRange(.afTrigger, 0...1),
    ControlRange(.afWindows, least: [0, 0, 0, 0], greatest: [65535, 65535, 65535, 65535]),
    ControlRange(.lensPosition, 0...10),
    ControlRange(.scalerCrop, least: [0, 0, 64, 48], greatest: [0, 0, 4608, 2592]),
  ]
}

/// A camera of a ``ScriptedLibrary``, whose frames come in real time.
final class ScriptedCamera: LibraryCamera {
  let script: CameraScript
  private let state = Monitor(State())

  private struct State {
    var isOpen = false
    var sets: [ControlValue] = []
    var opened: [[CameraStream]] = []
    var requestCount = 0
    var metadata: [LibraryControl: [Double]] = [:]
  }

  init(_ script: CameraScript = CameraScript()) {
    self.script = script
    state.withLock { $0.metadata = script.metadata }
  }

  var identity: CameraIdentity { script.identity }

  /// Everything that was set, in order.
  var sets: [ControlValue] { state.withLock { $0.sets } }
  /// The streams of each opening.
  var opened: [[CameraStream]] { state.withLock { $0.opened } }
  var isOpen: Bool { state.withLock { $0.isOpen } }
  /// How many frames were asked for.
  var requestCount: Int { state.withLock { $0.requestCount } }

  /// What frames tell from now on beside what was set.
  func tell(_ control: LibraryControl, _ numbers: [Double]) {
    state.withLock { $0.metadata[control] = numbers }
  }

  var told: [LibraryControl: [Double]] { state.withLock { $0.metadata } }

  /// Waits until something was set; `nil` when it is not within half a minute.
  func wait(_ condition: ([ControlValue]) -> Bool) -> [ControlValue]? {
    state.wait(
      until: .now.advanced(byNanoseconds: 30_000_000_000), for: { condition($0.sets) }, then: { $0.sets })
  }

  func note(_ settings: [ControlValue]) { state.withLock { $0.sets += settings } }

  func noteRequest() { state.withLock { $0.requestCount += 1 } }

  func note(isOpen: Bool) { state.withLock { $0.isOpen = isOpen } }

  // MARK: LibraryCamera

  func isSame(as other: any LibraryCamera) -> Bool { other === self }

  func nodes(among numbers: [UInt64]) -> [UInt64] { numbers.filter(script.nodes.contains) }

  func formats(for use: StreamUse) -> [CameraStream] {
    switch use {
    case .view:
      return ([script.full].compactMap(\.self) + script.views).map { CameraStream(.view, script.code, $0) }
    case .still: return script.full.map { [CameraStream(.still, script.code, $0)] } ?? []
    case .raw:
      guard let raw = script.raw else { return [] }
      return [CameraStream(.raw, raw, FrameSize(width: 768, height: 432))]
    }
  }

  func check(_ streams: [CameraStream]) -> [CameraStream]? {
    guard streams.allSatisfy({ $0.use != .still || script.full != nil }) else { return nil }
    let isNarrowing = streams.contains { $0.use == .view && $0.size == script.narrowing }
    return streams.map { stream in
      var granted = stream
      granted.buffers = min(stream.buffers, script.mostGranted)
      if stream.use == .raw { granted.code = script.rawGrant(stream.code) }
      if stream.use == .still, isNarrowing { granted.size.width -= 16 }
      let padded = (stream.size.width + 63) / 64 * 64
      granted.bytesPerRow =
        granted.code.mosaic?.rowBytes(width: stream.size.width)
        ?? (stream.code.letters == "XR24" ? 4 * padded : padded)
      return granted
    }
  }

  func open(
    _ streams: [CameraStream], completed: @escaping @Sendable (RequestCompletion) -> Void
  ) throws(LibraryRefusal) -> any CameraSession {
    if script.refusal != 0 { throw LibraryRefusal(script.refusal) }
    guard let granted = check(streams) else { throw LibraryRefusal(EINVAL) }
    if granted.contains(where: { $0.buffers > script.mostBuffers }) { throw LibraryRefusal(ENOMEM) }
    let wasOpen = state.withLock { state in
      defer { state.isOpen = true }
      return state.isOpen
    }
    if wasOpen { throw LibraryRefusal(EBUSY) }
    state.withLock { $0.opened.append(granted) }
    return ScriptedSession(self, granted, completed)
  }
}
