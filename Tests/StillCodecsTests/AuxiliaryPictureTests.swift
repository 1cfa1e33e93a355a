import CoreVideo
import Foundation
import FoundationExtras
import SeededNumbers
import StillCodecs
import Testing

/// A gray picture of noise, in which no codec finds anything to spare.
func noise(_ width: Int, _ height: Int, seed: UInt64 = 5) throws -> CVPixelBuffer {
  let buffer = try CVPixelBuffer(format: kCVPixelFormatType_OneComponent8, width: width, height: height)
  var dice = SeededGenerator(seed: seed)
  for row in 0..<height {
    let bytes = buffer.planes[0].row(row)
    for column in 0..<width { bytes[column] = UInt8.random(in: 0...255, using: &dice) }
  }
  return buffer
}

@Suite("Auxiliary pictures", .serialized)
struct AuxiliaryPictureTests {
  enum Kind: String, CaseIterable, Codable {
    case jpeg, heic

    func file(orientation: Int = 1, _ width: Int = 96, _ height: Int = 64) throws -> Data {
      var block = ExifBlock()
      block[ExifTag(.image, 0x010F)] = .text("Maker")
      block[ExifTag(.image, 0x0112)] = .shorts([UInt16(orientation)])
      switch self {
      case .jpeg:
        var options = JPEGEncoder.Options()
        options.exif = try block.data()
        return try JPEGEncoder.encode(testBuffer(width, height), options: options)
      case .heic:
        var options = HEICEncoder.Options()
        options.exif = try block.data()
        options.orientation = orientation
        options.thumbnail = try testBuffer(48, 32)
        return try HEICEncoder.encode(testBuffer(width, height), options: options)
      }
    }

    /// How far a number may be off.
    var tolerance: Int { self == .heic ? 0 : 1 }
  }

