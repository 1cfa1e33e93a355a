import CaptureDevice
import CaptureDeviceTesting
import CoreVideo
import Foundation
import Linux
import Testing
import V4L2Devices
import Waiting

// What becomes of the maps: memory, numbers, drops.
extension DepthTests {
  @Test func `a map is the driver's own memory, in its unit, with the driver's stamp`() throws {
    let kernel = ScriptedKernel(KernelCamera.depthCamera())
    let stream = try kernel.camera().openDepth()
    let log = EventLog(keepsFrames: true)
    try stream.start(log.receive)
    let stamp = MonotonicInstant.now.nanoseconds - 5_000_000
    let distances = (0..<32 * 24).flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    kernel.expose(depth, .init(bytes: distances, stamp: stamp))
    kernel.expose(colour)
    #expect(log.wait { $0.maps.count == 1 && $0.frames.count == 1 })
    let map = try #require(log.now.maps.first)
    #expect(kernel.mappedAddresses.contains(map.address))
    #expect(CVPixelBufferGetPixelFormatType(map.map) == kCVPixelFormatType_OneComponent16)
    #expect(CVPixelBufferGetWidth(map.map) == 32 && CVPixelBufferGetHeight(map.map) == 24)
    #expect(CVPixelBufferGetBytesPerRow(map.map) == 64)
    #expect(map.map.planes[0].row(23).load(fromByteOffset: 62, as: UInt16.self) == 32 * 24 - 1)
    #expect(map.metresPerUnit == 0.001 && map.timestamp.nanoseconds == stamp && map.sequence == 0)
    let picture = try #require(log.now.frames.first?.address ?? 1)
    #expect(picture != map.address)
    stream.stop()
  }

  @Test func `the last reference to a map gives its buffer back to the driver`() throws {
    let kernel = ScriptedKernel(KernelCamera.depthCamera())
    let stream = try kernel.camera().openDepth(bufferCount: 3)
    #expect(stream.configuration.depth?.bufferCount == 3)
    let log = EventLog(keepsFrames: true)
    try stream.start(log.receive)
    #expect(kernel.queuedCount(depth) == 5 && kernel.queuedCount(colour) == 6)
    kernel.expose(depth)
    #expect(log.wait { $0.maps.count == 1 })
    #expect(kernel.queuedCount(depth) == 4)
    log.releaseMaps()
    #expect(kernel.isQueued(5, depth))
    stream.stop()
  }

  @Test func `maps count for themselves, and each gap is reported as drops in their order`() throws {
    let kernel = ScriptedKernel(KernelCamera.depthCamera())
    let stream = try kernel.camera().openDepth()
    let log = EventLog()
    try stream.start(log.receive)
    kernel.expose(depth)
    #expect(log.wait { $0.mapOrder.count == 1 })
    kernel.expose(depth, .init(skipping: 2))
    kernel.expose(colour)
    try #require(log.wait { $0.mapOrder.count == 4 && $0.order.count == 1 })
    stream.stop()
    let seen = log.now
    try #require(seen.mapOrder == [0, -2, -3, 3] && seen.order == [0])
    #expect(seen.mapDrops.allSatisfy { $0.reason == .discontinuity })
    let times = seen.mapDrops.map(\.timestamp)
    #expect(
      times == times.sorted() && times.allSatisfy { seen.mapTimes[0] < $0 && $0 < seen.mapTimes[1] })
    let diagnosis = try #require((stream as? V4L2Stream)?.depthDiagnosis)
    #expect(diagnosis.captured == 4 && diagnosis.delivered == 2 && diagnosis.droppedDiscontinuity == 2)
    #expect((stream as? V4L2Stream)?.diagnosis.captured == 1)
  }

  static let brokenMaps: [ScriptedKernel.Exposure] = [
    .init(isBroken: true), .init(usedBytes: 0), .init(usedBytes: 32 * 24 * 2 - 1),
    .init(usedBytes: 1_000_000),
  ]

  @Test(arguments: brokenMaps.indices)
  func `a map that is marked broken, empty, short or too long is dropped`(_ index: Int) throws {
    let kernel = ScriptedKernel(KernelCamera.depthCamera())
    let stream = try kernel.camera().openDepth()
    let log = EventLog()
    try stream.start(log.receive)
    kernel.expose(depth, Self.brokenMaps[index])
    kernel.expose(depth)
    #expect(log.wait { $0.mapOrder == [-1, 1] })
    #expect(log.now.mapDrops.first?.reason == .discontinuity && log.now.drops.isEmpty)
    #expect(kernel.isQueued(6, depth))
    stream.stop()
  }

  @Test func `who holds every map loses maps and no pictures, and gets maps again when it lets go`() throws {
    let kernel = ScriptedKernel(KernelCamera.depthCamera())
    let stream = try kernel.camera().openDepth(bufferCount: 2)
    let log = EventLog(keepsFrames: true)
    try stream.start(log.receive)
    for number in 1...4 {
      kernel.expose(depth)
      #expect(log.wait { $0.mapOrder.count == number })
    }
    kernel.expose(colour)
    #expect(log.wait { $0.order == [0] })
    #expect(log.now.mapOrder == [0, 1, -3, -4])
    #expect(log.now.mapDrops.allSatisfy { $0.reason == .outOfBuffers })
    log.releaseMaps(1)
    kernel.expose(depth)
    #expect(log.wait { $0.mapOrder == [0, 1, -3, -4, 4] })
    stream.stop()
    let diagnosis = try #require((stream as? V4L2Stream)?.depthDiagnosis)
    #expect(diagnosis.captured == 5 && diagnosis.delivered == 3 && diagnosis.droppedOutOfBuffers == 2)
  }

  @Test func `a driver with few buffers grants few maps, and still streams`() throws {
    let kernel = ScriptedKernel(KernelCamera.depthCamera { depth, _ in depth.mostBuffers = 3 })
    let stream = try kernel.camera().openDepth(bufferCount: 8)
    #expect(stream.configuration.depth?.bufferCount == 1 && stream.configuration.bufferCount == 4)
    let log = EventLog()
    try stream.start(log.receive)
    for number in 1...5 {
      kernel.expose(depth)
      #expect(log.wait { $0.mapOrder.count == number })
    }
    stream.stop()
    #expect(log.now.mapOrder == [0, 1, 2, 3, 4])
  }

  @Test func `maps outlive the stream and the device, and then give their memory back`() throws {
    let kernel = ScriptedKernel(KernelCamera.depthCamera())
    let log = EventLog(keepsFrames: true)
    do {
      let stream = try kernel.camera().openDepth()
      try stream.start(log.receive)
      kernel.expose(depth)
      #expect(log.wait { $0.maps.count == 1 })
      stream.stop()
    }
    #expect(kernel.waits { $0.handles.isEmpty && $0.mapped.count == 1 })
    #expect(log.now.maps.first?.map.planes[0].row(0).first == 100)
    // Both nodes are free for others although the map is still held.
    _ = try kernel.camera().openDepth()
    log.releaseMaps()
    #expect(kernel.waits { $0.mapped.count == 0 })
  }
}
