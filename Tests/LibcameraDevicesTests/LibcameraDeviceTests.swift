import CaptureDevice
import CaptureDeviceTesting
import CoreVideo
import Glibc
import LibcameraDevices
import Linux
import StreamParts
import Testing

/// A machine without video devices of the kernel's.
let noNodes = VideoNodes(root: "/nowhere")

@Suite("Cameras of libcamera")
struct LibcameraDeviceTests {
  @Test(
    arguments: DeviceConformanceSuite(makeProvider: { LibcameraDeviceProvider(ScriptedLibrary(), noNodes) })
      .checks)
  func `a camera keeps the contract`(_ check: DeviceConformanceSuite.Check) throws {
    try check.run()
  }

  @Test(
    arguments: DeviceConformanceSuite(
      formats: { $0.formats.suffix(1) },
      makeProvider: { LibcameraDeviceProvider(ScriptedLibrary(), noNodes) }
    ).checks)
  func `its format of full size keeps the contract, too`(
    _ check: DeviceConformanceSuite.Check
  ) throws {
    try check.run()
  }

  @Test(
    arguments: DeviceConformanceSuite(
      formats: { $0.formats.suffix(1) },
      makeProvider: {
        var script = CameraScript()
        script.mostGranted = 3
        return LibcameraDeviceProvider(ScriptedLibrary([ScriptedCamera(script)]), noNodes)
      }
    ).checks)
  func `a camera that grants three buffers at most keeps the contract`(
    _ check: DeviceConformanceSuite.Check
  ) throws {
    try check.run()
  }

