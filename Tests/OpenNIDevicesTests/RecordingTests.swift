import CaptureDevice
import CaptureDeviceTesting
import Foundation
import Linux
import Testing

import OpenNIDevices

/// Whether OpenNI's library is on this machine.
private let hasLibrary = OpenNILibrary().obstacle == nil

/// A folder of recordings, which goes with the process: what OpenNI has opened must not.
private let folder: String = {
  let path = FileManager.default.temporaryDirectory.appendingPathComponent("oni-\(getpid())").path
  try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  atexit {
    try? FileManager.default.removeItem(
      atPath: FileManager.default.temporaryDirectory.appendingPathComponent("oni-\(getpid())").path)
  }
  return path
}()

private func write(_ recording: RecordingFile, as name: String) throws -> String {
  let path = "\(folder)/\(name).oni"
  try recording.write(to: path)
  return path
}

@Suite("Recordings of depth cameras")
struct RecordingTests {
  private func refusal(_ data: Data, as name: String) throws -> CaptureDeviceError? {
    let path = "\(folder)/\(name).oni"
    try data.write(to: URL(fileURLWithPath: path))
    return #expect(throws: CaptureDeviceError.self) {
      try OpenNIRecordingProvider(path: path, ScriptedSensors())
    }
  }

  @Test func `a path that leads nowhere, and one that is too long, are one sentence each`() {
    let missing = #expect(throws: CaptureDeviceError.self) {
      try OpenNIRecordingProvider(path: "/nowhere/a.oni", ScriptedSensors())
    }
    #expect(
      missing?.message
        == "/nowhere/a.oni cannot be read (No such file or directory); name a recording, an .oni file.")
    let long = #expect(throws: CaptureDeviceError.self) {
      try OpenNIRecordingProvider(path: "/" + String(repeating: "a", count: 300), ScriptedSensors())
    }
    #expect(long?.message.contains("255 bytes") == true)
  }

  @Test func `another kind of file is none`() throws {
    #expect(
      try refusal(Data("no recording, but a text".utf8), as: "text")?.message.contains("no recording") == true
    )
    #expect(try refusal(Data(), as: "empty")?.message.contains("no recording") == true)
  }

  @Test func `a recording that is cut off anywhere is refused before the library sees it`() throws {
    var recording = RecordingFile()
    recording.frames = 3
    let whole = recording.data
    for length in stride(from: 24, to: whole.count, by: 97) {
      let error = try refusal(whole.prefix(length), as: "cut-\(length)")
      #expect(error?.code == .invalidScene && error?.message.contains("damaged or cut off") == true)
    }
  }

  @Test func `records that are too large, of no kind, or none of frames are refused`() throws {
    var recording = RecordingFile()
    recording.frames = 2
    var large = recording.data
    large.replaceSubrange(24 + 16..<24 + 20, with: [0xFF, 0xFF, 0xFF, 0x7F])
    #expect(try refusal(large, as: "large")?.code == .invalidScene)
    var unknown = recording.data
    unknown[24 + 4] = 0x70
    #expect(try refusal(unknown, as: "unknown")?.code == .invalidScene)
    recording.frames = 0
    #expect(try refusal(recording.data, as: "still")?.code == .invalidScene)
  }

  @Test func `without the library there is one sentence that says what to install`() throws {
    let path = try write(RecordingFile(), as: "unplayed")
    let error = #expect(throws: CaptureDeviceError.self) {
      try OpenNIRecordingProvider(path: path, ScriptedSensors(obstacle: "not found"))
    }
    #expect(
      error?.code == .ioFailure && error?.message.hasSuffix("install the package libopenni2-0.") == true)
  }

  @Test func `the word without a file says what to write`() {
    let backend = DeviceBackends.named("openni")
    #expect(backend?.spellings == ["openni", "openni:FILE.oni"] && backend?.isUsual == false)
    let error = #expect(throws: CaptureDeviceError.self) { try backend?.makeProvider("") }
    #expect(error?.message.contains("openni:FILE.oni") == true)
  }
}

@Suite("Recordings that OpenNI plays", .serialized, .enabled(if: hasLibrary))
struct PlayedRecordingTests {
  private static let played = Result { try write(RecordingFile(), as: "played") }

