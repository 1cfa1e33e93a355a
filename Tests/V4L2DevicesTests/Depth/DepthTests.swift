import CaptureDevice
import CaptureDeviceTesting
import CoreVideo
import Foundation
import Linux
import Testing
import V4L2Devices
import Waiting

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
  /// The depth node and the colour node of ``KernelCamera/depthCamera(_:)``.
  let depth = "/dev/video0"
  let colour = "/dev/video1"

  @Test func `a colour camera has the depth of its device's depth node with each of its formats`() throws {
    let facts = try ScriptedKernel(KernelCamera.depthCamera()).camera().facts
    #expect(facts.media == [.video, .depth] && facts.uniqueID == "usb-046d:0825-A1-function-3")
    let rates = [1, 2].map { FrameDuration(1, 30 / $0) }.map { $0...$0 }
    let expected = [(16, 8), (32, 24)].flatMap { width, height in
      [kCVPixelFormatType_DepthFloat32, kCVPixelFormatType_DepthFloat16].map { format in
        DepthStreamFormat(
          size: FrameSize(width: width, height: height), pixelFormat: format, frameDurations: rates,
          isAligned: false)
      }
    }
    #expect(facts.formats.count == 4 && facts.formats.allSatisfy { $0.depthFormats == expected })
    let plain = try ScriptedKernel([.webcam()]).camera().facts
    #expect(plain.media == [.video] && plain.formats.allSatisfy { $0.depthFormats.isEmpty })
  }

  @Test func `every format streams with depth, and pictures alone leave the depth node closed`() throws {
    let kernel = ScriptedKernel(KernelCamera.depthCamera())
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
    #expect(kernel.isGivenBack())
  }

  @Test func `a depth format that the camera lacks is refused, and nothing stays open`() throws {
    let kernel = ScriptedKernel(KernelCamera.depthCamera())
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
    let nodes = KernelCamera.depthCamera()
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

  @Test func `each of three starts counts maps from 0, and a stop leaves nothing queued`() throws {
    let kernel = ScriptedKernel(KernelCamera.depthCamera())
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
      let reported = log.now.mapOrder.count
      kernel.expose(depth)
      #expect(log.now.mapOrder.count == reported)
    }
  }

  @Test func `a depth node that another program streams from is named, and the camera closed again`() throws {
    let kernel = ScriptedKernel(KernelCamera.depthCamera())
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
    let kernel = ScriptedKernel(KernelCamera.depthCamera())
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
    let kernel = ScriptedKernel(KernelCamera.depthCamera())
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
    let kernel = ScriptedKernel(KernelCamera.depthCamera { _, colour in colour.changesDurationLive = true })
    let stream = try kernel.camera().openDepth()
    try stream.start { _ in }
    #expect(try stream.setFrameDuration(FrameDuration(1, 15)) == FrameDuration(1, 15))
    #expect(stream.configuration.depth?.frameDuration == FrameDuration(1, 30))
    #expect(kernel.device(depth) { $0.duration } == VideoFraction(1, 30))
    stream.stop()
  }
}
