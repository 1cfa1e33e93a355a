import Foundation
import ObscuraCommands
import Testing

extension CommandTests {
  @Suite("obscura depth")
  struct DepthTests {
    /// Before the front camera a card of 0.8 m in the middle of a wall at 2 m.
    private func withScene(faults: String = "[]", _ body: (String, URL) throws -> Void) throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("depth-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let file = folder.appendingPathComponent("scene.json")
      let scene: [String: Any] = [
        "version": 1, "stamp": false, "background": ["depth": 2.0],
        "layers": [
          ["code": ["type": "qr", "text": "card"], "center": [0.5, 0.5], "width": 0.4, "depth": 0.8]
        ],
        "faults": try JSONSerialization.jsonObject(with: Data(faults.utf8)),
      ]
      try JSONSerialization.data(withJSONObject: scene).write(to: file)
      try body("simulated:\(file.path)", folder)
    }

    /// The metres of a portable float map, the upper row first.
    private func metres(_ data: Data) throws -> [[Float]] {
      let header = Data("Pf\n640 480\n-1.0\n".utf8)
      try #require(data.prefix(header.count) == header)
      let body = data.dropFirst(header.count)
      try #require(body.count == 640 * 480 * 4)
      let values = body.withUnsafeBytes { bytes in
        (0..<640 * 480).map {
          Float(
            bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)))
        }
      }
      return (0..<480).reversed().map { row in Array(values[row * 640..<(row + 1) * 640]) }
    }

    @Test func `a map of floats is in metres, upright, and has no holes`() throws {
      try withScene { devices, folder in
        let file = folder.appendingPathComponent("map.pfm")
        let run = try Run("depth", "--devices", devices, "--preset", "vga", "-o", file.path)
        #expect(run.exitCode == .done, "\(run.messages)")
        #expect(run.text == "\(file.path)\n")
        let rows = try metres(try Data(contentsOf: file))
        #expect(abs(rows[240][320] - 0.8) < 0.01)
        #expect(abs(rows[20][20] - 2) < 0.05)
        #expect(rows.joined().allSatisfy { $0 > 0 })
      }
    }

    @Test func `a raw map to standard output keeps what is unknown`() throws {
      try withScene { devices, _ in
        let run = try Run(
          "depth", "--devices", devices, "--preset", "vga", "-o", "-", "--format", "pfm", "--raw")
        #expect(run.exitCode == .done, "\(run.messages)")
        let rows = try metres(run.output)
        // Right of the card lies the shadow of the sensor's light.
        #expect(rows[240].map(\.isNaN).contains(true))
        #expect(abs(rows[240][320] - 0.8) < 0.01)
      }
    }

    @Test func `JSON says the file and the distances`() throws {
      try withScene { devices, folder in
        let file = folder.appendingPathComponent("map.png")
        let run = try Run("depth", "--devices", devices, "--preset", "vga", "-o", file.path, "--json")
        #expect(run.exitCode == .done, "\(run.messages)")
        let answer = try #require(try run.json().first)
        #expect(answer["schema"] as? String == "obscura.depth")
        #expect(answer["path"] as? String == file.path && answer["format"] as? String == "png")
        #expect(answer["width"] as? Int == 640 && answer["height"] as? Int == 480)
        #expect(abs((answer["middle"] as? Double ?? 0) - 0.8) < 0.01)
        #expect(abs((answer["median"] as? Double ?? 0) - 2) < 0.05)
        #expect(answer["knownShare"] as? Double == 1)
        let png = try Data(contentsOf: file)
        // Of the header: 640 by 480, 16 bits, grey.
        #expect(Array(png[16..<26]) == [0, 0, 2, 128, 0, 0, 1, 224, 16, 0])
      }
    }

    /// The vertices of a binary PLY file, 15 bytes each, in the order that its header states.
    private func vertices(_ data: Data) throws -> [(place: SIMD3<Float>, color: SIMD3<UInt8>)] {
      let end = try #require(data.range(of: Data("end_header\n".utf8)))
      let lines = String(decoding: data[..<end.lowerBound], as: UTF8.self).split(separator: "\n").map(
        String.init)
      #expect(lines.prefix(2) == ["ply", "format binary_little_endian 1.0"])
      #expect(
        lines.filter { $0.hasPrefix("property") }
          == ["float x", "float y", "float z", "uchar red", "uchar green", "uchar blue"].map {
            "property \($0)"
          })
      let count = try #require(lines.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }.first)
      let body = Array(data[end.upperBound...])
      try #require(body.count == count * 15)
      return (0..<count).map { index in
        let bytes = body[15 * index..<15 * index + 15]
        let floats = (0..<3).map { part in
          Float(
            bitPattern: (0..<4).reduce(0) {
              $0 | UInt32(bytes[bytes.startIndex + 4 * part + $1]) << UInt32(8 * $1)
            })
        }
        let colors = Array(bytes.suffix(3))
        return (SIMD3(floats[0], floats[1], floats[2]), SIMD3(colors[0], colors[1], colors[2]))
      }
    }

    @Test func `a point cloud is in metres, y upwards, with the colours of the picture`() throws {
      try withScene { devices, folder in
        let file = folder.appendingPathComponent("cloud.ply")
        let run = try Run("depth", "--devices", devices, "--preset", "vga", "-o", file.path, "--json")
        #expect(run.exitCode == .done, "\(run.messages)")
        #expect(try run.json().first?["format"] as? String == "ply")
        let points = try vertices(try Data(contentsOf: file))
        #expect(points.count > 300_000)
        let card = points.filter { abs($0.place.x) < 0.05 && abs($0.place.y) < 0.05 }
        #expect(card.count > 1000 && card.allSatisfy { abs($0.place.z + 0.8) < 0.02 })
        // The card is a code: black and white.
        #expect(card.contains { $0.color.x > 200 } && card.contains { $0.color.x < 60 })
        // The wall's upper left corner lies left of the camera and above it.
        let corner = try #require(points.first).place
        #expect(corner.x < -0.5 && corner.y > 0.3 && abs(corner.z + 2) < 0.05)
      }
    }

    @Test func `a raw cloud leaves out what is unknown`() throws {
      try withScene { devices, _ in
        let run = try Run(
          "depth", "--devices", devices, "--preset", "vga", "-o", "-", "--format", "ply", "--raw")
        #expect(run.exitCode == .done, "\(run.messages)")
        let points = try vertices(run.output)
        #expect(points.count > 200_000 && points.count < 640 * 480)
        #expect(points.allSatisfy { $0.place.z < 0 })
      }
    }

    @Test func `watching reports as often as it was asked`() throws {
      try withScene { devices, _ in
        let run = try Run(
          "depth", "--devices", devices, "--preset", "vga", "--watch", "--count", "2", "--interval", "100ms")
        #expect(run.exitCode == .done, "\(run.messages)")
        let lines = run.text.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(
          lines.allSatisfy { $0.hasPrefix("640×480: middle 0.8") || $0.hasPrefix("640×480: middle 0.79") })
      }
    }

    @Test func `with --wait watching goes on when the camera is back, and ends without`() throws {
      let faults = #"[{"kind": "unplug", "at": 1.0}, {"kind": "plug", "at": 1.5}]"#
      try withScene(faults: faults) { devices, _ in
        let words = [
          "depth", "--devices", devices, "--preset", "vga", "--watch", "--count", "8", "--interval", "250ms",
        ]
        let run = try Run(words + ["--wait"])
        #expect(run.exitCode == .done && run.text.split(separator: "\n").count == 8, "\(run.messages)")
        #expect(run.messages.contains { $0.hasSuffix("is back.") }, "\(run.messages)")
        #expect(try Run(words).exitCode == .deviceLost)
      }
    }

    @Test func `a camera without depth is distinguished from one with it`() throws {
      let run = try Run("depth", "--devices", "simulated", "--device", "simulated.back.wide")
      #expect(run.exitCode == .formatNotSupported)
      #expect(
        run.messages == [
          "obscura: Back Camera measures no depth; try --device 'Front TrueDepth Camera'."
        ])
    }

    @Test(arguments: [
      ["word"], ["--count", "2"], ["--interval", "1s"], ["--watch", "-o", "a.png"], ["-o", "a.jpg"],
      ["-o", "-", "--json"], ["--format", "exr"], ["--watch", "--format", "pfm"], ["--preset", "huge"],
    ])
    func `words that are wrong are one sentence`(words: [String]) throws {
      let run = try Run(["depth", "--devices", "simulated"] + words)
      #expect(run.exitCode == .usage)
      #expect(run.messages.count == 1)
      #expect(run.output.isEmpty)
    }
  }
}
