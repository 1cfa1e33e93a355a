import CaptureDevice
import CaptureDeviceTesting
import CoreVideo
import Foundation
import Linux
import Testing
import V4L2Devices

extension V4L2Camera {
  /// A stream of the first format with the depth that is taken unasked.
  func openDepth(bufferCount: Int = 4) throws -> any CaptureStream {
    guard let format = facts.formats.first, let depth = format.depthFormats.last else {
      throw ScriptedKernel.Missing.format
    }
    var configuration = StreamConfiguration(
      format: format, frameDuration: format.frameDurations[0].lowerBound, bufferCount: 4)
    configuration.depth = DepthConfiguration(
      format: depth, frameDuration: FrameDuration(1, 30), bufferCount: bufferCount)
    return try openStream(configuration)
  }
}

@Suite("V4L2: depth beside pictures")
struct DepthTests {
  /// The depth node and the colour node of ``ScriptedCamera/depthCamera(_:)``.
  private let depth = "/dev/video0"
  private let colour = "/dev/video1"

  // MARK: Facts

  @Test func `a colour camera has the depth of its device's depth node with each of its formats`() throws {
    let facts = try ScriptedKernel(ScriptedCamera.depthCamera()).camera().facts
    #expect(facts.media == [.video, .depth] && facts.uniqueID == "usb-046d:0825-A1-function-3")
    let rates = [1, 2].map { FrameDuration(1, 30 / $0) }.map { $0...$0 }
    let expected = [(16, 8), (32, 24)].flatMap { width, height in
      [kCVPixelFormatType_DepthFloat32, kCVPixelFormatType_DepthFloat16].map { format in
        DepthStreamFormat(
          size: FrameSize(width: width, height: height), pixelFormat: format, frameDurations: rates)
      }
    }
    #expect(facts.formats.count == 4 && facts.formats.allSatisfy { $0.depthFormats == expected })
    let plain = try ScriptedKernel([.webcam()]).camera().facts
    #expect(plain.media == [.video] && plain.formats.allSatisfy { $0.depthFormats.isEmpty })
  }

  @Test func `every format streams with depth, and pictures alone leave the depth node closed`() throws {
    let kernel = ScriptedKernel(ScriptedCamera.depthCamera())
    let camera = try kernel.camera()
    for format in camera.facts.formats {
      var configuration = StreamConfiguration(format: format, frameDuration: FrameDuration(1, 30))
      #expect(try camera.openStream(configuration).configuration.depth == nil)
      #expect(kernel.device(depth) { $0.layout } == .some(nil))
      for depthFormat in format.depthFormats {
        configuration.depth = DepthConfiguration(format: depthFormat, frameDuration: FrameDuration(1, 15))
        let stream = try camera.openStream(configuration)
        #expect(stream.configuration == configuration)
        #expect(kernel.openCount == 2)
        let layout = kernel.device(depth) { $0.layout }
        #expect(layout??.format == .z16 && layout??.size.width == depthFormat.size.width)
        #expect(kernel.device(depth) { $0.duration } == VideoFraction(1, 15))
        withExtendedLifetime(stream) {}
      }
      kernel.device(depth) { $0.layout = nil }
    }
    #expect(eventually { kernel.openCount == 0 && kernel.mappedCount == 0 })
  }

  @Test func `a depth format that the camera lacks is refused, and nothing stays open`() throws {
    let kernel = ScriptedKernel(ScriptedCamera.depthCamera())
    let camera = try kernel.camera()
    var configuration = StreamConfiguration(
      format: camera.facts.formats[0], frameDuration: FrameDuration(1, 30))
    var foreign = camera.facts.formats[0].depthFormats[0]
    foreign.size.width += 2
    configuration.depth = DepthConfiguration(format: foreign, frameDuration: FrameDuration(1, 30))
    let error = #expect(throws: CaptureDeviceError.self) { try camera.openStream(configuration) }
    #expect(error?.code == .formatUnsupported && kernel.openCount == 0)
  }

