import AVFoundation
import Foundation
import SimulatedDevices
import Testing

@testable import CameraModel

@Suite("Tables of colours in .cube files")
struct CubeTableTests {
  /// A table of two entries a side, red first; each corner's colour is `color` of it.
  static func file(_ head: String = "", _ color: (Int, Int, Int) -> String) -> Data {
    var text = "# made by hand\r\nTITLE \"a look\"\r\n\(head)LUT_3D_SIZE 2\r\n\r\n"
    for blue in 0...1 { for green in 0...1 { for red in 0...1 { text += color(red, green, blue) + "\r\n" } } }
    return Data(text.utf8)
  }

  @Test func `colours between the entries are between their colours`() throws {
    let swapped = try CubeTable(Self.file { "\($2) \($1) \($0)" })
    #expect(swapped.color(at: [0.25, 0.5, 1]) == [1, 0.5, 0.25])
    let (side, data) = swapped.cube
    #expect(side == 2 && data.count == 8 * 16)
    #expect(data.withUnsafeBytes { $0.load(fromByteOffset: 16, as: SIMD4<Float>.self) } == [0, 0, 1, 1])
  }

  @Test func `a domain says which colours the ends are, and beyond them nothing changes`() throws {
    let table = try CubeTable(
      Self.file("DOMAIN_MIN 0.5 0 0\nDOMAIN_MAX 1 1 1\n") { "\($0) \($1) \($2)" })
    #expect(table.color(at: [0.75, 0.5, 2]) == [0.5, 0.5, 1])
    #expect(table.color(at: [0.25, 0, -1]) == [0, 0, 0])
  }

  @Test func `three curves beside each other are a look, too`() throws {
    let table = try CubeTable(Data("LUT_1D_SIZE 3\n1 0 0\n0.5 0.25 1\n0 1 0\n".utf8))
    #expect(table.color(at: [0.25, 0.75, 0.5]) == [0.75, 0.625, 1])
    #expect(table.cube.side == 64)
  }

  @Test func `numbers are read in every spelling, whatever the user's language`() throws {
    let table = try CubeTable(Data("LUT_1D_SIZE 2\n-1.5e-2 .5 +2\n1E1 1. 0.123456\n".utf8))
    #expect(table.color(at: [0, 0, 0]) == [-0.015, 0.5, 2])
    #expect(table.color(at: [1, 1, 1]) == [10, 1, 0.123456])
    for wrong in ["1e 0 0", "0x10 0 0", "--1 0 0", ". 0 0", "1,5 0 0", "1e999 0 0"] {
      #expect(throws: LookProblem.line(2)) { try CubeTable(Data("LUT_1D_SIZE 2\n\(wrong)\n1 1 1\n".utf8)) }
    }
  }

  @Test(arguments: [
    ("", LookProblem.noTable), ("TITLE \"x\"\n", .noTable), ("0 0 0\n", .line(1)),
    ("LUT_3D_SIZE 1\n", .line(1)),
    ("LUT_3D_SIZE 9000\n", .line(1)), ("LUT_3D_SIZE 2\n0 0\n", .line(2)),
    ("LUT_3D_SIZE 2\n\n0 x 0\n", .line(3)),
    ("LUT_1D_SIZE 2\n0 0 0\n", .count(found: 1, expected: 2)),
    ("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n1 1 1\n", .line(4)),
    ("LUT_1D_SIZE 2\nnan 0 0\n1 1 1\n", .count(found: 1, expected: 2)), ("DOMAIN_MIN 1\n", .line(1)),
    ("\u{89}PNG\r\n\u{1A}\n", .line(1)),
  ])
  func `what is no table is refused with its line`(text: String, problem: LookProblem) {
    #expect(throws: problem) { try CubeTable(Data(text.utf8)) }
  }
}

