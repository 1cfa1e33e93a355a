import AVFoundation
import Foundation
import ObscuraCommands
import Testing

extension CommandTests {
  @Suite("obscura scan")
  struct ScanTests {
    private func withScene(
      _ codes: [String], _ body: (String, URL) throws -> Void
    ) throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("scan-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let layers: [[String: Any]] = codes.enumerated().map { index, text in
        [
          "code": ["type": "qr", "text": text], "width": 0.3,
          "center": [(Double(index) + 0.5) / Double(codes.count), 0.5],
        ]
      }
      let file = folder.appendingPathComponent("scene.json")
      try JSONSerialization.data(withJSONObject: ["version": 1, "stamp": false, "layers": layers])
        .write(to: file)
      try body("simulated:\(file.path)", folder)
    }

    @Test func `a code before a camera is printed once, by what it is for`() throws {
      try withScene(["WIFI:T:WPA;S:Caf\u{E9} \\; Bar;P:pa\\:ss;;"]) { devices, _ in
        let run = try Run("scan", "--devices", devices, "--preset", "vga", "--timeout", "3s")
        #expect(run.exitCode == .done, "\(run.messages)")
        #expect(run.text == "qr  wifi  name=Caf\u{E9} ; Bar  security=WPA  password=pa:ss\n")
        #expect(run.messages.isEmpty)
      }
    }

    @Test func `once ends with the first code, and JSON says all of it`() throws {
      try withScene(["https://example.org/a?b=c"]) { devices, _ in
        let run = try Run("scan", "--devices", devices, "--preset", "vga", "--once", "--json")
        #expect(run.exitCode == .done)
        let codes = try run.json()
        let code = try #require(codes.first)
        #expect(codes.count == 1)
        #expect(code["schema"] as? String == "obscura.code")
        #expect(code["type"] as? String == "qr" && code["kind"] as? String == "link")
        #expect(code["text"] as? String == "https://example.org/a?b=c")
        #expect(
          (code["bytes"] as? String).flatMap { Data(base64Encoded: $0) }
            == Data("https://example.org/a?b=c".utf8))
        #expect((code["corners"] as? [[Double]])?.count == 4)
      }
    }

    @Test(arguments: [
      #"[{"kind": "unplug", "at": 1.0}, {"kind": "plug", "at": 1.5}]"#,
      #"[{"kind": "reset", "at": 1.0, "for": 0.5}]"#,
    ])
    func `with --wait a code is printed again after the camera was away, at once`(faults: String) throws {
      try withScene(["gate"]) { devices, folder in
        let file = folder.appendingPathComponent("scene.json")
        var scene = try #require(
          try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
        scene["faults"] = try JSONSerialization.jsonObject(with: Data(faults.utf8))
        try JSONSerialization.data(withJSONObject: scene).write(to: file)
        let words = ["scan", "--devices", devices, "--preset", "vga"]
        let run = try Run(words + ["--wait", "--timeout", "5s"])
        #expect(run.exitCode == .done, "\(run.messages)")
        #expect(run.text == "qr  text  gate\nqr  text  gate\n", "\(run.messages)")
        // What a program's developer is told is not for those who run it.
        #expect(!run.messages.contains { $0.contains("startRunning") }, "\(run.messages)")
        #expect(try Run(words).exitCode == .deviceLost)
      }
    }

    @Test func `with --wait the time ends also where there is no camera at all`() throws {
      try withScene(["gate"]) { devices, _ in
        let run = try Started([
          "scan", "--devices", devices, "--device", "none", "--wait", "--timeout", "500ms",
        ])
        #expect(run.exitCode() == .noSuchCamera)
      }
    }

    @Test func `only codes in the region are printed`() throws {
      try withScene(["left", "right"]) { devices, _ in
        let run = try Run(
          "scan", "--devices", devices, "--preset", "vga", "--timeout", "2s", "--region", "0.5,0,0.5,1")
        #expect(run.text == "qr  text  right\n")
      }
    }

    @Test func `the region that README names sees the code of the built-in scene`() throws {
      let readme = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../README.md")
      let text = try String(contentsOf: readme, encoding: .utf8)
      let region = try #require(text.firstMatch(of: /obscura scan --region ([0-9.,]+)/)?.1)
      let run = try Run(
        "scan", "--devices", "simulated", "--once", "--timeout", "60s", "--region", String(region))
      #expect(run.text.contains("https://en.wikipedia.org/wiki/Camera_obscura"), "\(run.messages)")
    }

    @Test func `text that a terminal would obey is shown, not sent`() throws {
      try withScene(["a\u{1B}[31mb\u{202E}c\nd\\"]) { devices, _ in
        let run = try Run("scan", "--devices", devices, "--preset", "vga", "--once")
        #expect(run.text == "qr  text  a\\u{1B}[31mb\\u{202E}c\\nd\\\\\n")
      }
    }

    /// A PNG of the code of `hello`, four pixels a module; checked against ZXing-C++ by the scenes' tests.
    private func writeHello(to path: String) throws {
      let rows: [UInt32] = [
        0x1FCC7F, 0x105841, 0x174B5D, 0x17465D, 0x17595D, 0x104141, 0x1FD57F, 0x000700, 0x154A12, 0x058443,
        0x0A5D1F, 0x190042, 0x0D6550, 0x001EA7, 0x1FC6E7, 0x1047B0, 0x1756E3, 0x174866, 0x175D15, 0x104852,
        0x1FDD63,
      ]
      let side = 29 * 4
      var pixels = Data(repeating: 255, count: 4 * side * side)
      for y in 0..<side {
        for x in 0..<side {
          let (row, column) = (y / 4 - 4, x / 4 - 4)
          guard rows.indices.contains(row), (0..<21).contains(column), rows[row] >> (20 - column) & 1 == 1
          else { continue }
          for channel in 0..<3 { pixels[4 * (y * side + x) + channel] = 0 }
        }
      }
      let provider = try #require(CGDataProvider(data: pixels))
      let image = try #require(
        CGImage(
          width: side, height: side, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: 4 * side,
          space: CGColorSpaceCreateDeviceRGB(),
          bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.noneSkipLast.rawValue), provider: provider,
          decode: nil, shouldInterpolate: true, intent: .defaultIntent))
      try #require(UIImage(cgImage: image).pngData()).write(to: URL(fileURLWithPath: path))
    }

    @Test func `codes in pictures are found, and a picture without any is exit code 1`() throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("scan-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let path = folder.appendingPathComponent("a.png").path
      try writeHello(to: path)
      let run = try Run("scan", path)
      #expect(run.exitCode == .done, "\(run.messages)")
      #expect(run.text == "\(path): qr  text  hello\n")
      let none = try Run("scan", path, "--types", "aztec")
      #expect(none.exitCode == .otherFailure)
      #expect(none.messages.count == 1 && none.output.isEmpty)
      let one = try Run("scan", "missing.png", path)
      #expect(one.exitCode == .otherFailure)
      #expect(one.text == run.text, "one bad picture does not keep the others from being read")
      let quarter = try Run("scan", path, "--region", "0,0,0.5,0.5")
      #expect(quarter.exitCode == .otherFailure && quarter.output.isEmpty)
    }

    @Test func `no code in time is exit code 1, and says so`() throws {
      try withScene(["there"]) { devices, _ in
        let run = try Run(
          "scan", "--devices", devices, "--preset", "vga", "--types", "aztec", "--timeout", "1s")
        #expect(run.exitCode == .otherFailure)
        #expect(run.messages.count == 1)
      }
    }

    @Test(arguments: [
      ["--types", "nonsense"], ["--region", "0,0,2,2"], ["--region", "1,2,3"], ["--region", "a,b,c,d"],
      ["--timeout", "soon"], ["a.png", "--timeout", "1s"], ["--types", ","], ["--preset", "huge"],
    ])
    func `bad usage is one sentence and exit code 2`(words: [String]) throws {
      let run = try Run(["scan"] + words)
      #expect(run.exitCode == .usage)
      #expect(run.messages.count == 1 && run.output.isEmpty)
    }
  }
}