  @Test func `a depth node that comes or goes makes another device of the camera`() throws {
    let nodes = ScriptedCamera.depthCamera()
    let kernel = ScriptedKernel()
    kernel.plug(nodes[1], colour)
    let provider = V4L2DeviceProvider(kernel: kernel)
    let alone = try #require(provider.cameras().first)
    #expect(alone.facts.media == [.video] && provider.cameras().first === alone)
    kernel.plug(nodes[0], depth)
    let whole = try #require(provider.cameras().first)
    #expect(whole !== alone && whole.facts.media == [.video, .depth])
    #expect(whole.facts.uniqueID == alone.facts.uniqueID && provider.cameras().first === whole)
    kernel.unplug(depth)
    #expect(provider.cameras().map(\.facts.media) == [[.video]])
  }

  // MARK: Maps

  @Test func `a map is the driver's own memory, in its unit, with the driver's stamp`() throws {
    let kernel = ScriptedKernel(ScriptedCamera.depthCamera())
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
    let kernel = ScriptedKernel(ScriptedCamera.depthCamera())
    let stream = try kernel.camera().openDepth(bufferCount: 3)
    #expect(stream.configuration.depth?.bufferCount == 3)
    let log = EventLog(keepsFrames: true)
    try stream.start(log.receive)
    #expect(kernel.queuedCount(depth) == 5 && kernel.queuedCount(colour) == 6)
    kernel.expose(depth)
    #expect(log.wait { $0.maps.count == 1 })
    #expect(kernel.queuedCount(depth) == 4)
    log.releaseMaps()
    #expect(eventually { kernel.queuedCount(depth) == 5 })
    stream.stop()
  }

  @Test func `maps count for themselves, and each gap is told as drops in their order`() throws {
    let kernel = ScriptedKernel(ScriptedCamera.depthCamera())
    let stream = try kernel.camera().openDepth()
    let log = EventLog()
    try stream.start(log.receive)
    kernel.expose(depth)
    #expect(log.wait { $0.mapOrder.count == 1 })
    kernel.expose(depth, .init(skipping: 2))
    kernel.expose(colour)
    #expect(log.wait { $0.mapOrder.count == 4 && $0.order.count == 1 })
    stream.stop()
    let seen = log.now
    #expect(seen.mapOrder == [0, -2, -3, 3] && seen.order == [0])
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
    let kernel = ScriptedKernel(ScriptedCamera.depthCamera())
    let stream = try kernel.camera().openDepth()
    let log = EventLog()
    try stream.start(log.receive)
    kernel.expose(depth, Self.brokenMaps[index])
    kernel.expose(depth)
    #expect(log.wait { $0.mapOrder == [-1, 1] })
    #expect(log.now.mapDrops.first?.reason == .discontinuity && log.now.drops.isEmpty)
    #expect(eventually { kernel.queuedCount(depth) == 6 })
    stream.stop()
  }

  @Test func `who holds every map loses maps and no pictures, and gets maps again when it lets go`() throws {
    let kernel = ScriptedKernel(ScriptedCamera.depthCamera())
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
    let kernel = ScriptedKernel(ScriptedCamera.depthCamera { depth, _ in depth.mostBuffers = 3 })
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
    let kernel = ScriptedKernel(ScriptedCamera.depthCamera())
    let log = EventLog(keepsFrames: true)
    do {
      let stream = try kernel.camera().openDepth()
      try stream.start(log.receive)
      kernel.expose(depth)
      #expect(log.wait { $0.maps.count == 1 })
      stream.stop()
    }
    #expect(eventually { kernel.openCount == 0 && kernel.mappedCount == 1 })
    #expect(log.now.maps.first?.map.planes[0].row(0).first == 100)
    // Both nodes are free for others although the map is still held.
    _ = try kernel.camera().openDepth()
    log.releaseMaps()
    #expect(eventually { kernel.mappedCount == 0 })
  }

  // MARK: Start and stop

  @Test func `each of three starts counts maps from 0, and a stop leaves nothing queued`() throws {
    let kernel = ScriptedKernel(ScriptedCamera.depthCamera())
    let stream = try kernel.camera().openDepth()
    for _ in 0..<3 {
      let log = EventLog()
      try stream.start(log.receive)
      kernel.expose(depth)
      kernel.expose(depth)
      kernel.expose(colour)
      #expect(log.wait { $0.mapOrder == [0, 1] && $0.order == [0] })
      stream.stop()
      #expect(kernel.queuedCount(depth) == 0 && kernel.queuedCount(colour) == 0)
      #expect(kernel.device(depth) { $0.isStreaming } == false)
      let told = log.now.mapOrder.count
      kernel.expose(depth)
      #expect(log.now.mapOrder.count == told)
    }
  }

