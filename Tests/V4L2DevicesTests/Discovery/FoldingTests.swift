import CaptureDevice
import Linux
import Testing
import V4L2Devices

@Suite("V4L2: one device for each physical camera")
struct FoldingTests {
  /// A node of a USB camera: the function it belongs to, its place there, and what its driver lists.
  static func node(
    _ name: String, function: Int = 0, index: Int = 0, port: String = "1-2", fixed: Bool = false,
    functionName: String = "", _ formats: [VideoPixelFormat]
  ) -> KernelCamera {
    var camera = KernelCamera.webcam(name, serial: "", port: port)
    camera.identity.bus = "usb-0000:00:14.0-\(port)"
    camera.placement.nodeIndex = index
    camera.placement.usb?.interface = function
    camera.placement.usb?.functionName = functionName
    camera.placement.usb?.isFixed = fixed
    camera.modes = formats.map { format in
      KernelCamera.Mode(
        format: format, sizes: [.one(VideoSize(32, 16))], durations: [.one(VideoFraction(1, 30))])
    }
    return camera
  }

  static let depth = VideoPixelFormat(rawValue: 0x2036_315A)
  static let stereo = VideoPixelFormat(rawValue: 0x2049_3859)
  static let bayer = VideoPixelFormat(rawValue: 0x3031_4742)

  func listed(_ cameras: [KernelCamera]) -> (paths: [String], omitted: [String]) {
    let provider = V4L2DeviceProvider(kernel: ScriptedKernel(cameras))
    return (provider.cameras().map(\.path), provider.omittedNodes)
  }

  /// A backend beside the kernel's that drives a camera behind its file.
  private final class Neighbour: CaptureDeviceProvider {
    let name = "libcamera"
    let node: String

    init(_ node: String) {
      self.node = node
    }

    func devices() -> [any CaptureDeviceDriver] { [] }
    func observeDevices(_ observer: (@Sendable (DeviceListChange) -> Void)?) {}
    func lists(node path: String) -> Bool { path == node }
    func access(for media: MediaKind) -> DeviceAccess { .granted }
    func requestAccess(for media: MediaKind, completion: @escaping @Sendable (DeviceAccess) -> Void) {
      completion(.granted)
    }
  }

