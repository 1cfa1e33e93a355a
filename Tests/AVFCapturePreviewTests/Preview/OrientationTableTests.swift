import AVFCapture
import CaptureDevice
import Foundation
import GraphicsCore
import ImageIO
import Testing

@Suite("OrientationTable")
struct OrientationTableTests {
  private static let size = (width: 3, height: 2)

  /// The target of the pixel at (`x`, `y`) of a 3×2 picture, step by step: quarter turns clockwise, then left to right.
  private func moved(_ x: Int, _ y: Int, rotation: Int, isMirrored: Bool) -> [Int] {
    var (x, y, width, height) = (x, y, Self.size.width, Self.size.height)
    for _ in 0..<(rotation / 90) {
      (x, y) = (height - 1 - y, x)
      (width, height) = (height, width)
    }
    return [isMirrored ? width - 1 - x : x, y]
  }

  @Test func `the table holds every turn with and without mirroring once`() {
    #expect(OrientationTable.changes.count == 8)
    #expect(Set(OrientationTable.changes.map(\.exif)).count == 8)
    #expect(Set(OrientationTable.changes.map { [$0.rotation, $0.isMirrored ? 1 : 0] }).count == 8)
  }

  @Test(arguments: OrientationTable.changes)
  func `the unit square and the movie matrix move pixels as turning and mirroring do`(
    change: OrientationTable.Change
  ) {
    let size = CGSize(width: Self.size.width, height: Self.size.height)
    let shown = change.applied(to: size)
    for y in 0..<Self.size.height {
      for x in 0..<Self.size.width {
        let expected = moved(x, y, rotation: change.rotation, isMirrored: change.isMirrored)
        let middle = CGPoint(x: Double(x) + 0.5, y: Double(y) + 0.5)
        let byMatrix = middle.applying(change.movieMatrix(for: size))
        #expect([Int(byMatrix.x), Int(byMatrix.y)] == expected)
        let byUnit = CGPoint(x: middle.x / size.width, y: middle.y / size.height).applying(change.unit)
        #expect([Int(byUnit.x * shown.width), Int(byUnit.y * shown.height)] == expected)
      }
    }
  }

  @Test(arguments: OrientationTable.changes)
  func `a movie's matrix keeps the picture at the origin`(change: OrientationTable.Change) {
    let size = CGSize(width: 1920, height: 1080)
    let shown = CGRect(origin: .zero, size: size).applying(change.movieMatrix(for: size))
    #expect(shown == CGRect(origin: .zero, size: change.applied(to: size)))
  }

  @Test func `connections begin as the table says`() {
    func facts(_ position: DevicePosition, _ rotation: Int) -> DeviceFacts {
      DeviceFacts(
        uniqueID: "a", modelID: "a", name: "a", manufacturer: "", kind: .wideAngleCamera, position: position,
        media: [.video], formats: [], sensorRotation: rotation)
    }
    let preview = OrientationTable.settings(for: .preview, camera: facts(.front, 90))
    #expect(preview.rotation == 90 && preview.isMirrored && preview.mirrorsAutomatically)
    let back = OrientationTable.settings(for: .preview, camera: facts(.back, 90))
    #expect(back.rotation == 90 && !back.isMirrored && back.mirrorsAutomatically)
    let data = OrientationTable.settings(for: .videoData, camera: facts(.front, 90))
    #expect(data == ConnectionSettings())
    let photo = OrientationTable.settings(for: .photo, camera: facts(.front, 270))
    #expect(photo.rotation == 270 && !photo.isMirrored && !photo.mirrorsAutomatically)
  }

  @Test func `the printed table is the code's`() throws {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../Documentation/Orientation.md").standardizedFileURL
    if ProcessInfo.processInfo.environment["OBSCURA_WRITE_ORIENTATION"] == "1" {
      try Data(OrientationPage.markdown.utf8).write(to: page)
    }
    let text = try String(contentsOf: page, encoding: .utf8)
    #expect(
      text == OrientationPage.markdown, "run OBSCURA_WRITE_ORIENTATION=1 swift test --filter OrientationTable"
    )
  }
}