@Suite("Looks on pictures")
struct CubeChangeTests {
  @Test(arguments: [
    (kCVImageBufferYCbCrMatrix_ITU_R_601_4, false), (kCVImageBufferYCbCrMatrix_ITU_R_601_4, true),
    (kCVImageBufferYCbCrMatrix_ITU_R_709_2, false), (kCVImageBufferYCbCrMatrix_ITU_R_709_2, true),
  ])
  func `a table that changes nothing leaves a picture as it is, however it is coded`(
    matrix: String, isFullRange: Bool
  ) throws {
    let format =
      isFullRange
      ? kCVPixelFormatType_420YpCbCr8BiPlanarFullRange : kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
    func buffer() throws -> CVPixelBuffer {
      var made: CVPixelBuffer?
      CVPixelBufferCreate(nil, 32, 32, format, nil, &made)
      let buffer = try #require(made)
      CVBufferSetAttachment(buffer, kCVImageBufferYCbCrMatrixKey, matrix as NSString, .shouldPropagate)
      CVPixelBufferLockBaseAddress(buffer, [])
      return buffer
    }
    let (picture, target) = (try buffer(), try buffer())
    let (from, to) = (
      try #require(VideoColorMatrix.Planes(picture)), try #require(VideoColorMatrix.Planes(target))
    )
    for y in 0..<32 {
      for x in 0..<32 {
        from.luma[y * from.lumaBytesPerRow + x] = UInt8(60 + 4 * x)
        if y < 16 { from.chroma[y * from.chromaBytesPerRow + x] = UInt8(110 + y + x % 2 * 8) }
      }
    }
    let table = try CubeTable(CubeTableTests.file { "\($0) \($1) \($2)" })
    CubeChange(table).change(picture, target)
    for y in 0..<32 {
      for x in 0..<32 {
        #expect(
          abs(Int(to.luma[y * to.lumaBytesPerRow + x]) - Int(from.luma[y * from.lumaBytesPerRow + x])) <= 1)
        guard y < 16 else { continue }
        let (new, old) = (
          to.chroma[y * to.chromaBytesPerRow + x], from.chroma[y * from.chromaBytesPerRow + x]
        )
        #expect(abs(Int(new) - Int(old)) <= 1)
      }
    }
  }

  @Test func `a look that cannot be stored is refused, and the one before stays`() throws {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("looks-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: root) }
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    let file = root.appendingPathComponent("a.cube")
    try CubeTableTests.file { "\($0) \($1) \($2)" }.write(to: file)
    // A file stands where the folder should be.
    let blocked = root.appendingPathComponent("looks")
    try Data().write(to: blocked)
    #expect(throws: LookProblem.self) { try LookFolder(blocked).add(file) }
    try FileManager.default.removeItem(at: blocked)
    let folder = LookFolder(blocked)
    #expect(folder.names == [])
    #expect(try folder.add(file) == "a")
    try Data("LUT_3D_SIZE 2\n".utf8).write(to: file)
    #expect(throws: LookProblem.count(found: 0, expected: 8)) { try folder.add(file) }
    #expect(folder.names == ["a"])
    #expect(try folder.table("a").color(at: [0.5, 0.25, 1]) == [0.5, 0.25, 1])
  }
}

extension Screens {
  @Test func `a look of the user's is added, chosen, seen and kept, and one that is gone is said`()
    async throws
  {
    let shop = try Workshop(Scene(devices: [.webcam]))
    defer { shop.end() }
    let grey = Guarded(false)
    shop.preview.setPlace(CGSize(width: 160, height: 90))
    shop.preview.setHandler { picture in
      let isGrey = picture.picture.isGrey
      grey.change { $0 = isGrey }
    }
    try await shop.start()
    let file = shop.root.appendingPathComponent("Old Film.cube")
    // Each corner's lightness: what lies between is grey, too.
    try CubeTableTests.file { red, green, blue in
      let light = 0.2126 * Double(red) + 0.7152 * Double(green) + 0.0722 * Double(blue)
      return "\(light) \(light) \(light)"
    }.write(to: file)
    shop.model.addLook(file)
    #expect(
      await shop.run { _ in shop.model.settings.value.filter == .cube("Old Film") && grey.change { $0 } })
    #expect(shop.notices == [.lookAdded(name: "Old Film")])

    shop.model.nextFilter()
    #expect(shop.model.settings.value.filter == .none)
    shop.model.nextFilter(by: -1)
    #expect(shop.model.settings.value.filter == .cube("Old Film"))
    let stored = try JSONDecoder().decode(
      Settings.self, from: JSONEncoder().encode(shop.model.settings.value))
    #expect(stored.filter == .cube("Old Film"))

    let broken = shop.root.appendingPathComponent("broken.cube")
    try Data("LUT_3D_SIZE 2\n0 0 0\n".utf8).write(to: broken)
    shop.model.addLook(broken)
    #expect(
      await shop.run { _ in
        shop.notices.last == .lookFailed(name: "broken.cube", .count(found: 1, expected: 8))
      })
    #expect(shop.model.settings.value.filter == .cube("Old Film"))

    try FileManager.default.removeItem(at: shop.root.appendingPathComponent("looks/Old Film.cube"))
    shop.model.nextFilter()
    shop.model.changeSettings { $0.filter = .cube("Old Film") }
    #expect(
      await shop.run { _ in
        if case .lookFailed(name: "Old Film", .file) = shop.notices.last { true } else { false }
      })
    #expect(await shop.run { _ in !grey.change { $0 } })
  }
}
