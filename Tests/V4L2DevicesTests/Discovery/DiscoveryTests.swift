import CaptureDevice
import CoreVideo
import Foundation
import Linux
import Testing
import V4L2Devices

@Suite("V4L2: discovery")
struct DiscoveryTests {
  @Test func `only nodes that capture pictures through mapped memory are cameras`() {
    func other(_ change: (inout VideoIdentity) -> Void) -> KernelCamera {
      var camera = KernelCamera.plain(.yuyv)
      change(&camera.identity)
      return camera
    }
    let kernel = ScriptedKernel([
      other { $0.captures = false }, .webcam(), other { $0.streams = false },
      other { $0.needsMediaGraph = true },
      .plain(.z16),
    ])
    let provider = V4L2DeviceProvider(kernel: kernel)
    #expect(provider.cameras().map(\.path) == ["/dev/video1"])
    let omitted = provider.omittedNodes
    #expect(omitted.count == 4 && omitted.allSatisfy { $0.hasSuffix(".") })
    #expect(omitted[3].contains("measures depth, and its device has no camera"))
    #expect(kernel.openCount == 0)
  }

  @Test func `a node that sends several planes says that, and not that it is no camera`() {
    var camera = KernelCamera.plain(.nv12)
    camera.identity.captures = false
    camera.identity.capturesInPlanes = true
    let omitted = V4L2DeviceProvider(kernel: ScriptedKernel([camera])).omittedNodes
    #expect(omitted.count == 1 && omitted[0].contains("several planes"))
  }

