import Foundation
import ImageIO
import ObscuraCommands
import Testing

extension CommandTests {
  @Suite("obscura photo: words about controls that are wrong")
  struct ControlUsageTests {
    @Test(arguments: [
      ["--zoom", "0"], ["--zoom", "-2"], ["--zoom", "far"], ["--zoom", "nan"], ["--zoom="],
      ["--zoom", "2xx"],
      ["--zoom", "0x10"], ["--ev", "bright"], ["--ev", "inf"], ["--ev", "1,5"], ["--iso", "0"],
      ["--iso", "-100"],
      ["--iso", "auto"], ["--shutter", "0"], ["--shutter", "1/0"], ["--shutter", "1/"],
      ["--shutter", "/100"],
      ["--shutter", "1/2/3"], ["--shutter", "-1/100"], ["--shutter", "fast"], ["--shutter", "10m"],
      ["--shutter", "1/nan"], ["--focus", "near"], ["--focus", "1.2"], ["--focus", "-0.1"],
      ["--focus", "point"],
      ["--focus", "point 0.5"], ["--focus", "point 0.5,1.5"], ["--focus", "point 0.1,0.2,0.3"],
      ["--focus", "point", "a,b"], ["--flash", "maybe"], ["--flash", "ON"], ["--wb", "warm"],
      ["--wb", "100"],
      ["--wb", "99000K"], ["--quality", "best"], ["--preset", "8k"], ["--count", "-1"],
      ["--interval", "often"],
      ["--timer", "-1s"], ["--immediate=yes"], ["--ev", "1", "--iso", "100", "--shutter", "1/50"],
      ["--zoom"],
    ])
    func `a wrong word is one sentence and exit code 2, and opens no camera`(words: [String]) throws {
      let run = try Run(["photo", "--devices", "simulated", "-o", "/nowhere/a.jpg"] + words)
      #expect(run.exitCode == .usage, "\(run.messages)")
      #expect(run.messages.count == 1)
      #expect(run.output.isEmpty)
    }
  }

  @Suite("obscura photo sets the camera")
  struct ControlTests {
    /// The words that choose the built-in cameras before a grey wall, which are quick to paint.
    private let devices: [String]
    private let scene: TemporaryFile

