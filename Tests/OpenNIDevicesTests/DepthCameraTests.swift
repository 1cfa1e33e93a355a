import CaptureDevice
import CaptureDeviceTesting
import CoreVideo
import Linux
import StreamParts
import Testing

import OpenNIDevices

/// A machine without a USB.
private let noBus = DepthCameraBus(folder: "/nowhere", nodes: "/nowhere")

@Suite("Depth cameras of OpenNI")
struct DepthCameraTests {
  @Test(
    arguments: DeviceConformanceSuite(makeProvider: {
      var camera = ScriptedCamera()
      camera.color[0].rate = 30
      camera.depth[0].rate = 30
      camera.depth[1].rate = 15
      return OpenNIDeviceProvider(ScriptedSensors([camera]), noBus)
    }).checks
  )
  func `a depth camera keeps the contract`(_ check: DeviceConformanceSuite.Check) throws {
    try check.run()
  }

  @Test func `what is on no bus is no camera: the driver that makes frames up, and recordings`() {
    var dummy = ScriptedCamera()
    dummy.listed = ListedSensor(
      uri: "Dummy", vendor: "PrimeSense", name: "Dummy", usbVendor: 0, usbProduct: 0)
    var recording = dummy
    recording.listed.uri = "/tmp/a.oni"
    let library = ScriptedSensors([dummy, recording])
    let provider = OpenNIDeviceProvider(library, noBus)
    #expect(provider.devices().isEmpty && provider.absences.isEmpty)
    #expect(library.calls.isEmpty, "they are not even opened")
  }

