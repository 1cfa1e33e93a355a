import CaptureDevice
import CaptureDeviceTesting
import CoreMedia
import CoreVideo
import Foundation
import Linux
import Testing
import V4L2Devices
import Waiting

@Suite("V4L2: streaming")
struct StreamingTests {
  @Test func `a frame is the driver's own memory`() throws {
    let kernel = ScriptedKernel([.plain(.yuyv)])
    let stream = try kernel.camera().open()
    let log = EventLog(keepsFrames: true)
    try stream.start(log.receive)
    kernel.expose()
    #expect(log.wait { $0.frames.count == 1 })
    let address = try #require(log.now.frames.first?.address)
    #expect(kernel.mappedAddresses.contains(address))
    guard case .pixels(let buffer)? = log.now.frames.first?.picture else {
      throw ScriptedKernel.Missing.picture
    }
    #expect(CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_422YpCbCr8_yuvs)
    #expect(CVPixelBufferGetWidth(buffer) == 32 && CVPixelBufferGetHeight(buffer) == 16)
    #expect(CVPixelBufferGetBytesPerRow(buffer) == 64)
    stream.stop()
  }

  @Test func `the last reference to a frame gives its buffer back to the driver`() throws {
    let kernel = ScriptedKernel([.plain(.yuyv)])
    let stream = try kernel.camera().open(bufferCount: 3)
    let log = EventLog(keepsFrames: true)
    try stream.start(log.receive)
    #expect(kernel.queuedCount() == 5)
    kernel.expose()
    #expect(log.wait { $0.frames.count == 1 })
    #expect(kernel.queuedCount() == 4)
    log.releaseFrames()
    #expect(kernel.isQueued(5))
    stream.stop()
  }