  @Test func `a depth node that another program streams from is named, and the camera closed again`() throws {
    let kernel = ScriptedKernel(ScriptedCamera.depthCamera())
    let camera = try kernel.camera()
    let other = try kernel.open(depth)
    _ = try kernel.requestBuffers(other, count: 2)
    let error = #expect(throws: CaptureDeviceError.self) { try camera.openDepth() }
    #expect(error?.code == .deviceBusy)
    #expect(error?.message.hasPrefix("Depth Camera (/dev/video0) cannot measure depth at 32×24") == true)
    #expect(kernel.openCount == 1 && kernel.mappedCount == 0)
    // Pictures alone can be had meanwhile.
    #expect(throws: Never.self) { try camera.open() }
    kernel.close(other)
    #expect(throws: Never.self) { try camera.openDepth() }
  }

  @Test func `a depth node that this user may not open is named`() throws {
    let kernel = ScriptedKernel(ScriptedCamera.depthCamera())
    let camera = try kernel.camera()
    kernel.force(.open, EACCES, after: 1)
    let error = #expect(throws: CaptureDeviceError.self) { try camera.openDepth() }
    #expect(error?.code == .permissionDenied && error?.message.contains("(/dev/video0)") == true)
    #expect(kernel.openCount == 0 && kernel.mappedCount == 0)
  }

  @Test(arguments: [(ENOSPC, CaptureDeviceError.Code.bandwidthExhausted), (ENODEV, .disconnected)])
  func `a depth node that does not start stops the camera, which starts when it does`(
    _ errno: Int32, _ code: CaptureDeviceError.Code
  ) throws {
    let kernel = ScriptedKernel(ScriptedCamera.depthCamera())
    let stream = try kernel.camera().openDepth()
    let log = EventLog()
    kernel.force(.streamOn, errno, after: 1, times: 1)
    let error = #expect(throws: CaptureDeviceError.self) { try stream.start(log.receive) }
    #expect(error?.code == code)
    #expect(error?.message.contains("(/dev/video0) cannot start to measure depth") == true)
    #expect(kernel.device(colour) { $0.isStreaming } == false)
    try stream.start(log.receive)
    kernel.expose(depth)
    kernel.expose(colour)
    #expect(log.wait { $0.mapOrder == [0] && $0.order == [0] })
    stream.stop()
  }

  @Test func `the frame rate of pictures changes, and that of maps stays`() throws {
    let kernel = ScriptedKernel(ScriptedCamera.depthCamera { _, colour in colour.changesDurationLive = true })
    let stream = try kernel.camera().openDepth()
    try stream.start { _ in }
    #expect(try stream.setFrameDuration(FrameDuration(1, 15)) == FrameDuration(1, 15))
    #expect(stream.configuration.depth?.frameDuration == FrameDuration(1, 30))
    #expect(kernel.device(depth) { $0.duration } == VideoFraction(1, 30))
    stream.stop()
  }

  // MARK: Faults

  @Test func `an unplug is told once, and both nodes are closed when the kernel has taken them away`() throws
  {
    let kernel = ScriptedKernel(
      ScriptedCamera.depthCamera { depth, colour in
        depth.hasMediaDevice = true
        colour.hasMediaDevice = true
      })
    kernel.removeSlowly()
    let log = EventLog()
    let failures = Locked(0)
    do {
      let stream = try kernel.camera().openDepth()
      try stream.start { event in
        if case .failed = event { failures.withLock { $0 += 1 } }
        log.receive(event)
      }
      kernel.expose(depth)
      kernel.expose(colour)
      #expect(log.wait { $0.mapOrder.count == 1 && $0.order.count == 1 })
      kernel.unplug(depth)
      kernel.unplug(colour)
      #expect(log.wait { $0.failure?.code == .disconnected })
      #expect(kernel.openCount == 2)
      kernel.finishRemovals()
      stream.stop()
    }
    #expect(eventually { kernel.openCount == 0 && kernel.mappedCount == 0 })
    #expect(failures.withLock { $0 } == 1)
  }

