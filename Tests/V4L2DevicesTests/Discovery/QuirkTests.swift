import CaptureDevice
import Foundation
import Linux
import Testing
import V4L2Devices

@Suite("V4L2: known lies of devices")
struct QuirkTests {
  func facts(
    _ machine: MachineModel = MachineModel(), _ change: (inout KernelCamera) -> Void
  ) throws -> DeviceFacts {
    var camera = KernelCamera.webcam()
    change(&camera)
    let kernel = ScriptedKernel([camera])
    kernel.state.withLock { $0.machine = machine }
    return try kernel.camera().facts
  }

  @Test func `every entry names a symptom, devices and a source`() {
    #expect(DeviceQuirk.all.count >= 8)
    for quirk in DeviceQuirk.all {
      #expect(quirk.symptom.hasSuffix("."))
      #expect(!quirk.devices.isEmpty)
      #expect(quirk.source.hasPrefix("https://"))
    }
  }

  @Test func `a serial number that a whole series shares is none`() throws {
    let shared = try facts { camera in
      camera.placement.usb?.serial = "200901010001"
      camera.placement.usb?.socket = "0000:00:14.0-usb2-1.2"
    }
    #expect(shared.uniqueID == "usb-046d:0825-port-0000:00:14.0-usb2-1.2")
    #expect(try facts { $0.placement.usb?.serial = "SN0001" }.uniqueID == "usb-046d:0825-SN0001")
    let inno = try facts { camera in
      camera.identity.card = "Innomaker-U20CAM-1080p-S1"
      camera.placement.usb?.serial = "SN0001"
    }
    #expect(inno.uniqueID == "usb-046d:0825-port-1-2")
  }

  @Test func `a sensor that is built in upside down is turned, in the machines that do so`() throws {
    func rotation(_ vendor: UInt16, _ product: UInt16, _ machine: MachineModel) throws -> Int {
      try facts(machine) { camera in
        camera.placement.usb?.vendor = vendor
        camera.placement.usb?.product = product
      }.sensorRotation
    }
    #expect(try rotation(0x0471, 0x0325, MachineModel()) == 180)
    let asus = MachineModel(boardVendor: "ASUSTeK Computer INC.", boardName: "K50IJ")
    #expect(try rotation(0x04f2, 0xb071, asus) == 180)
    #expect(try rotation(0x04f2, 0xb071, MachineModel(boardVendor: "LENOVO", boardName: "K50IJ")) == 0)
    #expect(try rotation(0x04f2, 0xb072, asus) == 0)
  }

  @Test func `a LifeCam is given only exposure times that it takes`() throws {
    let kernel = ScriptedKernel([
      .controlled { camera in
        camera.identity.card = "Microsoft® LifeCam HD-3000: Mi"
        camera.placement.usb?.productName = "Microsoft® LifeCam HD-3000"
        camera.controls[.exposureAbsolute] = VideoControlDescription(5, 20000, default: 156, name: "Exposure")
      }
    ])
    let camera = try kernel.camera()
    _ = try camera.apply([.customExposure(durationNanoseconds: 10_000_000, iso: nil)])
    #expect(kernel.device("/dev/video0") { $0.values[.exposureAbsolute] } == 78)
    _ = try camera.apply([.customExposure(durationNanoseconds: 13_000_000, iso: nil)])
    #expect(kernel.device("/dev/video0") { $0.values[.exposureAbsolute] } == 156)
  }

  @Test(arguments: [
    ("Arducam OV2311 USB Camera", Int64(14_000_000)), ("Arducam OV9281 USB Camera", 7_500_000),
  ])
  func `an exposure range that the sensor lacks is cut`(_ name: String, _ longest: Int64) throws {
    let facts = try facts { camera in
      camera.addControls()
      camera.identity.card = name
      camera.placement.usb?.vendor = 0x0c45
      camera.placement.usb?.product = 0x6366
      camera.controls[.exposureAbsolute] = VideoControlDescription(1, 5000, name: "Exposure")
    }
    #expect(facts.formats[0].exposureNanoseconds == 100_000...longest)
  }

  @Test(arguments: [
    (UInt16(0x0aa5), Float(0.000125)), (0x0b48, 0.000125), (0x0b64, 0.00025), (0x0b5b, 0.0001),
  ])
  func `a depth camera that counts in parts of a millimetre is believed in metres`(
    _ product: UInt16, _ metres: Float
  ) throws {
    let kernel = ScriptedKernel(
      KernelCamera.depthCamera { depth, colour in
        depth.placement.usb?.vendor = 0x8086
        depth.placement.usb?.product = product
        colour.placement = depth.placement
        colour.placement.usb?.interface = 3
      })
    let log = EventLog(keepsFrames: true)
    let stream = try kernel.camera().openDepth()
    try stream.start(log.receive)
    kernel.expose("/dev/video0")
    #expect(log.wait { $0.maps.map(\.metresPerUnit) == [metres] })
    stream.stop()
  }

  @Test func `an infrared sensor that claims colours is known by its only size`() {
    var infrared = FoldingTests.node("Integrated_Webcam_HD: Integrate", function: 2, fixed: true, [.yuyv])
    infrared.modes[0].sizes = [.one(VideoSize(340, 340))]
    let colour = FoldingTests.node("Integrated_Webcam_HD: Integrate", fixed: true, [.yuyv])
    let provider = V4L2DeviceProvider(kernel: ScriptedKernel([colour, infrared]))
    #expect(provider.cameras().map(\.path) == ["/dev/video0"])
    #expect(provider.omittedNodes[0].contains("infrared"))
  }

  @Test func `nodes that are no cameras say what they are instead`() {
    var processor = KernelCamera.plain(.yuyv)
    processor.identity.driver = "bcm2835-isp"
    var loopback = KernelCamera.plain(.yuyv)
    loopback.identity.driver = "v4l2 loopback"
    var exclusive = loopback
    loopback.identity.captures = false
    exclusive.identity.card = "OBS Virtual Camera"
    let provider = V4L2DeviceProvider(kernel: ScriptedKernel([processor, loopback, exclusive]))
    #expect(provider.cameras().map(\.facts.name) == ["OBS Virtual Camera"])
    #expect(provider.omittedNodes[0].contains("programs feed it"))
    #expect(provider.omittedNodes[1].contains("exclusive_caps=1"))
  }

  @Test func `the camera above a MacBook's screen looks at its user`() throws {
    let facts = try facts { camera in
      camera.identity = VideoIdentity(
        driver: "facetimehd", card: "Apple Facetime HD", bus: "PCI:0000:02:00.0")
      camera.placement = DevicePlacement()
    }
    #expect(facts.position == .front && facts.kind == .wideAngleCamera)
  }
}