  @Test func `a webcam's facts`() throws {
    let facts = try ScriptedKernel([.webcam()]).camera().facts
    #expect(facts.uniqueID == "usb-046d:0825-A1")
    #expect(facts.modelID == "UVC Camera VendorID_1133 ProductID_2085")
    #expect(facts.name == "Webcam" && facts.manufacturer == "Logitech")
    #expect(facts.kind == .externalCamera && facts.position == .unspecified && facts.media == [.video])
    #expect(facts.formats.map(\.size.width) == [32, 32, 64, 64])
    #expect(
      facts.formats.map(\.encoding) == [
        .motionJPEG, .pixels(kCVPixelFormatType_422YpCbCr8_yuvs),
        .motionJPEG, .pixels(kCVPixelFormatType_422YpCbCr8_yuvs),
      ])
    #expect(facts.formats.map(\.isPhotoQuality) == [false, false, true, true])
    #expect(
      facts.formats[0].frameDurations == [
        FrameDuration(1, 30)...FrameDuration(1, 30), FrameDuration(1, 15)...FrameDuration(1, 15),
      ])
    #expect(facts.formats.allSatisfy { $0.stillSizes == [$0.size] && !$0.scalesStream })
    #expect(facts.capabilities.exposureModes.isEmpty)
  }

  @Test(arguments: [
    (VideoPixelFormat.yuyv, FrameEncoding.pixels(kCVPixelFormatType_422YpCbCr8_yuvs)),
    (.uyvy, .pixels(kCVPixelFormatType_422YpCbCr8)),
    (.nv12, .pixels(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)),
    (.nv21, .pixels(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)),
    (.yuv420, .pixels(kCVPixelFormatType_420YpCbCr8Planar)),
    (.yvu420, .pixels(kCVPixelFormatType_420YpCbCr8Planar)),
    (.rgb24, .pixels(kCVPixelFormatType_24RGB)),
    (.grey, .pixels(kCVPixelFormatType_OneComponent8)),
    (.y16, .pixels(kCVPixelFormatType_OneComponent16)),
    (.bgr32, .pixels(kCVPixelFormatType_32BGRA)),
    (.xbgr32, .pixels(kCVPixelFormatType_32BGRA)),
    (.mjpeg, .motionJPEG),
    (.h264, .h264),
    (.hevc, .hevc),
  ])
  func `formats have Core Video's names`(_ format: VideoPixelFormat, _ encoding: FrameEncoding) throws {
    #expect(try ScriptedKernel([.plain(format)]).camera().facts.formats.map(\.encoding) == [encoding])
  }

  @Test func `formats that nothing here reads are listed beside those that are offered`() throws {
    var camera = KernelCamera.plain(.yuyv)
    for format in [VideoPixelFormat(rawValue: 0x3038_5056), .z16] {
      var mode = camera.modes[0]
      mode.format = format
      camera.modes.append(mode)
    }
    let facts = try ScriptedKernel([camera]).camera().facts
    #expect(facts.formats.map(\.encoding) == [.pixels(kCVPixelFormatType_422YpCbCr8_yuvs)])
    #expect(facts.unreadableFormats == ["VP80", "Z16 "])
  }

  @Test func `of two formats with one name the one that costs less is taken`() throws {
    var camera = KernelCamera.plain(.nv21)
    camera.modes.append(camera.modes[0])
    camera.modes[1].format = .nv12
    let kernel = ScriptedKernel([camera])
    let stream = try kernel.camera().open()
    #expect(stream.configuration.format.encoding == .pixels(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange))
    #expect(kernel.device("/dev/video0") { $0.layout?.format } == .nv12)
  }

  @Test func `NV12 in full range is 420f`() throws {
    var camera = KernelCamera.plain(.nv12)
    camera.isFullRange = true
    let formats = try ScriptedKernel([camera]).camera().facts.formats
    #expect(formats.map(\.encoding) == [.pixels(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)])
  }

  @Test func `a range of sizes offers the common ones and the largest, a range of rates stays a range`()
    throws
  {
    var camera = KernelCamera.plain(.yuyv)
    camera.modes[0].sizes = [
      .steps(from: VideoSize(2, 2), through: VideoSize(1000, 800), by: VideoSize(2, 2))
    ]
    camera.modes[0].durations = [
      .steps(from: VideoFraction(1, 60), through: VideoFraction(2, 2), by: VideoFraction(1, 60))
    ]
    let formats = try ScriptedKernel([camera]).camera().facts.formats
    #expect(
      formats.map(\.size.description) == ["320×180", "320×240", "640×360", "640×480", "800×600", "1000×800"])
    #expect(formats[0].frameDurations == [FrameDuration(1, 60)...FrameDuration(1, 1)])
  }

  @Test func `a driver without lists offers what it is set to`() throws {
    var camera = KernelCamera.plain(.yuyv)
    camera.modes[0].sizes = []
    camera.modes[0].durations = []
    let formats = try ScriptedKernel([camera]).camera().facts.formats
    #expect(formats.map(\.size.description) == ["640×480"])
    #expect(formats[0].frameDurations == [FrameDuration(1, 30)...FrameDuration(1, 30)])
  }

  @Test func `a device is the same object with the same identifier every time`() {
    let kernel = ScriptedKernel([.webcam("A", serial: "1"), .webcam("B", serial: "2", port: "1-3")])
    let provider = V4L2DeviceProvider(kernel: kernel)
    let first = provider.cameras()
    let second = provider.cameras()
    #expect(first.count == 2 && zip(first, second).allSatisfy { $0 === $1 })
    // Looking again opens nothing.
    #expect(kernel.calls.filter { $0 == .open }.count == 2)
  }

  @Test func `cameras with the same serial number are distinguished, and stay so when one goes`() {
    let kernel = ScriptedKernel([
      .webcam("A", serial: "0001", port: "1-1"), .webcam("B", serial: "0001", port: "1-2"),
    ])
    let provider = V4L2DeviceProvider(kernel: kernel)
    #expect(
      provider.cameras().map(\.facts.uniqueID) == ["usb-046d:0825-0001", "usb-046d:0825-0001-port-1-2"])
    let second = provider.cameras()[1]
    kernel.unplug("/dev/video0")
    #expect(provider.cameras().first === second)
  }

  @Test
  func `a camera without a serial number is known by its port, and functions of one device by their number`()
  {
    var second = KernelCamera.webcam("Second", serial: "")
    second.placement.usb?.interface = 2
    let kernel = ScriptedKernel([.webcam("First", serial: ""), second])
    #expect(
      V4L2DeviceProvider(kernel: kernel).cameras().map(\.facts.uniqueID) == [
        "usb-046d:0825-port-1-2", "usb-046d:0825-port-1-2-function-2",
      ])
  }

  @Test func `a name that the driver repeats is said once`() throws {
    #expect(
      try ScriptedKernel([KernelCamera.webcam("HD Camera: HD Camera")]).camera().facts.name == "HD Camera")
    #expect(
      try ScriptedKernel([KernelCamera.webcam("HD Camera: HD IR")]).camera().facts.name
        == "HD Camera: HD IR")
  }

  @Test func `a name that the kernel has cut is completed`() throws {
    let camera = KernelCamera.webcam("Integrated Camera: Integrated C")
    #expect(try ScriptedKernel([camera]).camera().facts.name == "Integrated Camera: Integrated C Pro 9000")
  }

  @Test func `access is denied when this user may use no node, and granted when one has come free`() {
    let kernel = ScriptedKernel([.webcam()])
    let provider = V4L2DeviceProvider(kernel: kernel)
    kernel.force(.open, EACCES)
    #expect(provider.access(for: .video) == .denied)
    #expect(provider.access(for: .audio) == .granted)
    #expect(provider.omittedNodes.first?.contains("usermod") == true)
    kernel.unforce()
    #expect(provider.access(for: .video) == .granted)
    #expect(V4L2DeviceProvider(kernel: ScriptedKernel()).access(for: .video) == .granted)
  }

  @Test func `plugs and unplugs are reported once, until the observation ends`() {
    let kernel = ScriptedKernel([.webcam("A", serial: "1")])
    let provider = V4L2DeviceProvider(kernel: kernel)
    let reported = Locked<[String]>([])
    provider.observeDevices { change in
      reported.withLock { reported in
        switch change {
        case .connected(let device): reported.append("+\(device.facts.name)")
        case .disconnected(let uniqueID): reported.append("-\(uniqueID)")
        }
      }
    }
    #expect(provider.observesDevices)
    kernel.plug(.webcam("B", serial: "2", port: "1-3"), "/dev/video1")
    kernel.unplug("/dev/video0")
    // The same camera in the same place is another device: streams of the first are over.
    kernel.plug(.webcam("A", serial: "1"), "/dev/video0")
    provider.observeDevices(nil)
    kernel.unplug("/dev/video1")
    #expect(reported.withLock { $0 } == ["+B", "-usb-046d:0825-1", "+A"])
    #expect(!provider.observesDevices)
  }

  @Test func `a watch that the kernel refuses is an error that can be asked for, until one is had`() throws {
    let kernel = ScriptedKernel([.webcam("A", serial: "1")])
    kernel.force(.watchNodes, EMFILE, times: 1)
    let provider = V4L2DeviceProvider(kernel: kernel)
    #expect(provider.watchFailure == nil)
    provider.observeDevices { _ in }
    let failure = try #require(provider.watchFailure)
    #expect(failure.code == .ioFailure && !provider.observesDevices)
    #expect(failure.message.contains("too many files") && failure.message.contains("max_user_instances"))
    provider.observeDevices { _ in }
    #expect(provider.watchFailure == nil && provider.observesDevices)
    kernel.force(.watchNodes, ENOSPC)
    provider.observeDevices { _ in }
    #expect(provider.watchFailure?.message.contains("max_user_watches") == true)
    provider.observeDevices(nil)
    #expect(provider.watchFailure == nil)
  }

  @Test func `a camera that comes while the watch begins is heard of when it goes`() {
    let kernel = ScriptedKernel()
    kernel.state.withLock { $0.latecomer = .webcam("Late", serial: "1") }
    let provider = V4L2DeviceProvider(kernel: kernel)
    let reported = Locked<[String]>([])
    provider.observeDevices { change in
      if case .disconnected(let uniqueID) = change { reported.withLock { $0.append(uniqueID) } }
    }
    #expect(provider.cameras().count == 1)
    kernel.unplug("/dev/video8")
    #expect(reported.withLock { $0 } == ["usb-046d:0825-1"])
    provider.observeDevices(nil)
  }

  @Test func `a camera that is plugged in again, elsewhere or under another number, has the same identifier`()
  {
    let kernel = ScriptedKernel([.webcam("A", serial: "1"), .webcam("B", serial: "", port: "1-3")])
    let provider = V4L2DeviceProvider(kernel: kernel)
    let before = provider.cameras().map(\.facts.uniqueID)
    kernel.unplug("/dev/video0")
    kernel.unplug("/dev/video1")
    #expect(provider.cameras().isEmpty)
    // The one with a serial number in another socket, the one without in its own.
    kernel.plug(.webcam("B", serial: "", port: "1-3"), "/dev/video0")
    kernel.plug(.webcam("A", serial: "1", port: "2-4"), "/dev/video7")
    #expect(Set(provider.cameras().map(\.facts.uniqueID)) == Set(before))
  }

  @Test func `two webcams of a kind without serial numbers differ by their sockets`() {
    let kernel = ScriptedKernel([
      .webcam("A", serial: "", port: "1-2"), .webcam("A", serial: "", port: "1-3"),
    ])
    let ids = V4L2DeviceProvider(kernel: kernel).cameras().map(\.facts.uniqueID)
    #expect(ids == ["usb-046d:0825-port-1-2", "usb-046d:0825-port-1-3"])
  }

  @Test func `the real kernel's watch reports nodes and ends when let go`() throws {
    // The machine that runs the tests may have no camera; asking must work all the same.
    let kernel = LinuxVideoKernel()
    _ = try kernel.nodes()
    var watch: (any AnyObject)? = try kernel.watchNodes {}
    #expect(watch != nil)
    watch = nil
  }
}
