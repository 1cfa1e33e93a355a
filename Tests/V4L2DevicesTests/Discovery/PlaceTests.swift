import CaptureDevice
import Linux
import Testing
import V4L2Devices

@Suite("V4L2: where a camera sits")
struct PlaceTests {
  /// A webcam, changed, in a machine; its facts.
  func facts(
    laptop: Bool = false, _ change: (inout KernelCamera) -> Void
  ) throws -> DeviceFacts {
    var camera = KernelCamera.webcam()
    change(&camera)
    let kernel = ScriptedKernel([camera])
    kernel.state.withLock { $0.machine.isLaptop = laptop }
    return try kernel.camera().facts
  }

  @Test(arguments: [(Int64(0), DevicePosition.front), (1, .back), (2, .unspecified)])
  func `the driver's orientation decides`(_ orientation: Int64, _ position: DevicePosition) throws {
    let facts = try facts { camera in
      camera.placement = DevicePlacement()
      camera.controls[.orientation] = VideoControlDescription(
        0, 2, kind: .menu, name: "Camera Orientation", flags: .readOnly)
      camera.menus[.orientation] = [
        0: VideoMenuEntry("Front"), 1: VideoMenuEntry("Back"), 2: VideoMenuEntry("External"),
      ]
      camera.values[.orientation] = orientation
    }
    #expect(facts.position == position)
    #expect(facts.kind == (position == .unspecified ? .externalCamera : .wideAngleCamera))
  }

  @Test func `the firmware's panel counts for what is built in, and not for a socket`() throws {
    let fixed = try facts {
      $0.placement.usb?.isFixed = true
      $0.placement.panel = .back
    }
    #expect(fixed.position == .back && fixed.kind == .wideAngleCamera)
    let loose = try facts { $0.placement.panel = .back }
    #expect(loose.position == .unspecified && loose.kind == .externalCamera)
  }

  @Test(arguments: [
    ("Microsoft Camera Front", DevicePosition.front), ("Microsoft Camera Rear", .back),
    ("Integrated Webcam (world-facing)", .back), ("Integrated Camera", .unspecified),
  ])
  func `the name of a built-in camera may say it`(_ name: String, _ position: DevicePosition) throws {
    let built = try facts { camera in
      camera.identity.card = name
      camera.placement.usb?.isFixed = true
    }
    #expect(built.position == position && built.kind == .wideAngleCamera)
    #expect(try facts { $0.identity.card = name }.position == .unspecified)
  }

  @Test func `the only camera in a laptop looks at its user, one on a cable looks anywhere`() throws {
    #expect(try facts(laptop: true) { $0.placement.usb?.isFixed = true }.position == .front)
    #expect(try facts { $0.placement.usb?.isFixed = true }.position == .unspecified)
    #expect(try facts(laptop: true) { _ in }.position == .unspecified)
    // Of two in one machine it is not known which.
    let kernel = ScriptedKernel(
      ["1-1", "1-2"].map { FoldingTests.node("Camera", port: $0, fixed: true, [.yuyv]) })
    kernel.state.withLock { $0.machine.isLaptop = true }
    let cameras = V4L2DeviceProvider(kernel: kernel).cameras()
    #expect(cameras.map(\.facts.position) == [.unspecified, .unspecified])
  }

  @Test func `a sensor that is mounted turned says by how much`() throws {
    // The kernel counts the other way around.
    let facts = try facts { camera in
      camera.controls[.sensorRotation] = VideoControlDescription(
        90, 90, name: "Camera Sensor Rotation", flags: .readOnly)
      camera.values[.sensorRotation] = 90
    }
    #expect(facts.sensorRotation == 270)
    #expect(try self.facts { _ in }.sensorRotation == 0)
  }
}
