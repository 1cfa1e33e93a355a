import CaptureDevice
import LibcameraDevices
import Linux
import Testing

@Suite("Controls of libcamera's cameras")
struct ControlTests {
  /// A change, and the settings that it must bring, in whatever order.
  struct Case: Sendable, CustomTestStringConvertible {
    var controls: [CameraControl]
    var settings: [ControlValue]
    /// What the frame that shows it must report.
    var shows: @Sendable (ControlState) -> Bool = { _ in true }

    var testDescription: String { "\(controls)" }
  }

  static let cases = [
    Case(controls: [.exposureMode(.locked)], settings: [ControlValue(.aeEnable, 0)]) {
      $0.exposureMode == .locked && $0.exposure.durationNanoseconds == 10_000_000
    },
    Case(
      controls: [.customExposure(durationNanoseconds: 4_000_000, iso: 800)],
      settings: [
        ControlValue(.aeEnable, 0), ControlValue(.exposureTime, 4000), ControlValue(.analogueGain, 8),
      ]
    ) {
      $0.exposureMode == .custom && $0.exposure.durationNanoseconds == 4_000_000 && $0.exposure.iso == 800
    },
    Case(
      controls: [.customExposure(durationNanoseconds: nil, iso: 400)],
      settings: [
        ControlValue(.aeEnable, 0), ControlValue(.exposureTime, 10_000), ControlValue(.analogueGain, 4),
      ]),
    Case(controls: [.exposureBias(1.5)], settings: [ControlValue(.exposureValue, 1.5)]) {
      $0.exposureBias == 1.5
    },
    Case(controls: [.whiteBalanceMode(.locked)], settings: [ControlValue(.awbEnable, 0)]) {
      $0.whiteBalanceMode == .locked && $0.whiteBalanceGains == WhiteBalanceGains(red: 2, green: 1, blue: 1.5)
    },
    Case(
      controls: [.whiteBalanceGains(WhiteBalanceGains(red: 4, green: 2, blue: 3))],
      settings: [ControlValue(.awbEnable, 0), ControlValue(.colourGains, [2, 1.5])]
    ) { $0.whiteBalanceMode == .locked },
    Case(
      controls: [.focusPoint(FramePoint(x: 0, y: 1)), .focusMode(.auto)],
      settings: [
        ControlValue(.afMode, 1), ControlValue(.afTrigger, 0), ControlValue(.afMetering, 1),
        ControlValue(.afWindows, [0, 2074, 922, 518]),
      ]
    ) { $0.focusMode == .auto && $0.focusPoint == FramePoint(x: 0, y: 1) },
    Case(
      controls: [.lensPosition(0.25)],
      settings: [ControlValue(.afMode, 0), ControlValue(.lensPosition, 7.5)]
    ) { $0.focusMode == .locked && $0.lensPosition == 0.25 },
    Case(controls: [.focusRange(.near)], settings: [ControlValue(.afRange, 1)]) { $0.focusRange == .near },
    Case(controls: [.smoothFocus(true)], settings: [ControlValue(.afSpeed, 0)]) { $0.isSmoothFocus },
    // A part of the sensor in the shape of the pictures, in its middle.
    Case(controls: [.zoom(2)], settings: [ControlValue(.scalerCrop, [1440, 648, 1728, 1296])]) {
      $0.zoom == 2 && !$0.isRampingZoom
    },
  ]

  private func start(_ camera: ScriptedCamera) throws -> (
    any CaptureDeviceDriver, any CaptureStream, CameraLog
  ) {
    let device = try #require(LibcameraDeviceProvider(ScriptedLibrary([camera]), noNodes).devices().first)
    let (stream, log) = (try device.openPhotos(), CameraLog())
    try stream.start(log.receive)
    _ = log.wait { $0.frames.count >= 2 }
    return (device, stream, log)
  }

  @Test(arguments: cases)
  func `a change is set as libcamera says it, and the frame that shows it reports it`(_ tried: Case) throws {
    let camera = ScriptedCamera()
    let (device, stream, log) = try start(camera)
    let before = camera.sets.count
    let change = try device.apply(tried.controls)
    let frame = try #require(log.frame(showing: change))
    stream.stop()
    #expect(Set(camera.sets.dropFirst(before)) == Set(tried.settings))
    #expect(tried.shows(frame.state))
    #expect(tried.shows(device.controlState))
  }