  @Test func `a bare sensor that another backend drives is left to that, and is back when that is not asked`()
  {
    let provider = V4L2DeviceProvider(
      kernel: ScriptedKernel([Self.node("unicam", [Self.bayer]), Self.node("Webcam", port: "1-3", [.yuyv])]))
    #expect(provider.cameras().map(\.path) == ["/dev/video0", "/dev/video1"])
    let neighbour = Neighbour("/dev/video0")
    provider.noteCompany([neighbour])
    #expect(provider.cameras().map(\.path) == ["/dev/video1"])
    #expect(
      provider.omittedNodes == [
        "/dev/video0 is a part of a camera that libcamera lists, which has the controls that its bare sensor lacks; '--devices v4l2' has the sensor."
      ])
    withExtendedLifetime(neighbour) {}
    provider.noteCompany([])
    #expect(provider.cameras().map(\.path) == ["/dev/video0", "/dev/video1"])
  }

  @Test func `a depth camera is its colour node, and its other nodes are named with the reason`() {
    // As a RealSense D435 shows itself: two functions, of which the first has the depth sensor and its left eye.
    let (paths, omitted) = listed([
      Self.node("Depth Camera", [Self.depth]),
      Self.node("Depth Camera", index: 2, [.grey, Self.stereo, .uyvy]),
      Self.node("Depth Camera", function: 3, [.yuyv]),
    ])
    #expect(paths == ["/dev/video2"])
    #expect(omitted.count == 2)
    #expect(omitted[0] == "/dev/video0 (Depth Camera) measures depth for Depth Camera (/dev/video2).")
    #expect(omitted[1].contains("what the depth sensor of /dev/video2 sees"))
  }

  @Test func `a depth camera without another function is its own colour camera`() {
    let (paths, omitted) = listed([
      Self.node("Depth Camera 405", [Self.depth]), Self.node("Depth Camera 405", index: 2, [.uyvy]),
    ])
    #expect(paths == ["/dev/video1"])
    #expect(omitted == ["/dev/video0 (Depth Camera 405) measures depth for Depth Camera 405 (/dev/video1)."])
  }

  @Test func `depth without a camera of its own device is left out, and says why`() {
    let (paths, omitted) = listed([
      Self.node("Depth only", [Self.depth]), Self.node("Webcam", port: "1-3", [.yuyv]),
    ])
    #expect(paths == ["/dev/video1"])
    #expect(omitted.count == 1 && omitted[0].contains("has no camera whose pictures it could stream with"))
    // Also beside the camera of a laptop, whose infrared sensor would be folded.
    let builtIn = listed([
      Self.node("Depth only", fixed: true, [Self.depth]),
      Self.node("Webcam", port: "1-3", fixed: true, [.yuyv]),
    ])
    #expect(builtIn.omitted.count == 1 && builtIn.omitted[0].contains("has no camera whose pictures"))
    // How sure distances are is no distance.
    let confidence = listed([
      Self.node("Depth Camera", [VideoPixelFormat(rawValue: 0x3446_4E43)]),
      Self.node("Depth Camera", function: 3, [.yuyv]),
    ])
    #expect(confidence.omitted[0].contains("measures depth in a format that nothing here reads"))
  }

  @Test func `of two depth nodes the first is the camera's`() {
    let (paths, omitted) = listed([
      Self.node("Depth Camera", [Self.depth]), Self.node("Depth Camera", index: 2, [Self.depth]),
      Self.node("Depth Camera", function: 3, [.yuyv]),
    ])
    #expect(paths == ["/dev/video2"] && omitted.count == 2)
    #expect(omitted[0].contains("measures depth for"))
    #expect(omitted[1].contains("measures depth as another node does for Depth Camera (/dev/video2)"))
  }

  @Test func `the infrared sensor of a laptop's camera is folded, whatever its formats claim`() {
    let byFormat = listed([
      Self.node("Integrated Camera: Integrated C", fixed: true, [.mjpeg, .yuyv]),
      Self.node("Integrated Camera: Integrated I", function: 2, fixed: true, [.grey]),
    ])
    #expect(byFormat.paths == ["/dev/video0"])
    #expect(byFormat.omitted[0].contains("infrared") && byFormat.omitted[0].contains("/dev/video0"))
    let byName = listed([
      Self.node(
        "Integrated Camera: Integrated I", function: 2, fixed: true, functionName: "Integrated IR Camera",
        [.mjpeg, .yuyv]),
      Self.node("Integrated Camera: Integrated C", fixed: true, [.mjpeg, .yuyv]),
    ])
    #expect(byName.paths == ["/dev/video1"])
    // Some laptops have it on another USB port than the camera.
    let apart = listed([
      Self.node("Integrated IR Camera: Integrate", port: "1-5", fixed: true, [.mjpeg, .yuyv]),
      Self.node("Integrated Camera: Integrated C", port: "1-8", fixed: true, [.mjpeg]),
    ])
    #expect(apart.paths == ["/dev/video1"])
  }

  @Test func `a grey camera that stands alone is a camera, also beside one on another cable`() {
    #expect(listed([Self.node("Industrial", [.grey, .y16])]).paths == ["/dev/video0"])
    let two = listed([Self.node("Industrial", [.grey]), Self.node("Webcam", port: "1-3", [.yuyv])])
    #expect(two.paths == ["/dev/video0", "/dev/video1"])
  }

  @Test func `two functions in colour are two cameras, two nodes of one function are one`() {
    let two = listed([Self.node("Stereo", [.yuyv]), Self.node("Stereo", function: 2, [.yuyv])])
    #expect(two.paths == ["/dev/video0", "/dev/video1"])
    let one = listed([Self.node("H.264", [.mjpeg]), Self.node("H.264", index: 2, [.yuyv])])
    #expect(one.paths == ["/dev/video0"])
    #expect(one.omitted[0].contains("second stream of H.264 (/dev/video0)"))
  }

  @Test func `the media graph says two sensors of one function apart, and one sensor behind two nodes`() {
    func node(_ graphNode: UInt32, sensor: UInt32, media: String = "media0") -> KernelCamera {
      var camera = Self.node("Graph", index: Int(graphNode), [.yuyv])
      camera.graph = MediaGraph(
        device: media, node: graphNode, roles: [graphNode: .node, 20: .other, sensor: .origin],
        feeders: [graphNode: [20], 20: [sensor]])
      return camera
    }
    #expect(listed([node(1, sensor: 30), node(2, sensor: 31)]).paths.count == 2)
    #expect(listed([node(1, sensor: 30), node(2, sensor: 30)]).paths.count == 1)
    #expect(listed([node(1, sensor: 30), node(2, sensor: 30, media: "media1")]).paths.count == 2)
  }

  @Test func `a node that only shows what programs feed its converter is no camera`() {
    var converter = KernelCamera.plain(.nv12)
    // output node 5 → converter 9 → capture node 1, as the image processor of a Raspberry Pi has it.
    converter.graph = MediaGraph(
      device: "media1", node: 1, roles: [1: .node, 9: .other, 5: .node], feeders: [1: [9], 9: [5]])
    let (paths, omitted) = listed([converter])
    #expect(paths.isEmpty && omitted[0].contains("programs feed it"))
    // Beside a sensor an output node is a parameter queue, and the camera is one.
    converter.graph?.roles[7] = .origin
    converter.graph?.feeders[9] = [5, 7]
    #expect(listed([converter]).paths == ["/dev/video0"])
  }

  @Test func `a graph that runs in a circle ends`() {
    let graph = MediaGraph(
      device: "media0", node: 1, roles: [1: .node, 2: .other, 3: .other],
      feeders: [1: [2], 2: [3], 3: [2, 1]])
    #expect(!graph.isFedByPrograms && graph.origins.isEmpty)
  }

  @Test func `a bare sensor on the machine's own bus is left to libcamera, a USB camera is not`() {
    var sensor = Self.node("unicam", [Self.bayer])
    sensor.placement.usb = nil
    let (paths, omitted) = listed([sensor])
    #expect(paths.isEmpty && omitted[0].contains("BG10") && omitted[0].contains("libcamera"))
    #expect(listed([Self.node("Microscope", [Self.bayer])]).paths == ["/dev/video0"])
  }
}