    init() throws {
      scene = try TemporaryFile("scene.json", #"{"version": 1, "lux": 250}"#)
      devices = ["--devices", "simulated:\(scene.url.path)"]
    }

    /// Takes a small photo with `words`; what the command said of it, and the file's own EXIF.
    private func photo(_ words: String...) throws -> (answer: [String: Any], exif: [String: Any]) {
      var result: (answer: [String: Any], exif: [String: Any])?
      try withTemporaryFolder { folder in
        let path = folder.appendingPathComponent("a.jpg").path
        let run = try Run(
          ["photo", "--preset", "vga", "-o", path, "--json"] + devices + words)
        #expect(run.exitCode == .done, "\(run.messages)")
        let answer = try #require(try run.json().first)
        let source = try #require(
          CGImageSourceCreateWithData(try Data(contentsOf: URL(fileURLWithPath: path)), nil))
        let properties = try #require(CGImageSourceCopyPropertiesAtIndex(source, 0, nil))
        result = (answer, try #require(properties["{Exif}"] as? [String: Any]))
      }
      return try #require(result)
    }

    private func near(_ value: Any?, _ wanted: Double, _ tolerance: Double = 0.02) -> Bool {
      guard let value = value as? Double else { return false }
      return abs(value - wanted) <= abs(wanted) * tolerance
    }

    @Test func `what was asked is granted, reported, and written into the file`() throws {
      let (answer, exif) = try photo(
        "--zoom", "2x", "--iso", "400", "--shutter", "1/100", "--focus", "0.25", "--wb", "3200K", "--quality",
        "quality")
      #expect(answer["zoom"] as? Double == 2)
      #expect(near(answer["iso"], 400) && near(answer["exposureSeconds"], 0.01))
      #expect(near(answer["lensPosition"], 0.25))
      #expect(near(answer["temperature"], 3200))
      #expect(answer["flashFired"] as? Bool == false)
      #expect(near(exif["ExposureTime"], 0.01))
      #expect((exif["ISOSpeedRatings"] as? [Int]) == [400])
      #expect(near(exif["DigitalZoomRatio"], 2))
      #expect(exif["ExposureMode"] as? Int == 1)
      #expect(exif["WhiteBalance"] as? Int == 1)
    }

    @Test(arguments: ["0.01", "10ms", "1/100s", "0.01s"])
    func `an exposure time may be written in several ways`(text: String) throws {
      let (answer, _) = try photo("--shutter", text, "--iso", "200", "--immediate")
      #expect(near(answer["exposureSeconds"], 0.01))
    }

    @Test func `of one half of the exposure the other follows from the light`() throws {
      let (automatic, _) = try photo()
      let (fast, _) = try photo("--shutter", "1/500")
      func product(_ answer: [String: Any]) throws -> Double {
        let seconds = try #require(answer["exposureSeconds"] as? Double)
        return seconds * (try #require(answer["iso"] as? Double))
      }
      #expect(near(fast["exposureSeconds"], 0.002))
      #expect(near(try product(fast), try product(automatic), 0.1))
    }

    @Test func `exposure compensation and the flash are reported and written`() throws {
      let (answer, exif) = try photo("--ev", "-1.5", "--flash", "on")
      #expect(answer["exposureBias"] as? Double == -1.5)
      #expect(near(exif["ExposureBiasValue"], -1.5))
      #expect(answer["flashFired"] as? Bool == true)
      #expect(exif["Flash"] as? Int == 9)
    }

    @Test(arguments: [["--focus", "point 0.5,0.6"], ["--focus", "point", "0.5,0.6"], ["--focus", "auto"]])
    func `focus may be looked for`(words: [String]) throws {
      try withTemporaryFolder { folder in
        let path = folder.appendingPathComponent("a.jpg").path
        let run = try Run(
          ["photo", "--preset", "vga", "-o", path, "--json"] + devices + words)
        #expect(run.exitCode == .done, "\(run.messages)")
      }
    }

    @Test(arguments: [
      (["--zoom", "1000"], "--zoom"), (["--ev", "20"], "--ev"), (["--iso", "1"], "--iso"),
      (["--shutter", "1/1000000"], "--shutter"), (["--shutter", "60s"], "--shutter"),
      (["--wb", "1000"], "--wb"),
      (["-d", "Front Camera", "--focus", "0.5"], "--focus"),
    ])
    func `what the camera cannot do is exit code 6 and one sentence with the way out`(
      words: [String], option: String
    ) throws {
      let run = try Run(
        ["photo", "--preset", "vga", "-o", scene.url.path + ".jpg"] + devices + words)
      #expect(run.exitCode == .formatNotSupported, "\(run.messages)")
      #expect(run.messages.count == 1)
      #expect(run.messages.first?.contains(option) == true, "\(run.messages)")
      #expect(run.output.isEmpty)
    }

    @Test func `devices says the range of every control`() throws {
      let all = try Run(["devices", "--json"] + devices).json()
      let back = try #require(all.first { $0["id"] as? String == "simulated.back.wide" })
      let controls = try #require(back["controls"] as? [String: Any])
      for key in [
        "zoom", "exposureSeconds", "iso", "exposureBias", "lensPosition", "whiteBalanceGains", "torchLevel",
      ] {
        let range = try #require(controls[key] as? [String: Any], "\(key)")
        let minimum = try #require(range["minimum"] as? Double),
          maximum = try #require(range["maximum"] as? Double)
        #expect(minimum < maximum, "\(key)")
      }
      for key in ["focusModes", "whiteBalanceModes", "flashModes", "torchModes"] {
        #expect((controls[key] as? [String])?.isEmpty == false, "\(key)")
      }
      let formats = try #require(back["formats"] as? [[String: Any]])
      #expect(formats.allSatisfy { $0["maximumZoom"] as? Double ?? 0 >= 1 })
      let microphone = try #require(all.first { $0["kind"] as? String == "microphone" })
      #expect(microphone["controls"] == nil)
      let text = try Run(["devices", "-d", "simulated.back.wide"] + devices).text
      for word in ["zoom 1 to", "ISO", "stops", "focus", "white balance", "flash off, on, auto", "torch"] {
        #expect(text.contains(word), "\(word) in \(text)")
      }
    }

    @Test func `every range that devices prints can be asked for`() throws {
      let all = try Run(["devices", "--json"] + devices).json()
      let back = try #require(all.first { $0["id"] as? String == "simulated.back.wide" })
      let controls = try #require(back["controls"] as? [String: Any])
      func bounds(_ key: String) throws -> (Double, Double) {
        let range = try #require(controls[key] as? [String: Any])
        return (try #require(range["minimum"] as? Double), try #require(range["maximum"] as? Double))
      }
      let (dark, bright) = try bounds("exposureBias")
      #expect(try photo("--ev", "\(dark)", "--immediate").answer["exposureBias"] as? Double == dark)
      #expect(try photo("--ev", "\(bright)", "--immediate").answer["exposureBias"] as? Double == bright)
      let (slow, fast) = try bounds("iso")
      for iso in [slow, fast] {
        let (answer, _) = try photo("--iso", "\(iso)", "--shutter", "1/200", "--immediate")
        #expect(near(answer["iso"], iso))
      }
    }
  }
}

/// A file that is there as long as the object.
private final class TemporaryFile {
  let url: URL

  init(_ name: String, _ text: String) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("obscura-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    url = folder.appendingPathComponent(name)
    try Data(text.utf8).write(to: url)
  }

  deinit {
    // Nothing to do when it is gone already.
    try? FileManager.default.removeItem(at: url.deletingLastPathComponent())
  }
}