  @Test func `several changes at once are set with one request, and one that is refused changes nothing`()
    throws
  {
    let camera = ScriptedCamera()
    let (device, stream, log) = try start(camera)
    let (before, state) = (camera.sets.count, device.controlState)
    let error = #expect(throws: CaptureDeviceError.self) {
      try device.apply([.exposureBias(1), .customExposure(durationNanoseconds: 1, iso: nil)])
    }
    #expect(error?.code == .controlUnsupported)
    #expect(
      error?.message
        == "imx708 cannot change its exposure so: it takes 26000 to 220000000 nanoseconds.")
    let count = log.now.frames.count
    _ = log.wait { $0.frames.count >= count + 4 }
    #expect(camera.sets.count == before && device.controlState.exposureBias == state.exposureBias)
    let change = try device.apply([.exposureBias(1), .whiteBalanceMode(.locked)])
    #expect(log.frame(showing: change)?.state.whiteBalanceMode == .locked)
    stream.stop()
  }

  @Test func `a sensor that obeys late is not said to have obeyed before`() throws {
    var script = CameraScript()
    script.delay = 2
    let (device, stream, log) = try start(ScriptedCamera(script))
    let change = try device.apply([.customExposure(durationNanoseconds: 4_000_000, iso: 800)])
    let frame = try #require(log.frame(showing: change))
    stream.stop()
    #expect(frame.state.exposure.durationNanoseconds == 4_000_000)
    let early = log.now.frames.filter { $0.state.change < change }
    #expect(early.allSatisfy { $0.state.exposure.durationNanoseconds == 10_000_000 })
  }

  @Test func `what was set before a start goes along with it, and values by hand end with the mode`() throws {
    let camera = ScriptedCamera()
    let device = try #require(LibcameraDeviceProvider(ScriptedLibrary([camera]), noNodes).devices().first)
    _ = try device.apply([
      .customExposure(durationNanoseconds: 4_000_000, iso: 800), .zoom(2),
      .whiteBalanceGains(WhiteBalanceGains(red: 2)),
    ])
    let change = try device.apply([.exposureMode(.continuousAuto)])
    let (stream, log) = (try device.openPhotos(), CameraLog())
    try stream.start(log.receive)
    let first = try #require(log.wait { !$0.frames.isEmpty }?.frames.first)
    stream.stop()
    #expect(
      Set(camera.sets) == [
        ControlValue(.aeEnable, 1), ControlValue(.awbEnable, 0), ControlValue(.colourGains, [2, 1]),
        ControlValue(.scalerCrop, [1440, 648, 1728, 1296]),
        ControlValue(.frameDurationLimits, [16_667, 16_667]),
      ])
    #expect(first.state.change == change && first.state.zoom == 2)
  }

  @Test func `an exposure that is longer than a frame makes frames longer, until auto exposure is back`()
    throws
  {
    let camera = ScriptedCamera()
    let (device, stream, _) = try start(camera)
    let limits = { (sets: [ControlValue]) in
      sets.filter { $0.control == .frameDurationLimits }.map(\.numbers)
    }
    let frame = [16_667.0, 16_667]
    _ = try device.apply([.customExposure(durationNanoseconds: 100_000_000, iso: 800)])
    #expect(camera.wait { limits($0).count == 2 }.map(limits) == [frame, [16_667, 100_000]])
    #expect(try stream.setFrameDuration(FrameDuration(1, 50)) == FrameDuration(1, 50))
    #expect(camera.wait { limits($0).count == 3 }.map(limits)?.last == [20_000, 100_000])
    _ = try device.apply([.exposureMode(.continuousAuto)])
    #expect(camera.wait { limits($0).count == 4 }.map(limits)?.last == [20_000, 20_000])
    stream.stop()
  }

  @Test func `an exposure that was set before the start makes its frames longer, too`() throws {
    let camera = ScriptedCamera()
    let device = try #require(LibcameraDeviceProvider(ScriptedLibrary([camera]), noNodes).devices().first)
    _ = try device.apply([.customExposure(durationNanoseconds: 100_000_000, iso: 800)])
    let stream = try device.openPhotos()
    try stream.start { _ in }
    stream.stop()
    #expect(camera.sets.contains(ControlValue(.frameDurationLimits, [16_667, 100_000])))
  }

  @Test func `the part of the sensor that another format shows has that format's shape`() throws {
    let camera = ScriptedCamera()
    let device = try #require(LibcameraDeviceProvider(ScriptedLibrary([camera]), noNodes).devices().first)
    _ = try device.apply([.zoom(2)])
    _ = try device.apply([.zoom(1)])
    let format = try #require(device.facts.formats.first { $0.size == FrameSize(width: 320, height: 180) })
    let stream = try device.openStream(
      StreamConfiguration(format: format, frameDuration: FrameDuration(1, 60)))
    try stream.start { _ in }
    stream.stop()
    #expect(
      camera.sets.filter { $0.control == .scalerCrop } == [ControlValue(.scalerCrop, [0, 0, 4608, 2592])])
  }

  @Test func `a search for what is sharp that is asked for before the start begins with it`() throws {
    let camera = ScriptedCamera()
    camera.tell(.afState, [1])
    let device = try #require(LibcameraDeviceProvider(ScriptedLibrary([camera]), noNodes).devices().first)
    _ = try device.apply([.focusMode(.auto)])
    let (stream, log) = (try device.openPhotos(), CameraLog())
    try stream.start(log.receive)
    let seen = try #require(log.wait { $0.frames.count >= 2 })
    #expect(camera.sets.filter { $0.control == .afTrigger } == [ControlValue(.afTrigger, 0)])
    #expect(seen.frames.allSatisfy { $0.state.focusMode == .auto && $0.state.isAdjustingFocus })
    stream.stop()
  }

  @Test func `frames tell what the camera's algorithms do, and an adjustment that ends is locked`() throws {
    let camera = ScriptedCamera()
    camera.tell(.aeState, [1])
    camera.tell(.awbState, [1])
    camera.tell(.afState, [1])
    let (device, stream, log) = try start(camera)
    #expect(log.now.frames.last?.state.exposure.isAdjusting == true)
    #expect(log.now.frames.last?.state.isAdjustingWhiteBalance == true)
    #expect(log.now.frames.last?.state.isAdjustingFocus == true)
    let change = try device.apply([.exposureMode(.auto), .whiteBalanceMode(.auto), .focusMode(.auto)])
    #expect(log.frame(showing: change)?.state.exposureMode == .auto)
    let count = log.now.frames.count
    let later = try #require(log.wait { $0.frames.count > count + 8 }?.frames.last?.state)
    #expect(later.exposureMode == .auto && later.whiteBalanceMode == .auto && later.focusMode == .auto)
    for control in [LibraryControl.aeState, .awbState, .afState] { camera.tell(control, [2]) }
    let end = try #require(
      log.wait { log in
        log.frames.last.map { $0.state.exposureMode == .locked && $0.state.focusMode == .locked } ?? false
      }?.frames.last?.state)
    #expect(end.whiteBalanceMode == .locked && !end.exposure.isAdjusting && !end.isAdjustingFocus)
    #expect(camera.wait { $0.contains(ControlValue(.aeEnable, 0)) } != nil)
    #expect(camera.wait { $0.contains(ControlValue(.awbEnable, 0)) } != nil)
    stream.stop()
  }

  @Test func `older libraries tell that auto exposure has settled as locked`() throws {
    let camera = ScriptedCamera()
    camera.tell(.aeLocked, [0])
    let (_, stream, log) = try start(camera)
    #expect(log.now.frames.last?.state.exposure.isAdjusting == true)
    camera.tell(.aeLocked, [1])
    #expect(log.wait { $0.frames.last?.state.exposure.isAdjusting == false } != nil)
    stream.stop()
  }

  @Test func `a ramp moves the crop with each request, up to its end`() throws {
    let camera = ScriptedCamera()
    let (device, stream, log) = try start(camera)
    _ = try device.apply([.zoomRamp(to: 4, rate: 8)])
    let seen = try #require(log.wait { $0.frames.last?.state.zoom == 4 })
    stream.stop()
    let zooms = seen.frames.map(\.state.zoom)
    #expect(zooms == zooms.sorted() && zooms.contains { $0 > 1 && $0 < 4 })
    #expect(seen.frames.contains { $0.state.isRampingZoom } && device.controlState.isRampingZoom == false)
    #expect(camera.sets.last == ControlValue(.scalerCrop, [1872, 972, 864, 648]))
  }

  @Test func `what no property has a word for is attached to pictures`() throws {
    let camera = ScriptedCamera()
    camera.tell(.lux, [412])
    camera.tell(.colourTemperature, [5200])
    camera.tell(.sensorTemperature, [41])
    let (_, stream, log) = try start(camera)
    stream.stop()
    #expect(
      log.now.frames.last?.metadata
        == ["Lux": 412, "ColourTemperature": 5200, "SensorTemperature": 41])
  }

  @Test func `its other controls are listed by name, and set`() throws {
    let camera = ScriptedCamera()
    let (device, stream, _) = try start(camera)
    let natives = try #require(device as? any NativeControls)
    let listed = try natives.nativeControls()
    #expect(listed.map(\.name) == ["brightness", "noise_reduction_mode", "awb_mode"])
    #expect(listed[0].range == -100...100 && listed[0].value == .number(0))
    #expect(listed[1].entries.map(\.name) == ["Off", "Fast", "HighQuality"])
    #expect(try natives.setNativeControl("brightness", to: .number(-25)).value == .number(-25))
    #expect(camera.wait { $0.contains(ControlValue(.brightness, -0.25)) } != nil)
    _ = try natives.setNativeControl("noise_reduction_mode", to: .number(2))
    #expect(camera.wait { $0.contains(ControlValue(.noiseReduction, 2)) } != nil)
    stream.stop()
    for (name, value) in [("brightness", 101), ("noise_reduction_mode", 4), ("gamma", 1)] as [(String, Int64)]
    {
      let error = #expect(throws: CaptureDeviceError.self) {
        try natives.setNativeControl(name, to: .number(value))
      }
      #expect(error?.code == .controlUnsupported)
    }
  }
}