  @Test func `media devices that stay keep no stop longer than a second, for both nodes together`() throws {
    let kernel = ScriptedKernel(
      ScriptedCamera.depthCamera { depth, colour in
        depth.hasMediaDevice = true
        colour.hasMediaDevice = true
      })
    kernel.removeSlowly()
    let log = EventLog()
    do {
      let stream = try kernel.camera().openDepth()
      try stream.start(log.receive)
      kernel.unplug(depth)
      kernel.unplug(colour)
      #expect(log.wait { $0.failure?.code == .disconnected })
      let began = MonotonicInstant.now
      stream.stop()
      #expect(MonotonicInstant.now.nanoseconds - began.nanoseconds < 1_000_000_000)
    }
    #expect(eventually { kernel.openCount == 0 && kernel.mappedCount == 0 })
  }

  @Test func `a depth node that fails alone ends the stream by its own name, and a new start mends it`()
    throws
  {
    let kernel = ScriptedKernel(ScriptedCamera.depthCamera())
    let stream = try kernel.camera().openDepth()
    let log = EventLog()
    try stream.start(log.receive)
    kernel.failForGood(depth)
    #expect(log.wait { $0.failure?.code == .ioFailure })
    #expect(log.now.failure?.message.contains("(/dev/video0)") == true)
    let second = EventLog()
    try stream.start(second.receive)
    kernel.expose(depth)
    kernel.expose(colour)
    #expect(second.wait { $0.mapOrder == [0] && $0.order == [0] })
    stream.stop()
  }

  @Test func `a depth node that sends nothing is named, although pictures come`() throws {
    let kernel = ScriptedKernel(
      ScriptedCamera.depthCamera { _, colour in
        // Slow pictures: their silence is not over before that of the maps.
        for index in colour.modes.indices { colour.modes[index].durations = [.one(VideoFraction(2, 1))] }
      })
    let stream = try kernel.camera(silenceNanoseconds: 10_000_000).openDepth()
    let log = EventLog()
    try stream.start(log.receive)
    kernel.expose(colour)
    #expect(log.wait { $0.failure?.code == .noFrames })
    #expect(log.now.order == [0])
    #expect(
      log.now.failure?.message.hasPrefix(
        "Depth Camera (/dev/video0) streams but has sent no depth map")
        == true)
    stream.stop()
  }

  @Test func `a closed privacy switch holds the maps back, too`() throws {
    let kernel = ScriptedKernel(
      ScriptedCamera.depthCamera { _, colour in
        colour.controls[.privacy] = VideoControlDescription(
          0, 1, kind: .boolean, name: "Privacy", flags: .readOnly)
        colour.values[.privacy] = 1
      })
    let stream = try kernel.camera(silenceNanoseconds: 10_000_000).openDepth()
    let log = EventLog()
    let resumed = Monitor(false)
    try stream.start { event in
      if case .resumed = event { resumed.withLock { $0 = true } }
      log.receive(event)
    }
    for _ in 0..<3 { kernel.expose(depth) }
    #expect(eventually { kernel.queuedCount(depth) == 6 })
    #expect(eventually { kernel.state.withLock { !$0.subscriptions.isEmpty } })
    kernel.turn(.privacy, to: 0, colour)
    #expect(eventually { resumed.withLock { $0 } })
    #expect(log.now.mapOrder.isEmpty)
    kernel.expose(depth)
    #expect(log.wait { $0.mapOrder == [0] })
    stream.stop()
  }

  @Test(arguments: [VideoCall.dequeue, .streamOff, .wait, .enqueue])
  func `stop returns within a second though the driver hangs, and no map is told afterwards`(
    _ call: VideoCall
  ) throws {
    let kernel = ScriptedKernel(ScriptedCamera.depthCamera())
    let stream = try kernel.camera().openDepth()
    let log = EventLog()
    try stream.start(log.receive)
    kernel.expose(depth)
    #expect(log.wait { $0.mapOrder.count == 1 })
    kernel.hang(call)
    kernel.expose(depth)
    if call != .streamOff { usleep(5000) }
    let began = MonotonicInstant.now
    stream.stop()
    #expect(MonotonicInstant.now.nanoseconds - began.nanoseconds < 1_000_000_000)
    let told = log.now.mapOrder.count
    kernel.resume()
    usleep(20_000)
    #expect(log.now.mapOrder.count == told && log.now.failure == nil)
  }
}