  @Test func `it is listed with its place, its formats and what it can do`() throws {
    let camera = ScriptedCamera()
    let facts = try #require(
      LibcameraDeviceProvider(ScriptedLibrary([camera]), noNodes).devices().first
    ).facts
    #expect(facts.uniqueID == "libcamera-/base/soc/i2c0mux/i2c@1/imx708@1a")
    #expect(facts.name == "imx708" && facts.modelID == "imx708")
    #expect(facts.position == .back && facts.kind == .wideAngleCamera)
    #expect(facts.sensorRotation == 270, "libcamera counts counter-clockwise")
    #expect(facts.formats.map(\.size.width) == [160, 320, 640])
    let photos = try #require(facts.formats.last)
    #expect(photos.isPhotoQuality && photos.scalesStream && photos.stillSizes == [photos.size])
    #expect(facts.formats.dropLast().allSatisfy { !$0.isPhotoQuality && $0.stillSizes == [$0.size] })
    #expect(
      photos.stillMosaic
        == StillMosaicFormat(
          layout: MosaicLayout(pixelFormat: kCVPixelFormatType_14Bayer_RGGB, bits: 10, isPacked: true),
          size: FrameSize(width: 768, height: 432)))
    #expect(photos.frameDurations == [FrameDuration(1, 60)...FrameDuration(1, 4)])
    #expect(photos.exposureNanoseconds == 26_000...220_000_000 && photos.iso == 100...1600)
    #expect(photos.maxZoom == 16 && photos.zoomUpscaleThreshold == 5.4)
    let abilities = facts.capabilities
    #expect(abilities.exposureModes == Set(ExposureMode.allCases))
    #expect(abilities.focusModes == Set(FocusMode.allCases) && abilities.hasLensPosition)
    #expect(abilities.hasFocusPoint && abilities.hasFocusRange && abilities.hasSmoothFocus)
    #expect(abilities.exposureBias == -8...8 && abilities.whiteBalanceGains == 1...32)
    #expect(abilities.recalledFrames == 3)
    #expect(!camera.isOpen)
  }

  @Test func `one that has neither controls nor a second stream promises none`() throws {
    var script = CameraScript()
    script.full = nil
    script.raw = nil
    script.ranges = []
    let facts = try #require(
      LibcameraDeviceProvider(ScriptedLibrary([ScriptedCamera(script)]), noNodes).devices().first
    ).facts
    #expect(facts.capabilities == CameraCapabilities())
    #expect(facts.formats.allSatisfy { !$0.scalesStream && $0.stillMosaic == nil && $0.maxZoom == 1 })
    #expect(facts.formats.allSatisfy { $0.frameDurations == [FrameDuration(1, 30)...FrameDuration(1, 30)] })
  }

  @Test func `pictures that nothing here reads are named, and make no camera`() throws {
    var script = CameraScript()
    script.code = PictureCode("AB30")
    let provider = LibcameraDeviceProvider(ScriptedLibrary([ScriptedCamera(script)]), noNodes)
    #expect(provider.devices().isEmpty)
    #expect(provider.absences.first?.message.contains("sends no pictures that are read here") == true)
  }

  @Test func `one that another program has is not listed, says so, and comes when it is free`() throws {
    var script = CameraScript()
    script.refusal = EBUSY
    let (busy, library) = (ScriptedCamera(script), ScriptedLibrary([]))
    library.plug(busy)
    let provider = LibcameraDeviceProvider(library, noNodes)
    #expect(provider.devices().isEmpty && provider.absences.map(\.code) == [.deviceBusy])
    library.unplug(busy)
    library.plug(ScriptedCamera())
    #expect(provider.devices().count == 1 && provider.absences.isEmpty)
  }

  @Test func `a library that does not start is one sentence`() {
    let provider = LibcameraDeviceProvider(ScriptedLibrary(refusal: EIO), noNodes)
    provider.observeDevices { _ in }
    #expect(provider.devices().isEmpty && provider.watchFailure?.code == .ioFailure)
    #expect(provider.absences.count == 1)
    #expect(provider.absences.first?.message.hasPrefix("libcamera does not start: ") == true)
  }

  @Test func `frames that the camera loses are reported in their place, and their shades are the numbers`()
    throws
  {
    var script = CameraScript()
    script.lostFrames = [4, 5]
    let camera = try #require(
      LibcameraDeviceProvider(ScriptedLibrary([ScriptedCamera(script)]), noNodes).devices().first)
    let stream = try camera.openPhotos()
    let log = CameraLog()
    try stream.start(log.receive)
    let seen = try #require(log.wait { $0.frames.count >= 5 })
    stream.stop()
    #expect(seen.frames.prefix(5).map(\.sequence) == [0, 1, 2, 5, 6] && seen.drops == [3, 4])
    #expect(seen.frames.prefix(5).map(\.shade) == [1, 2, 3, 6, 7])
  }

  @Test func `less memory than was asked for is fewer buffers`() throws {
    var script = CameraScript()
    script.mostBuffers = 7
    let camera = try #require(
      LibcameraDeviceProvider(ScriptedLibrary([ScriptedCamera(script)]), noNodes).devices().first)
    #expect(try camera.openPhotos(buffers: 16).configuration.bufferCount == 4)
  }

  @Test func `one that falls silent ends its stream, and says so`() throws {
    var script = CameraScript()
    script.isSilent = true
    let provider = LibcameraDeviceProvider(
      ScriptedLibrary([ScriptedCamera(script)]), noNodes, timeout: SilenceTimeout(nanoseconds: 200_000_000))
    let stream = try #require(provider.devices().first).openPhotos()
    let (log, stills) = (CameraLog(), StillLog())
    try stream.start(log.receive)
    stream.captureStill(StillRequest(size: FrameSize(width: 640, height: 480)), completion: stills.take)
    let end = try #require(log.wait { $0.failure != nil })
    #expect(end.failure?.code == .noFrames)
    #expect(stills.wait().map { $0.error?.code } == [.noFrames])
  }

  @Test func `one that cancels every request gets no more than one pair a frame until its stream ends`()
    throws
  {
    var script = CameraScript()
    script.cancelsAll = true
    let camera = ScriptedCamera(script)
    let provider = LibcameraDeviceProvider(
      ScriptedLibrary([camera]), noNodes, timeout: SilenceTimeout(nanoseconds: 200_000_000))
    let stream = try #require(provider.devices().first).openPhotos()
    let log = CameraLog()
    try stream.start(log.receive)
    #expect(log.wait { $0.failure != nil }?.failure?.code == .noFrames)
    // The silence is twenty frames.
    #expect(camera.requestCount >= 2 && camera.requestCount <= 60)
  }

  @Test func `another frame rate goes along with a request, and one that the format lacks is refused`() throws
  {
    let camera = ScriptedCamera()
    let device = try #require(LibcameraDeviceProvider(ScriptedLibrary([camera]), noNodes).devices().first)
    let stream = try device.openPhotos()
    let log = CameraLog()
    try stream.start(log.receive)
    #expect(try stream.setFrameDuration(FrameDuration(1, 50)) == FrameDuration(1, 50))
    #expect(stream.configuration.frameDuration == FrameDuration(1, 50))
    let wanted = ControlValue(.frameDurationLimits, [20_000, 20_000])
    #expect(camera.wait { $0.contains(wanted) } != nil)
    let error = #expect(throws: CaptureDeviceError.self) { try stream.setFrameDuration(FrameDuration(1, 2)) }
    #expect(error?.code == .formatUnsupported)
    stream.stop()
  }
}

extension Result where Failure == CaptureDeviceError {
  /// Why it failed.
  var error: CaptureDeviceError? {
    if case .failure(let error) = self { error } else { nil }
  }
}
