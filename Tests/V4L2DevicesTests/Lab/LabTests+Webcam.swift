import CaptureDevice
import CaptureDeviceTesting
import CoreMedia
import Foundation
import Linux
import Testing
import V4L2Devices
import Waiting

/// The kernel's driver for USB webcams.
extension LabTests {
  @Test func `a USB webcam is one camera, known by its serial number, with the controls that it has`() throws
  {
    let camera = try LabWebcam.plug()
    let facts = camera.facts
    #expect(Vivid.cameras().count == 3, "its node for metadata is no camera")
    #expect(facts.name == "Obscura Lab Webcam" && facts.manufacturer == "Obscura")
    #expect(facts.formats.map(\.encoding) == [.motionJPEG, .motionJPEG])
    #expect(facts.formats.map(\.size.description) == ["640×480", "1280×720"])
    #expect(
      facts.formats[0].frameDurations.map(\.lowerBound) == [FrameDuration(1, 30), FrameDuration(1, 15)])
    #expect(facts.capabilities.exposureModes == [.locked, .continuousAuto, .custom])
    #expect(
      facts.capabilities.focusModes == [.locked, .continuousAuto] && facts.capabilities.hasLensPosition)
    #expect(facts.capabilities.whiteBalanceModes == [.locked, .continuousAuto])
    #expect(facts.formats[0].maxZoom == 5 && facts.formats[0].exposureNanoseconds == 300_000...204_700_000)
  }

  @Test func `its pictures arrive byte by byte as the camera made them`()
    throws
  {
    let wanted = try Data(contentsOf: URL(fileURLWithPath: LabWebcam.picture))
    let stream = try LabWebcam.open()
    let log = EventLog(keepsFrames: true)
    try stream.start(log.receive)
    #expect(wait(log) { $0.frames.count >= 3 })
    stream.stop()
    for frame in log.now.frames {
      guard case .jpeg(let bytes, let size) = frame.picture else { throw ScriptedKernel.Missing.picture }
      #expect(size == FrameSize(width: 640, height: 480))
      #expect(try bytes.dataBytes().prefix(wanted.count) == wanted)
    }
    log.releaseFrames()
  }

  @Test(arguments: ["every-key-frame", "once"])
  func `the H.264 of a USB webcam arrives unit by unit as the camera made it, from a key frame on`(
    _ name: String
  ) throws {
    let recording = try H264Stream(name)
    // With their lengths instead of start codes, and without what says no more than that a picture begins.
    let wanted = recording.slices.map { slices in
      slices.map { slice in (0..<4).map { UInt8(truncatingIfNeeded: slice.count >> (24 - 8 * $0)) } + slice }
        .joined()
    }.map { Data($0) }
    try LabWebcam.withH264(name) { camera in
      #expect(camera.facts.formats.map(\.encoding) == [.h264] && camera.facts.formats[0].stillSizes.isEmpty)
      let log = EventLog(keepsFrames: true)
      let stream = try camera.open(.h264, bufferCount: 30)
      try stream.start(log.receive)
      #expect(wait(log) { $0.frames.count >= 15 })
      stream.stop()
      let frames = log.now.frames
      #expect(frames.first?.sequence == 0)
      for frame in frames {
        guard case .coded(let picture) = frame.picture else { throw ScriptedKernel.Missing.picture }
        #expect(picture.format.dimensions.width == 64 && picture.format.dimensions.height == 48)
        // A machine that stood still has lost some, up to a key frame; what came is whole.
        let data = try picture.data.dataBytes()
        #expect(wanted.indices.contains { wanted[$0] == data && picture.isKeyFrame == ($0 % 6 == 0) })
      }
      log.releaseFrames()
    }
  }

  @Test func `its controls are set in the driver, and read back`() throws {
    let camera = try LabWebcam.plug()
    _ = try camera.apply([
      .lensPosition(0), .customExposure(durationNanoseconds: 20_000_000, iso: nil), .zoom(2),
      .whiteBalanceMode(.locked),
    ])
    let reported = try Vivid.run(
      "v4l2-ctl -d \(camera.path) -C focus_automatic_continuous,focus_absolute,auto_exposure,"
        + "exposure_time_absolute,zoom_absolute,white_balance_automatic")
    let lines = Set(reported.split(separator: "\n").map(String.init))
    let wanted: Set = [
      "focus_automatic_continuous: 0", "focus_absolute: 250", "auto_exposure: 1 (Manual Mode)",
      "exposure_time_absolute: 200", "zoom_absolute: 200", "white_balance_automatic: 0",
    ]
    #expect(lines == wanted)
    let state = camera.controlState
    #expect(state.exposureMode == .custom && state.exposure.durationNanoseconds == 20_000_000)
    #expect(state.lensPosition == 0 && state.zoom == 2 && state.whiteBalanceMode == .locked)
    let error = #expect(throws: CaptureDeviceError.self) { try camera.apply([.zoom(7)]) }
    #expect(error?.code == .controlUnsupported)
    _ = try camera.apply([
      .focusMode(.continuousAuto), .exposureMode(.continuousAuto), .zoom(1),
      .whiteBalanceMode(.continuousAuto),
    ])
    #expect(camera.controlState.exposureMode == .continuousAuto)
    #expect(camera.controlState.focusMode == .continuousAuto)
  }

  @Test func `its privacy switch interrupts the stream, and what others set shows in the frames`() throws {
    try LabWebcam.set("privacy=0,zoom_absolute=100")
    let stream = try LabWebcam.open()
    let reported = Monitor<[String]>([])
    let log = EventLog(keepsFrames: true)
    try stream.start { event in
      switch event {
      case .interrupted(.privacy): reported.withLock { $0.append("privacy") }
      case .resumed: reported.withLock { $0.append("resumed") }
      default: log.receive(event)
      }
    }
    #expect(wait(log) { $0.frames.count >= 1 })
    log.releaseFrames()
    try LabWebcam.set("zoom_absolute=300")
    #expect(
      (0..<20).contains { _ in
        log.releaseFrames()
        return log.wait { $0.frames.last?.conditions.state.zoom == 3 }
      })
    try LabWebcam.set("privacy=1")
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
    #expect(reported.wait(until: deadline, for: { $0 == ["privacy"] }, then: { _ in }) != nil)
    try LabWebcam.set("privacy=0")
    #expect(reported.wait(until: deadline, for: { $0 == ["privacy", "resumed"] }, then: { _ in }) != nil)
    log.releaseFrames()
    let count = log.now.sequences.count
    #expect(wait(log) { $0.sequences.count > count })
    stream.stop()
    log.releaseFrames()
    try LabWebcam.set("zoom_absolute=100")
  }

  /// Ways to pull it out: the plug, the controller.
  enum Pull: String, CaseIterable, Sendable {
    case plug, controller

    func pull() throws {
      switch self {
      case .plug: try LabWebcam.unplug()
      case .controller: try LabWebcam.bindController(false)
      }
    }

    func mend() throws {
      if self == .controller { try LabWebcam.bindController(true) }
    }
  }

  @Test(arguments: Pull.allCases)
  func `a USB webcam pulled out again and again while it streams says so within a second and leaks nothing`(
    _ way: Pull
  ) throws {
    func cycle() throws {
      let log = EventLog()
      do {
        let camera = try LabWebcam.plug()
        #expect(camera.facts.uniqueID == LabWebcam.uniqueID)
        let stream = try LabWebcam.open()
        try stream.start(log.receive)
        #expect(wait(log) { $0.sequences.count >= 2 })
        try way.pull()
        let pulled = MonotonicInstant.now
        #expect(wait(log) { $0.failure != nil })
        #expect(log.now.failure?.code == .disconnected)
        #expect(MonotonicInstant.now.nanoseconds - pulled.nanoseconds < 1_000_000_000)
        stream.stop()
      }
      try way.mend()
    }
    // The first round may load what stays.
    try cycle()
    let before = try ProcessHoldings.now()
    for round in 1...(way == .controller ? 20 : 5) {
      try cycle()
      Vivid.report("round \(round)")
    }
    #expect(
      outside(ProcessHoldings.why) { (try? ProcessHoldings.now().descriptors) ?? .max <= before.descriptors })
    #expect(
      outside(ProcessHoldings.why) { (try? ProcessHoldings.now().threads) ?? .max <= before.threads + 2 })
    #expect(try ProcessHoldings.now().mappings <= before.mappings)
  }

  static let webcamSuite = DeviceConformanceSuite(
    device: LabWebcam.uniqueID,
    makeProvider: {
      try LabWebcam.plug()
      return V4L2DeviceProvider()
    })

  @Test(arguments: webcamSuite.checks)
  func `a USB webcam keeps the contract`(_ check: DeviceConformanceSuite.Check) throws {
    try check.run()
  }
}