  @Test func `a refusal has the words of its own call`() {
    let others = Monitor<[String]>([])
    // Threads of their own: each waits for the library.
    for number in 0..<8 {
      Thread.detachNewThread {
        let uri = "/nowhere/\(number).oni"
        let strange = (0..<300).map { _ in Self.reason(ofOpening: uri) }.filter { !$0.contains(uri) }
        others.withLock { $0.append(strange.first ?? "") }
      }
    }
    let found = others.wait(
      until: .now.advanced(byNanoseconds: 60_000_000_000), for: { $0.count == 8 }, then: { $0 })
    #expect(found == [String](repeating: "", count: 8))
  }

  private static func reason(ofOpening uri: String) -> String {
    do throws(DepthRefusal) {
      _ = try OpenNILibrary().open(uri)
      return ""
    } catch {
      return error.reason
    }
  }

  @Test(
    arguments: DeviceConformanceSuite(makeProvider: { try OpenNIRecordingProvider(path: played.get()) })
      .checks)
  func `a recording keeps the contract`(_ check: DeviceConformanceSuite.Check) throws {
    try check.run()
  }

  @Test func `pictures and maps are those that were recorded, over and over, with one time for one moment`()
    throws
  {
    var recording = RecordingFile()
    recording.frames = 12
    let camera = try #require(OpenNIRecordingProvider(path: write(recording, as: "values")).devices().first)
    #expect(camera.facts.name == "values.oni" && camera.facts.formats.map(\.size.description) == ["32×24"])
    #expect(abs((camera.facts.lens?.fieldOfView ?? 0) - 60) < 0.01)
    #expect(abs((camera.facts.formats[0].depthFormats[0].lens?.fieldOfView ?? 0) - 58) < 0.01)
    let stream = try camera.openWithDepth()
    let log = SensorLog()
    try stream.start(log.receive)
    let seen = try #require(log.wait { $0.frames.count >= 30 && $0.maps.count >= 30 })
    stream.stop()
    #expect(seen.frames.allSatisfy { (1...12).contains($0.values[0]) && $0.values[1] == $0.values[0] + 1 })
    #expect(seen.maps.allSatisfy { (501...512).contains($0.values[0]) && $0.values[1] == $0.values[0] + 1 })
    for pair in zip(seen.frames, seen.frames.dropFirst()) { #expect(pair.0.time < pair.1.time) }
  }

  @Test func `a recording of a mirrored camera is turned back`() throws {
    var recording = RecordingFile()
    recording.isMirrored = true
    let stream = try #require(OpenNIRecordingProvider(path: write(recording, as: "mirrored")).devices().first)
      .openWithDepth()
    let log = SensorLog()
    try stream.start(log.receive)
    let seen = try #require(log.wait { $0.frames.count >= 5 && $0.maps.count >= 5 })
    stream.stop()
    #expect((seen.frames + seen.maps).allSatisfy { $0.values[1] == $0.values[0] + 1 })
  }

  @Test func `opened twice it is one camera`() throws {
    let path = try write(RecordingFile(), as: "twice")
    let (one, other) = (try OpenNIRecordingProvider(path: path), try OpenNIRecordingProvider(path: path))
    #expect(one.devices().first === other.devices().first)
  }

  @Test func `a recording without colours says so`() throws {
    var recording = RecordingFile()
    recording.hasColor = false
    let path = try write(recording, as: "colourless")
    let error = #expect(throws: CaptureDeviceError.self) { try OpenNIRecordingProvider(path: path) }
    #expect(error?.code == .invalidScene && error?.message.contains("has no colours") == true)
  }

  @Test
  func `neither a recording that plays nor the driver that makes frames up is a camera of this machine`()
    throws
  {
    _ = try OpenNIRecordingProvider(path: write(RecordingFile(), as: "listed"))
    let library = OpenNILibrary()
    let dummy = try library.open("Dummy")
    #expect(!library.modes(dummy, .depth).isEmpty, "the driver is there")
    #expect(library.devices().contains { $0.uri == "Dummy" })
    let names = OpenNIDeviceProvider().devices().map(\.facts.name)
    #expect(!names.contains { $0.contains("Dummy") || $0.contains("oni") })
  }
}