  private static let packet = Data("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">far</x:xmpmeta>".utf8)

  private func pixels(_ file: Data) throws -> [[UInt8]] {
    let buffer = try StillFacts(file).decode(file)
    return withExtendedLifetime(buffer) { buffer.planes.indices.map { plane(buffer, $0, step: 4) } }
  }

  private func furthest(_ a: CVPixelBuffer, _ b: CVPixelBuffer) -> Int {
    zip(plane(a, 0), plane(b, 0)).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
  }

  @Test(arguments: Kind.allCases, [(64, 48), (37, 53)])
  func `come back as they were, with their packet, and the photo stays what it was`(
    kind: Kind, size: (Int, Int)
  ) throws {
    let file = try kind.file(orientation: 6)
    let map = try noise(size.0, size.1)
    let more = try AuxiliaryPictures.add(
      [AuxiliaryPicture(name: AuxiliaryPicture.depth, picture: map, xmp: Self.packet)], to: file)
    let found = try #require(try AuxiliaryPictures.list(more).first)
    #expect(try AuxiliaryPictures.list(more).count == 1 && AuxiliaryPictures.list(file).isEmpty)
    #expect(found.width == size.0 && found.height == size.1 && found.xmp == Self.packet)
    #expect(found.name == (kind == .heic ? AuxiliaryPicture.depth : nil))
    let back = try AuxiliaryPictures.decode(found, in: more)
    #expect(back.width == size.0 && back.height == size.1)
    #expect(furthest(map, back) <= kind.tolerance)
    #expect(try pixels(more) == pixels(file))
    let facts = try StillFacts(more)
    let exif = try StillFacts(file).exif
    #expect(facts.orientation == 6 && facts.exif == exif)
    #expect(facts.hasThumbnail == (kind == .heic))
    #expect(try AuxiliaryPictures.remove(from: more) { _ in false } == more)
  }

  @Test(arguments: Kind.allCases)
  func `several keep their order, and one can be taken out`(kind: Kind) throws {
    let maps = try (0..<3).map { try noise(32 + 8 * $0, 24, seed: UInt64($0)) }
    let names = [AuxiliaryPicture.depth, "urn:com:apple:photo:2020:aux:hdrgainmap", "urn:example:matte"]
    var file = try kind.file()
    let plain = file
    for (map, name) in zip(maps, names) {
      file = try AuxiliaryPictures.add([AuxiliaryPicture(name: name, picture: map, xmp: nil)], to: file)
    }
    #expect(try AuxiliaryPictures.list(file).map(\.width) == [32, 40, 48])
    let fewer = try AuxiliaryPictures.remove(from: file) { $0.width == 40 }
    let left = try AuxiliaryPictures.list(fewer)
    #expect(left.map(\.width) == [32, 48])
    for (facts, map) in zip(left, [maps[0], maps[2]]) {
      #expect(furthest(map, try AuxiliaryPictures.decode(facts, in: fewer)) <= kind.tolerance)
    }
    let none = try AuxiliaryPictures.remove(from: file) { _ in true }
    #expect(try AuxiliaryPictures.list(none).isEmpty)
    #expect(try pixels(none) == pixels(plain))
    if kind == .jpeg { #expect(none == plain) }
  }

  @Test func `a JPEG's index still finds them when the metadata has grown and shrunk`() throws {
    let map = try noise(64, 48)
    let file = try AuxiliaryPictures.add(
      [AuxiliaryPicture(name: AuxiliaryPicture.depth, picture: map, xmp: Self.packet)], to: Kind.jpeg.file())
    for length in [0, 3, 4000] {
      var block = ExifBlock()
      if length > 0 { block[ExifTag(.image, 0x010F)] = .text(String(repeating: "M", count: length)) }
      let changed = try JPEGMetadata.replace(in: file, facts: StillFacts(file), with: block)
      let found = try #require(try AuxiliaryPictures.list(changed).first)
      #expect(found.xmp == Self.packet)
      #expect(furthest(map, try AuxiliaryPictures.decode(found, in: changed)) <= 1)
    }
  }

  @Test func `what stands behind a JPEG's last picture stays there`() throws {
    let map = try noise(16, 16)
    let picture = AuxiliaryPicture(name: AuxiliaryPicture.depth, picture: map, xmp: nil)
    let tail = Data("a film".utf8)
    let file = try AuxiliaryPictures.add([picture], to: Kind.jpeg.file()) + tail
    let more = try AuxiliaryPictures.add([picture], to: file)
    #expect(more.suffix(tail.count) == tail)
    #expect(try AuxiliaryPictures.list(more).count == 2)
    #expect(try AuxiliaryPictures.remove(from: more) { _ in true }.suffix(tail.count) == tail)
  }

  @Test func `a HEIC keeps its map through other metadata`() throws {
    let map = try noise(64, 48)
    let file = try AuxiliaryPictures.add(
      [AuxiliaryPicture(name: AuxiliaryPicture.depth, picture: map, xmp: Self.packet)], to: Kind.heic.file())
    var block = ExifBlock()
    block[ExifTag(.image, 0x010F)] = .text(String(repeating: "M", count: 500))
    let changed = try HEICMetadata.replace(in: file, with: block)
    let found = try #require(try AuxiliaryPictures.list(changed).first)
    #expect(furthest(map, try AuxiliaryPictures.decode(found, in: changed)) == 0)
    #expect(try StillFacts(changed).exifBlock?[ExifTag(.image, 0x010F)] == block[ExifTag(.image, 0x010F)])
    // And the other way round: what was moved is found again.
    let again = try AuxiliaryPictures.remove(from: changed) { _ in true }
    #expect(try StillFacts(again).exifBlock?[ExifTag(.image, 0x010F)] == block[ExifTag(.image, 0x010F)])
  }

  @Test func `a lossless map states the level of its size, not the highest of all`() throws {
    let file = try AuxiliaryPictures.add(
      [AuxiliaryPicture(name: AuxiliaryPicture.depth, picture: noise(64, 48), xmp: nil)], to: Kind.heic.file()
    )
    let boxes = file.indices.dropLast(40).filter { file[$0..<$0 + 4].elementsEqual("hvcC".utf8) }
    // The photo's own and the map's; the thirteenth byte of the record is the level.
    let levels = boxes.map { file[$0 + 4 + 12] }
    #expect(boxes.count >= 2 && !levels.contains(255) && levels.contains(60))
    // And inside of the coder's own parameters, of the video and of the sequence.
    #expect(file.range(of: Data([0, 0, 3, 0, 0, 255])) == nil)
  }

  @Test func `a PNG holds none, and a picture in colours is no map`() throws {
    let png = CraftedPNG.black(width: 20, height: 10, chunks: [])
    #expect(try AuxiliaryPictures.list(png).isEmpty)
    let gray = try AuxiliaryPicture(name: AuxiliaryPicture.depth, picture: noise(8, 8), xmp: nil)
    #expect(throws: StillCodecError.self) { try AuxiliaryPictures.add([gray], to: png) }
    let colors = try AuxiliaryPicture(name: AuxiliaryPicture.depth, picture: testBuffer(8, 8), xmp: nil)
    for kind in Kind.allCases {
      #expect(throws: StillCodecError.self) { try AuxiliaryPictures.add([colors], to: kind.file()) }
    }
  }

  @Test(arguments: Kind.allCases)
  func `a damaged file is read or refused, wherever it breaks`(kind: Kind) async throws {
    await #expect(processExitsWith: .success) { [kind = kind as Kind] in
      let picture = try AuxiliaryPicture(name: AuxiliaryPicture.depth, picture: noise(16, 16), xmp: nil)
      let whole = try AuxiliaryPictures.add([picture], to: kind.file())
      func read(_ file: Data) {
        for facts in (try? AuxiliaryPictures.list(file)) ?? [] {
          _ = try? AuxiliaryPictures.decode(facts, in: file)
        }
        _ = try? AuxiliaryPictures.remove(from: file) { _ in true }
      }
      for length in stride(from: 0, to: whole.count, by: 101) { read(whole.prefix(length)) }
      var damaged = whole
      for at in stride(from: 0, to: min(1100, whole.count), by: 7) {
        damaged[at] ^= 0xFF
        read(damaged)
        damaged[at] ^= 0xFF
      }
      // The index of a JPEG's pictures stands right before the tables.
      let index = whole.range(of: Data("MPF\0".utf8))?.lowerBound ?? 0
      for at in index..<min(index + 90, whole.count) {
        for value: UInt8 in [0, 0xFF] {
          let old = damaged[at]
          damaged[at] = value
          read(damaged)
          damaged[at] = old
        }
      }
    }
  }

  @Test(.enabled(if: heifInfo != nil), arguments: [1, 6])
  func `heif-info shows the map beside the photo`(orientation: Int) throws {
    let file = try AuxiliaryPictures.add(
      [AuxiliaryPicture(name: AuxiliaryPicture.depth, picture: noise(64, 48), xmp: Self.packet)],
      to: Kind.heic.file(orientation: orientation))
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("map-\(UUID()).heic")
    try file.write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let process = Process()
    process.executableURL = heifInfo
    process.arguments = [url.path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    // The map is turned as the photo is.
    let size = orientation == 1 ? "64x48" : "48x64"
    #expect(text.contains("depth channel: yes") && text.contains(size))
    #expect(text.contains("96x64") || text.contains("64x96"))
  }
}

/// libheif's program that lists what is in a file; `nil` when it is not installed.
private let heifInfo: URL? = ["/usr/bin/heif-info", "/usr/local/bin/heif-info"].first {
  FileManager.default.isExecutableFile(atPath: $0)
}.map { URL(fileURLWithPath: $0) }
