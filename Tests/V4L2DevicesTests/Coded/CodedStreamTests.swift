import CaptureDevice
import CaptureDeviceTesting
import CoreMedia
import Foundation
import Linux
import Testing
import V4L2Devices
import Waiting

@Suite("V4L2: H.264")
struct CodedStreamTests {
  /// A camera that sends a recorded stream.
  private final class Stage {
    let kernel: ScriptedKernel
    let stream: any CaptureStream
    let log: EventLog
    let recording: H264Stream
    private var sent = 0

    init(
      _ name: String = "once", buffers: Int = 4, keepsFrames: Bool = false,
      _ change: (inout KernelCamera) -> Void = { _ in }
    ) throws {
      recording = try H264Stream(name)
      var camera = KernelCamera.plain(.h264, 64, 48)
      change(&camera)
      kernel = ScriptedKernel([camera])
      stream = try kernel.camera().open(.h264, bufferCount: buffers)
      log = EventLog(keepsFrames: keepsFrames)
      try stream.start(log.receive)
    }

    /// Sends the next picture of the recording, or what `change` makes of it; waits until the stream has reported what became of it.
    func send(_ change: (inout ScriptedKernel.Exposure) -> Void = { _ in }) throws {
      var exposure = ScriptedKernel.Exposure(bytes: recording.accessUnits[sent % 12])
      change(&exposure)
      sent += 1
      let reported = log.now.order.count + Int(exposure.skipping)
      kernel.expose("/dev/video0", exposure)
      try #require(log.wait { $0.order.count > reported })
    }

    func send(_ count: Int) throws {
      for _ in 0..<count { try send() }
    }

    /// Ends the stream; every frame was reported.
    func end() {
      stream.stop()
      let diagnosis = (stream as? V4L2Stream)?.diagnosis
      let now = log.now
      #expect(diagnosis?.captured == now.order.count)
      #expect(diagnosis?.delivered == now.sequences.count && diagnosis?.dropped == now.drops.count)
    }
  }

  private static let keyFrameButton = VideoControlDescription(0, 0, kind: .button)