@Suite("Payloads of codes")
struct ScannedPayloadTests {
  private func payload(_ text: String) -> ScannedPayload { ScannedPayload(text: text, bytes: Data()) }

  private func fields(_ text: String) -> [String] {
    payload(text).fields.map { "\($0.name)=\($0.value)" }
  }

  @Test(arguments: [
    ("WIFI:S:Home;T:WPA;P:secret;;", ["name=Home", "security=WPA", "password=secret"]),
    ("wifi:T:nopass;S:Free\\;WiFi;H:true;;", ["name=Free;WiFi", "security=nopass", "hidden=true"]),
    ("WIFI:S:a\\\\b\\:c;;", ["name=a\\b:c"]), ("WIFI:S:cut off", ["name=cut off"]),
    (
      "MECARD:N:Doe,Jo;TEL:1;TEL:2;EMAIL:a@b.c;ORG:X;URL:http\\://x.y;;",
      ["name=Jo Doe", "organization=X", "phone=1", "phone=2", "email=a@b.c", "link=http://x.y"]
    ),
    (
      "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Jo\r\n  Doe\r\nitem1.TEL;TYPE=cell:5\r\nADR:;;Way 1;Town;;;\r\nEND:VCARD",
      ["name=Jo Doe", "phone=5", "address=Way 1, Town"]
    ),
    (
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Tea\\, cake\nDTSTART;TZID=X:20261121T090000\nLOCATION:Hall\nEND:VEVENT\nEND:VCALENDAR",
      ["summary=Tea, cake", "start=20261121T090000", "location=Hall"]
    ),
  ])
  func `networks, contacts and events are taken into their parts`(text: String, parts: [String]) {
    #expect(fields(text) == parts)
  }

  @Test(arguments: [
    ("hello", "text"), ("https://x.y/z", "link"), ("mailto:a@b.c", "link"), ("javascript:alert(1)", "text"),
    ("https://x y", "text"), ("WIFI:", "text"), ("WIFI:T:WPA;;", "text"), ("", "text"),
    ("note: BEGIN", "text"),
    ("BEGIN:VEVENT", "event"),
  ])
  func `other text stays text, and only plain links are links`(text: String, word: String) {
    #expect(payload(text).word == word)
  }

  @Test func `bytes are shown in hexadecimal digits`() {
    let bytes = ScannedPayload(text: nil, bytes: Data([0, 0x1B, 0xFF]))
    #expect(bytes.word == "bytes")
    #expect(bytes.line == "00 1b ff")
  }

  @Test func `no scalar that a terminal may obey comes through`() {
    let hostile: [ClosedRange<UInt32>] = [
      0...0x1F, 0x7F...0x9F, 0x200B...0x200C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069,
    ]
    for scalar in hostile.joined().compactMap(Unicode.Scalar.init) {
      #expect(
        EscapedText.escape(String(Character(scalar))).unicodeScalars.allSatisfy {
          (0x20...0x7E).contains($0.value)
        })
    }
    #expect(EscapedText.escape("Grüße 世界 👩‍💻") == "Grüße 世界 👩‍💻")
  }
}
