import AVFoundation
import CaptureDevice
import CaptureStage
import FoundationExtras
import Linux
import SimulatedDevices
import Testing

extension DeviceSuites {
  /// The example `RobotEye`, whose source is part of these tests as it stands.
  @Suite("The example RobotEye")
  struct RobotEyeTests {
    private static let size = FrameSize(width: 640, height: 480)

    private func rig() throws -> CaptureRig {
      var scene = Scene(isStamped: false, isNoisy: false)
      scene.background.depth = 3
      scene.layers = [SceneLayer(.color(red: 1, green: 0, blue: 0), width: 0.4, depth: 0.5)]
      return try CaptureRig(
        .camera(uniqueID: "depth.robot", sizes: [Self.size], depthSizes: [Self.size]), scene: scene)
    }

    @Test func `another process reads time, frame and distances of each moment`() throws {
      let rig = try rig()
      let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      _ = FileManager.default.createFile(atPath: file.path, contents: nil)
      defer { try? FileManager.default.removeItem(at: file) }
      let eye = try RobotEye(camera: rig.device, pipe: FileHandle(forWritingTo: file)) { _ in }
      eye.start()
      rig.advance(frames: 4)
      eye.stop()

      var rest = try Data(contentsOf: file)
      var times: [Double] = []
      while let end = rest.firstIndex(of: 10) {
        let words = String(decoding: rest[..<end], as: UTF8.self).split(separator: " ")
        try #require(words.dropFirst() == ["640", "480", "640", "480"])
        times.append(try #require(Double(words[0])))
        rest = rest[(end + 1)...]
        let count = 4 * 640 * 480
        try #require(rest.count >= 2 * count)
        let (picture, map) = (Data(rest.prefix(count)), Data(rest.dropFirst(count).prefix(count)))
        rest = rest.dropFirst(2 * count)
        // The card in the middle: red, and half a metre away; the wall in the corner.
        let (middle, corner) = (4 * (240 * 640 + 320), 0)
        #expect(picture[middle + 2] > 2 * picture[middle])
        func metres(_ place: Int) -> Float {
          map.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: Float.self) }
        }
        #expect(abs(metres(middle) - 0.5) < 0.01 && abs(metres(corner) - 3) < 0.1)
      }
      #expect(rest.isEmpty)
      #expect(times.count >= 3)
      for (earlier, later) in zip(times, times.dropFirst()) { #expect(abs(later - earlier - 1 / 30) < 1e-6) }
    }

    @Test func `a pipe that takes nothing is reported`() throws {
      let rig = try rig()
      let failures = Locked(0)
      // It may be read only.
      let pipe = try #require(FileHandle(forReadingAtPath: "/dev/null"))
      let eye = try RobotEye(camera: rig.device, pipe: pipe) { _ in failures.withLock { $0 += 1 } }
      eye.start()
      rig.advance(frames: 4)
      eye.stop()
      #expect(failures.withLock { $0 } >= 3)
    }
  }
}