  @Test(arguments: ["every-key-frame", "once"])
  func `pictures are the driver's own memory, and go back to it`(_ name: String) throws {
    let stage = try Stage(name, keepsFrames: true)
    for number in 0..<12 {
      try stage.send()
      let frame = try #require(stage.log.now.frames.last)
      guard case .coded(let picture) = frame.picture else { throw ScriptedKernel.Missing.picture }
      var pointer: UnsafeMutablePointer<CChar>?
      #expect(
        CMBlockBufferGetDataPointer(
          picture.data, atOffset: 0, lengthAtOffsetOut: nil, totalLengthOut: nil, dataPointerOut: &pointer)
          == kCMBlockBufferNoErr)
      let address = UInt(bitPattern: pointer)
      #expect(stage.kernel.mappedAddresses.contains { address &- $0 < 64 })
      #expect(nalUnits(picture.data.bytes) == stage.recording.slices[number])
      #expect(picture.isKeyFrame == (number % 6 == 0))
      #expect(stage.kernel.queuedCount() == 5)
      stage.log.releaseFrames()
    }
    #expect(stage.log.now.sequences == Array(0..<12) && stage.log.now.drops.isEmpty)
    stage.end()
  }

  @Test func `a stream begins with a key frame`() throws {
    let stage = try Stage("every-key-frame")
    for number in 2..<8 {
      try stage.send { $0.bytes = stage.recording.accessUnits[number] }
    }
    #expect(stage.log.now.order == [-1, -2, -3, -4, 4, 5])
    #expect(stage.log.now.drops.allSatisfy { $0.reason == .discontinuity })
    stage.end()
  }

  @Test func `after a loss every frame up to the next key frame is a loss`() throws {
    for loss in 0..<4 {
      let stage = try Stage()
      try stage.send(2)
      try stage.send { exposure in
        switch loss {
        case 0: exposure.isBroken = true
        case 1: exposure.bytes = exposure.bytes.map { Array($0.dropFirst(5)) }
        case 2: exposure.usedBytes = 0
        default: exposure.skipping = 2
        }
      }
      try stage.send(3)
      let beforeKey = stage.log.now.order
      #expect(beforeKey.prefix(2) == [0, 1] && beforeKey.dropFirst(2).allSatisfy { $0 < 0 })
      #expect(stage.log.now.drops.allSatisfy { $0.reason == .discontinuity })
      try stage.send(3)
      let (key, drops) = (loss == 3 ? UInt32(8) : 6, stage.log.now.drops.map(\.sequence))
      #expect(stage.log.now.sequences == [0, 1, key, key + 1, key + 2])
      #expect(drops == Array(2..<key))
      stage.end()
    }
  }

  @Test func `when clients hold every buffer, what follows waits for a key frame too`() throws {
    let stage = try Stage(buffers: 2, keepsFrames: true)
    try stage.send(3)
    #expect(stage.log.now.drops.map(\.reason) == [.outOfBuffers])
    stage.log.releaseFrames()
    #expect(stage.kernel.isQueued(4))
    try stage.send(3)
    #expect(stage.log.now.drops.map(\.reason) == [.outOfBuffers] + Array(repeating: .discontinuity, count: 3))
    try stage.send()
    #expect(stage.log.now.sequences == [0, 1, 6])
    stage.log.releaseFrames()
    stage.end()
  }

  @Test func `parameter sets in a buffer of their own are no frame, and leave no gap in the numbers`() throws
  {
    let stage = try Stage()
    let sets = annexB(stage.recording.parameterSets)
    stage.kernel.expose("/dev/video0", .init(bytes: sets))
    try stage.send { $0.bytes = annexB(stage.recording.slices[0]) }
    stage.kernel.expose("/dev/video0", .init(bytes: sets))
    try stage.send()
    #expect(stage.log.now.order == [0, 1])
    #expect(stage.kernel.isQueued(6))
    stage.end()
  }

  @Test func `a driver that makes key frames on demand is asked at the start and once for each loss`() throws
  {
    let stage = try Stage { $0.controls[.forceKeyFrame] = Self.keyFrameButton }
    let asked = { stage.kernel.device("/dev/video0") { $0.writes.count { $0 == .forceKeyFrame } } }
    try stage.send(2)
    #expect(asked() == 1)
    try stage.send { $0.isBroken = true }
    try stage.send(2)
    #expect(asked() == 2)
    try stage.send(2)
    #expect(stage.log.now.sequences == [0, 1, 6])
    try stage.send { $0.isBroken = true }
    #expect(asked() == 3)
    stage.end()
  }

  @Test func `a key frame that does not come is asked for again`() throws {
    let stage = try Stage("every-key-frame") { $0.controls[.forceKeyFrame] = Self.keyFrameButton }
    let asked = { stage.kernel.device("/dev/video0") { $0.writes.count { $0 == .forceKeyFrame } } }
    for _ in 0..<29 { try stage.send { $0.bytes = stage.recording.accessUnits[1] } }
    #expect(asked() == 1)
    for _ in 0..<3 { try stage.send { $0.bytes = stage.recording.accessUnits[1] } }
    #expect(asked() == 2)
    stage.end()
  }

  @Test func `a photo is refused with the reason`() throws {
    let stage = try Stage()
    let outcome = Monitor<Result<CapturedFrame, CaptureDeviceError>?>(nil)
    stage.stream.captureStill(StillRequest(size: FrameSize(width: 64, height: 48))) { result in
      outcome.withLock { $0 = result }
    }
    let error = #expect(throws: CaptureDeviceError.self) { try outcome.withLock { $0 }?.get() }
    #expect(error?.code == .formatUnsupported && error?.message.contains("H.264") == true)
    stage.end()
  }

  // MARK: Discovery

  @Test func `H.264 is listed without photos, and is not what photos are best of`() throws {
    var camera = KernelCamera.webcam()
    camera.modes.append(camera.modes[0])
    camera.modes[2].format = .h264
    camera.modes[2].sizes = [.one(VideoSize(64, 48)), .one(VideoSize(128, 96))]
    let facts = try ScriptedKernel([camera]).camera().facts
    let coded = facts.formats.filter { $0.encoding == .h264 }
    #expect(coded.map(\.size.width) == [64, 128])
    #expect(coded.allSatisfy { $0.stillSizes.isEmpty && !$0.isPhotoQuality })
    #expect(facts.formats.filter(\.isPhotoQuality).map(\.size.width) == [64, 64])
    #expect(facts.formats.map(\.size.width) == [32, 32, 64, 64, 64, 128])
    #expect(facts.formats[2].encoding == .h264, "of least use comes first")
    #expect(facts.unreadableFormats.isEmpty)
  }

  @Test(arguments: [false, true])
  func `H.264 at a node of its own belongs to the camera, and is streamed from there`(
    comesFirst: Bool
  ) throws {
    let pictures = FoldingTests.node("Webcam", index: comesFirst ? 2 : 0, [.mjpeg, .yuyv])
    let coded = FoldingTests.node("Webcam", index: comesFirst ? 0 : 2, [.h264])
    let kernel = ScriptedKernel(comesFirst ? [coded, pictures] : [pictures, coded])
    let provider = V4L2DeviceProvider(kernel: kernel)
    let camera = try #require(provider.cameras().first)
    #expect(provider.cameras().count == 1 && camera.path == "/dev/video0")
    #expect(Set(camera.facts.formats.map(\.encoding)).count == 3)
    let (codedPath, otherPath) =
      comesFirst ? ("/dev/video0", "/dev/video1") : ("/dev/video1", "/dev/video0")
    for (encoding, path) in [(FrameEncoding.h264, codedPath), (.motionJPEG, otherPath)] {
      let stream = try camera.open(encoding)
      #expect(kernel.device(path) { $0.owner != nil } == true)
      stream.stop()
    }
    kernel.force(.setLayout, EBUSY)
    let error = #expect(throws: CaptureDeviceError.self) { try camera.open(.h264) }
    #expect(error?.message.contains(codedPath) == true)
    #expect(provider.cameras().first === camera, "nothing has changed")
  }
}