  @Test func `it is listed with what it can do, and closed again`() throws {
    var camera = ScriptedCamera()
    let (small, large) = (FrameSize(width: 32, height: 24), FrameSize(width: 50, height: 40))
    camera.color = [
      SensorMode(pixelFormat: 200, size: large, rate: 15),
      SensorMode(pixelFormat: 200, size: small, rate: 30),
      SensorMode(pixelFormat: 200, size: small, rate: 60),
      SensorMode(pixelFormat: 201, size: small, rate: 60),
      SensorMode(pixelFormat: 204, size: small, rate: 60),
    ]
    let library = ScriptedSensors([camera])
    let facts = try #require(OpenNIDeviceProvider(library, noBus).devices().first).facts
    #expect(facts.uniqueID == "openni-1d27:0601-1234" && facts.modelID == "OpenNI 1d27:0601")
    #expect(facts.name == "Carmine" && facts.manufacturer == "PrimeSense" && facts.kind == .externalCamera)
    #expect(facts.media == [.video, .depth])
    #expect(facts.formats.map(\.size) == [small, small, large])
    #expect(
      facts.formats.map(\.encoding) == [
        .pixels(kCVPixelFormatType_24RGB), .pixels(kCVPixelFormatType_422YpCbCr8),
        .pixels(kCVPixelFormatType_24RGB),
      ])
    #expect(
      facts.formats[0].frameDurations.map(\.lowerBound) == [FrameDuration(1, 60), FrameDuration(1, 30)])
    #expect(
      facts.formats[0].depthFormats.map(\.pixelFormat) == [
        kCVPixelFormatType_DepthFloat32, kCVPixelFormatType_DepthFloat16,
      ])
    #expect(library.openCount == 0)
  }

  @Test func `maps are aligned beside pictures of their shape, and have a lens of their own beside others`()
    throws
  {
    var camera = ScriptedCamera()
    camera.color.append(SensorMode(pixelFormat: 200, size: FrameSize(width: 50, height: 40), rate: 60))
    let facts = try #require(OpenNIDeviceProvider(ScriptedSensors([camera]), noBus).devices().first).facts
    let ways = facts.formats.compactMap(\.depthFormats.last)
    #expect(ways.map(\.isAligned) == [true, false])
    #expect(ways[0].lens == nil)
    #expect(abs((ways[1].lens?.fieldOfView ?? 0) - 58) < 0.001)
    let lens = try #require(facts.lens)
    #expect(abs(lens.fieldOfView - 60) < 0.001 && lens.aperture == 0 && lens.focalLength == 0)
    #expect(abs(lens.focalLengthIn35mmFilm - 31.18) < 0.01)
  }

  @Test func `a camera that tells one field of view of two has none, rather than the wrong one for its maps`()
    throws
  {
    var camera = ScriptedCamera()
    camera.canRegister = false
    camera.depthView = nil
    let facts = try #require(OpenNIDeviceProvider(ScriptedSensors([camera]), noBus).devices().first).facts
    #expect(facts.lens == nil && facts.formats[0].depthFormats.allSatisfy { !$0.isAligned && $0.lens == nil })
  }

  @Test func `depth is laid upon colours once both run, and mirroring is off before`() throws {
    let library = ScriptedSensors()
    let camera = try #require(OpenNIDeviceProvider(library, noBus).devices().first)
    let before = library.calls.count
    let stream = try camera.openWithDepth()
    let log = SensorLog()
    try stream.start(log.receive)
    #expect(log.wait { $0.maps.count >= 2 && $0.frames.count >= 2 } != nil)
    stream.stop()
    let calls = library.calls.dropFirst(before)
    #expect(
      calls.prefix(6) == ["open", "mirror not", "mirror not", "start", "start", "register"])
  }

  @Test func `one that says it lays depth upon colours and does not is no camera of aligned maps`() throws {
    var camera = ScriptedCamera()
    camera.forgetsToRegister = true
    let device = try #require(OpenNIDeviceProvider(ScriptedSensors([camera]), noBus).devices().first)
    let stream = try device.openWithDepth()
    let error = #expect(throws: CaptureDeviceError.self) { try stream.start { _ in } }
    #expect(error?.code == .ioFailure && error?.message.contains("does not lay its depth") == true)
  }

  @Test func `frames that come mirrored are turned back, and maps with them`() throws {
    var camera = ScriptedCamera()
    camera.isMirrored = true
    let stream = try #require(OpenNIDeviceProvider(ScriptedSensors([camera]), noBus).devices().first)
      .openWithDepth()
    let log = SensorLog()
    try stream.start(log.receive)
    let seen = try #require(log.wait { $0.maps.count >= 3 && $0.frames.count >= 3 })
    stream.stop()
    #expect((seen.maps + seen.frames).allSatisfy { $0.values[1] == $0.values[0] + 1 })
  }

  @Test func `pictures and maps of one moment have one time, whichever arrives first`() {
    var times = SensorTimes()
    let start = MonotonicInstant(nanoseconds: 5_000_000_000)
    func instant(_ microseconds: UInt64, lap: Int = 0, after nanoseconds: Int64) -> Int64 {
      times.instant(
        ofMicroseconds: microseconds, lap: lap, arrival: start.advanced(byNanoseconds: nanoseconds)
      ).nanoseconds - start.nanoseconds
    }
    #expect(instant(1000, after: 0) == 0)
    #expect((0...2000).contains(instant(1000, after: 2_000_000)))
    #expect((33_000_000...33_040_000).contains(instant(34_000, after: 40_000_000)))
    // A recording that begins anew does not lie before its end.
    #expect(instant(1000, lap: 1, after: 70_000_000) == 70_000_000)
  }

  @Test func `frames that the camera counted and did not send are reported as lost, in their place`() throws {
    var camera = ScriptedCamera()
    camera.lostFrames = [2, 3]
    let stream = try #require(OpenNIDeviceProvider(ScriptedSensors([camera]), noBus).devices().first)
      .openWithDepth()
    let log = SensorLog()
    try stream.start(log.receive)
    let seen = try #require(log.wait { $0.frames.count >= 4 })
    stream.stop()
    #expect(seen.frames.prefix(4).map(\.sequence) == [0, 1, 4, 5] && seen.drops.prefix(2) == [2, 3])
  }

  @Test func `a unit of a map is a millimetre or a tenth of one, and other formats are no maps`() {
    #expect(SensorPixels.metresPerUnit(100) == 0.001 && SensorPixels.metresPerUnit(101) == 0.0001)
    #expect(SensorPixels.metresPerUnit(102) == nil && SensorPixels.depth(200) == nil)
  }

  @Test(arguments: [(SensorKind.color, "no pictures"), (.depth, "no depth maps")])
  func `a sensor that falls silent ends the stream, whichever it is`(_ kind: SensorKind, _ words: String)
    throws
  {
    var camera = ScriptedCamera()
    camera.silent = [kind]
    let provider = OpenNIDeviceProvider(
      ScriptedSensors([camera]), noBus, timeout: SilenceTimeout(nanoseconds: 300_000_000))
    let stream = try #require(provider.devices().first).openWithDepth()
    let log = SensorLog()
    try stream.start(log.receive)
    let end = try #require(log.wait { $0.failure != nil })
    #expect(end.failure?.code == .noFrames && end.failure?.message.contains(words) == true)
  }

  @Test func `a slower rate of maps is another mode, and nothing is dropped for it`() throws {
    let library = ScriptedSensors()
    let camera = try #require(OpenNIDeviceProvider(library, noBus).devices().first)
    let format = camera.facts.formats[0]
    var configuration = StreamConfiguration(format: format, frameDuration: FrameDuration(1, 60))
    configuration.depth = DepthConfiguration(
      format: format.depthFormats[0], frameDuration: FrameDuration(1, 30))
    let stream = try camera.openStream(configuration)
    #expect(stream.configuration.depth?.frameDuration == FrameDuration(1, 30))
    #expect(library.calls.contains("mode 32×24 30"))
  }
}