  @Test func `NV12 comes as two planes in one piece of memory`() throws {
    let kernel = ScriptedKernel([.plain(.nv12)])
    let stream = try kernel.camera().open()
    let log = EventLog(keepsFrames: true)
    try stream.start(log.receive)
    kernel.expose()
    #expect(log.wait { $0.frames.count == 1 })
    guard case .pixels(let buffer)? = log.now.frames.first?.picture else {
      throw ScriptedKernel.Missing.picture
    }
    #expect(CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
    #expect(buffer.planes[1].baseAddress - buffer.planes[0].baseAddress == 32 * 16)
    #expect(buffer.planes[1].width == 16 && buffer.planes[1].height == 8)
    #expect(
      CVBufferCopyAttachment(buffer, kCVImageBufferYCbCrMatrixKey, nil) as? String
        == kCVImageBufferYCbCrMatrix_ITU_R_601_4 as String)
    stream.stop()
  }

  @Test func `a JPEG picture is the bytes that the camera used and no more`() throws {
    let kernel = ScriptedKernel([.plain(.mjpeg)])
    let stream = try kernel.camera().open(.motionJPEG)
    let log = EventLog(keepsFrames: true)
    try stream.start(log.receive)
    kernel.expose()
    #expect(log.wait { $0.frames.count == 1 })
    guard case .jpeg(let block, let size)? = log.now.frames.first?.picture else {
      throw ScriptedKernel.Missing.picture
    }
    #expect(CMBlockBufferGetDataLength(block) == 60)
    #expect(size == FrameSize(width: 32, height: 16))
    stream.stop()
  }

  @Test func `numbers begin at 0 and every gap is reported as drops in order`() throws {
    let kernel = ScriptedKernel([.plain(.yuyv)])
    let stream = try kernel.camera().open()
    let log = EventLog()
    try stream.start(log.receive)
    kernel.expose()
    #expect(log.wait { $0.sequences.count == 1 })
    kernel.expose("/dev/video0", .init(skipping: 3))
    #expect(log.wait { $0.sequences.count == 2 })
    stream.stop()
    let seen = log.now
    try #require(seen.order == [0, -2, -3, -4, 4])
    #expect(seen.drops.allSatisfy { $0.reason == .discontinuity })
    let times = seen.drops.map(\.timestamp)
    #expect(times == times.sorted() && times.allSatisfy { seen.times[0] < $0 && $0 < seen.times[1] })
  }

  @Test func `a client that holds every frame gets drops, and frames again when it lets go`() throws {
    let kernel = ScriptedKernel([.plain(.yuyv)])
    let stream = try kernel.camera().open(bufferCount: 2)
    let log = EventLog(keepsFrames: true)
    try stream.start(log.receive)
    for number in 1...5 {
      kernel.expose()
      #expect(log.wait { $0.order.count == number })
    }
    #expect(log.now.sequences == [0, 1])
    #expect(log.now.drops.map(\.sequence) == [2, 3, 4])
    #expect(log.now.drops.allSatisfy { $0.reason == .outOfBuffers })
    log.releaseFrames(1)
    kernel.expose()
    #expect(log.wait { $0.sequences == [0, 1, 5] })
    stream.stop()
    let diagnosis = try #require((stream as? V4L2Stream)?.diagnosis)
    #expect(diagnosis.captured == 6 && diagnosis.delivered == 3 && diagnosis.dropped == 3)
  }

  static let brokenFrames: [ScriptedKernel.Exposure] = [
    .init(isBroken: true), .init(usedBytes: 0), .init(usedBytes: 1023), .init(usedBytes: 1_000_000),
  ]

  @Test(arguments: brokenFrames.indices)
  func `a frame that is marked broken, empty, short or too long is dropped`(_ index: Int) throws {
    let kernel = ScriptedKernel([.plain(.yuyv)])
    let stream = try kernel.camera().open()
    let log = EventLog()
    try stream.start(log.receive)
    kernel.expose("/dev/video0", Self.brokenFrames[index])
    kernel.expose()
    #expect(log.wait { $0.order == [-1, 1] })
    #expect(log.now.drops.first?.reason == .discontinuity)
    #expect(kernel.isQueued(6))
    stream.stop()
  }

  @Test func `frames outlive the stream and the device, and then give their memory back`() throws {
    let kernel = ScriptedKernel([.plain(.yuyv)])
    let log = EventLog(keepsFrames: true)
    do {
      let stream = try kernel.camera().open()
      try stream.start(log.receive)
      kernel.expose()
      kernel.expose()
      #expect(log.wait { $0.frames.count == 2 })
      stream.stop()
    }
    #expect(kernel.waits { $0.handles.count == 0 })
    #expect(kernel.waits { $0.mapped.count == 2 })
    #expect(log.now.frames.map(\.firstByte) == [100, 101])
    // The device is free for others although frames are still held.
    _ = try kernel.camera().open()
    log.releaseFrames()
    #expect(kernel.waits { $0.mapped.count == 0 })
  }

  @Test func `a second start counts from 0 and takes up frames held meanwhile`() throws {
    let kernel = ScriptedKernel([.plain(.yuyv)])
    let stream = try kernel.camera().open()
    let first = EventLog(keepsFrames: true)
    try stream.start(first.receive)
    kernel.expose()
    kernel.expose()
    #expect(first.wait { $0.frames.count == 2 })
    stream.stop()
    let second = EventLog()
    try stream.start(second.receive)
    #expect(kernel.queuedCount() == 4)
    #expect(first.now.frames.map(\.firstByte) == [100, 101])
    first.releaseFrames()
    #expect(kernel.isQueued(6))
    kernel.expose()
    #expect(second.wait { $0.sequences == [0] })
    stream.stop()
  }

  @Test func `stamps are the driver's, or the arrival when they cannot be right`() throws {
    let kernel = ScriptedKernel([.plain(.yuyv)])
    let stream = try kernel.camera().open()
    let log = EventLog()
    try stream.start(log.receive)
    let stamp = MonotonicInstant.now.nanoseconds - 5_000_000
    kernel.expose("/dev/video0", .init(stamp: stamp))
    let before = MonotonicInstant.now
    kernel.expose("/dev/video0", .init(stamp: .some(nil)))
    kernel.expose("/dev/video0", .init(stamp: 1_700_000_000_000_000_000))
    try #require(log.wait { $0.times.count == 3 })
    let times = log.now.times
    #expect(times[0].nanoseconds == stamp)
    #expect(times[1] >= before && times[2] > times[1] && times[2] <= .now)
    stream.stop()
    #expect((stream as? V4L2Stream)?.diagnosis.arrivalStamps == 2)
  }

  @Test func `a buffer that the driver refuses once is offered again`() throws {
    let kernel = ScriptedKernel([.plain(.yuyv)])
    let stream = try kernel.camera().open()
    let log = EventLog()
    try stream.start(log.receive)
    kernel.force(.enqueue, EINVAL, times: 1)
    kernel.expose()
    #expect(log.wait { $0.sequences.count == 1 })
    kernel.expose()
    #expect(log.wait { $0.sequences.count == 2 })
    #expect(kernel.isQueued(6))
    stream.stop()
    #expect((stream as? V4L2Stream)?.diagnosis.refusedReturns == 1)
  }

  @Test func `the rate of a running stream changes where the driver can do it`() throws {
    var camera = KernelCamera.webcam()
    let stubborn = try ScriptedKernel([camera]).camera().open()
    try stubborn.start { _ in }
    let error = #expect(throws: CaptureDeviceError.self) {
      try stubborn.setFrameDuration(FrameDuration(1, 15))
    }
    #expect(error?.code == .formatUnsupported)
    stubborn.stop()

    camera.changesDurationLive = true
    let stream = try ScriptedKernel([camera]).camera().open()
    try stream.start { _ in }
    #expect(try stream.setFrameDuration(FrameDuration(1, 15)) == FrameDuration(1, 15))
    #expect(stream.configuration.frameDuration == FrameDuration(1, 15))
    stream.stop()
  }
}
