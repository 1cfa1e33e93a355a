import CaptureDevice
import Foundation
import LibcameraDevices
import Linux
import Testing

@Suite("Cameras of libcamera that come and go, and those that others list")
struct PluggingTests {
  /// The changes that a provider reports, in words.
  private final class Changes: Sendable {
    private let words = Monitor<[String]>([])

    var observer: @Sendable (DeviceListChange) -> Void {
      { [words] change in
        let word =
          switch change {
          case .connected(let device): "+\(device.facts.uniqueID)"
          case .disconnected(let id): "-\(id)"
          }
        words.withLock { $0.append(word) }
      }
    }

    var all: [String] { words.withLock { $0 } }
  }

  @Test func `one that is pulled out ends its stream with that error, and is another when it comes again`()
    throws
  {
    var script = CameraScript()
    script.identity.id = "one"
    let camera = ScriptedCamera(script)
    let library = ScriptedLibrary([camera])
    let provider = LibcameraDeviceProvider(library, noNodes)
    let changes = Changes()
    provider.observeDevices(changes.observer)
    let device = try #require(provider.devices().first)
    let stream = try device.openPhotos()
    let (log, stills) = (CameraLog(), StillLog())
    try stream.start(log.receive)
    _ = log.wait { !$0.frames.isEmpty }
    library.unplug(camera)
    #expect(log.wait { $0.failure != nil }?.failure?.code == .disconnected)
    #expect(log.now.failure?.message == "imx708 was unplugged; plug it in again.")
    stream.captureStill(StillRequest(size: FrameSize(width: 640, height: 480)), completion: stills.take)
    #expect(stills.wait().first?.error?.code == .noFrames)
    let error = #expect(throws: CaptureDeviceError.self) { try stream.start { _ in } }
    #expect(error?.code == .disconnected)
    library.plug(ScriptedCamera(script))
    #expect(changes.all == ["-libcamera-one", "+libcamera-one"])
    #expect(provider.devices().first.map { $0 === device } == false)
    provider.observeDevices(nil)
  }

  @Test func `one that comes while another thread has an older list stays the camera that was reported`()
    throws
  {
    let library = ScriptedLibrary([])
    let provider = LibcameraDeviceProvider(library, noNodes)
    let reported = Monitor<[any CaptureDeviceDriver]>([])
    provider.observeDevices { change in
      if case .connected(let device) = change { reported.withLock { $0.append(device) } }
    }
    library.delayListing { library.plug(ScriptedCamera()) }
    let listed = provider.devices()
    let announced = reported.withLock { $0 }
    #expect(listed.count == 1 && announced.count == 1 && listed.first === announced.first)
    let stream = try #require(announced.first).openPhotos()
    let log = CameraLog()
    try stream.start(log.receive)
    #expect(log.wait { !$0.frames.isEmpty } != nil, "it is not lost")
    stream.stop()
    provider.observeDevices(nil)
  }

  @Test func `nothing is kept of one that was pulled out once the devices are asked for again`() throws {
    try withNodes { nodes in
      var camera: ScriptedCamera? = cameras().sensor
      weak let pulled = camera
      let library = ScriptedLibrary([camera].compactMap(\.self))
      let provider = LibcameraDeviceProvider(library, nodes)
      #expect(provider.lists(node: "/dev/video2") && provider.devices().count == 1)
      if let camera { library.unplug(camera) }
      camera = nil
      #expect(pulled != nil && provider.devices().isEmpty)
      #expect(pulled == nil, "the library has its files open as long as it is kept")
    }
  }

  // MARK: Company

  /// The kernel's backend beside it, which lists one file.
  private final class Neighbour: CaptureDeviceProvider {
    let name = "v4l2"
    let node: String

    init(_ node: String) { self.node = node }

    func devices() -> [any CaptureDeviceDriver] { [] }
    func observeDevices(_ observer: (@Sendable (DeviceListChange) -> Void)?) {}
    func lists(node path: String) -> Bool { path == node }
    func access(for media: MediaKind) -> DeviceAccess { .granted }
    func requestAccess(for media: MediaKind, completion: @escaping @Sendable (DeviceAccess) -> Void) {
      completion(.granted)
    }
  }

  /// A machine with a webcam at `video0` and a sensor at `video2`.
  private func withNodes(_ body: (VideoNodes) throws -> Void) throws {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: root) }
    let usb = root.appendingPathComponent("sys/devices/usb1/1-1")
    let platform = root.appendingPathComponent("sys/devices/platform/unicam")
    let list = root.appendingPathComponent("sys/class/video4linux")
    try FileManager.default.createDirectory(at: list, withIntermediateDirectories: true)
    for (parent, name, number) in [(usb, "video0", "81:0"), (platform, "video2", "81:2")] {
      let folder = parent.appendingPathComponent("video4linux/\(name)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data("\(number)\n".utf8).write(to: folder.appendingPathComponent("dev"))
      try FileManager.default.createSymbolicLink(
        at: list.appendingPathComponent(name), withDestinationURL: folder)
    }
    for file in ["idVendor", "idProduct"] {
      try Data("046d\n".utf8).write(to: usb.appendingPathComponent(file))
    }
    try body(VideoNodes(root: root.path))
  }

  private func cameras() -> (webcam: ScriptedCamera, sensor: ScriptedCamera) {
    var webcam = CameraScript()
    webcam.identity = CameraIdentity(id: "usb-1-1", model: "Webcam", location: .external)
    webcam.nodes = [81 << 8]
    var sensor = CameraScript()
    sensor.nodes = [81 << 8 | 2]
    return (ScriptedCamera(webcam), ScriptedCamera(sensor))
  }

  @Test func `a camera on the USB is left to the kernel's backend where that is asked, too`() throws {
    try withNodes { nodes in
      let (webcam, sensor) = cameras()
      let provider = LibcameraDeviceProvider(ScriptedLibrary([webcam, sensor]), nodes)
      #expect(provider.devices().map(\.facts.name) == ["Webcam", "imx708"])
      let kernel = Neighbour("/dev/video0")
      provider.noteCompany([kernel])
      #expect(provider.devices().map(\.facts.name) == ["imx708"])
      provider.noteCompany([Neighbour("/dev/video2")])
      #expect(provider.devices().map(\.facts.name) == ["Webcam", "imx708"], "a bare sensor is libcamera's")
      withExtendedLifetime(kernel) {}
    }
  }

  @Test func `the files of its other cameras are its own, and so are the library's names of all`() throws {
    try withNodes { nodes in
      let (webcam, sensor) = cameras()
      let provider = LibcameraDeviceProvider(ScriptedLibrary([webcam, sensor]), nodes)
      #expect(provider.lists(node: "/dev/video2") && !provider.lists(node: "/dev/video0"))
      #expect(provider.lists(node: "libcamera:usb-1-1") && !provider.lists(node: "libcamera:none"))
    }
  }

  @Test func `the doctor names its cameras, and those that are listed elsewhere, with the reason`() throws {
    try withNodes { nodes in
      let (webcam, sensor) = cameras()
      let found = LibcameraDiagnosis(ScriptedLibrary([webcam, sensor]), nodes).findings
      #expect(
        found.map(\.sentence) == [
          "libcamera 0.0.3 has imx708.",
          "Webcam of libcamera is the camera at /dev/video0, which is listed once, as the kernel's, because that has all of a USB camera's controls.",
        ])
      #expect(found.allSatisfy { $0.weight == .fine })
    }
    let none = LibcameraDiagnosis(ScriptedLibrary([]), noNodes).findings
    #expect(none.map(\.sentence) == ["libcamera 0.0.3 starts, and has no camera beside the kernel's."])
    #expect(LibcameraDiagnosis(ScriptedLibrary(refusal: 5), noNodes).findings.map(\.weight) == [.trouble])
  }
}
