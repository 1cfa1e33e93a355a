import CoreVideo
import Foundation
import FoundationExtras
import PeopleFinding
import PixelTransforms
import Testing

@Suite("A model's view of a picture")
struct SquareViewTests {
  private let picture = PixelSize(width: 320, height: 180)

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let part: CGRect
    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "all of it", part: CGRect(x: 0, y: 0, width: 320, height: 180)),
    Case(name: "a square inside", part: CGRect(x: 100, y: 20, width: 150, height: 150)),
    Case(
      name: "a part that sticks out left and above", part: CGRect(x: -60, y: -50, width: 260, height: 260)),
    Case(
      name: "a part that sticks out right and below", part: CGRect(x: 150, y: 60, width: 240, height: 200)),
  ]

  /// A white spot at `spot` in a dark picture.
  private func spotted(_ spot: CGPoint) throws -> CVPixelBuffer {
    let pixels = try CVPixelBuffer(
      format: kCVPixelFormatType_OneComponent8, width: picture.width, height: picture.height, attributes: [:])
    CVPixelBufferLockBaseAddress(pixels, [])
    defer { CVPixelBufferUnlockBaseAddress(pixels, []) }
    let plane = try #require(CVPixelBufferGetBaseAddress(pixels)).assumingMemoryBound(to: UInt8.self)
    let stride = CVPixelBufferGetBytesPerRow(pixels)
    for y in 0..<picture.height {
      for x in 0..<picture.width {
        plane[y * stride + x] =
          abs(Double(x) + 0.5 - spot.x) <= 4 && abs(Double(y) + 0.5 - spot.y) <= 4 ? 255 : 0
      }
    }
    return pixels
  }

  @Test(arguments: cases, QuarterTurn.allCases)
  func `a place in the input is the place in the picture that is seen there`(_ aCase: Case, turn: QuarterTurn)
    throws
  {
    let spot = CGPoint(x: 180, y: 90)
    let view = try #require(SquareView(of: aCase.part, in: picture, turn: turn, side: 96))
    let small = try PixelTransformer().apply(
      FrameTransform(
        crop: view.source, rotation: turn,
        size: PixelSize(width: view.target.width, height: view.target.height)),
      to: spotted(spot))
    // Where the model's input has the spot: the middle of all light, beside the black around the part.
    CVPixelBufferLockBaseAddress(small, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(small, .readOnly) }
    let base = try #require(CVPixelBufferGetBaseAddress(small)).assumingMemoryBound(to: UInt8.self)
    var (x, y, light) = (0.0, 0.0, 0.0)
    for row in 0..<view.target.height {
      for column in 0..<view.target.width {
        let level = Double(base[row * CVPixelBufferGetBytesPerRow(small) + column])
        x += level * (Double(column) + 0.5)
        y += level * (Double(row) + 0.5)
        light += level
      }
    }
    let seen = CGPoint(x: Double(view.target.x) + x / light, y: Double(view.target.y) + y / light)
    let reported = view.picturePoint(seen)
    #expect(abs(reported.x - spot.x) < 1 && abs(reported.y - spot.y) < 1, "\(reported)")
    #expect(view.target.x + view.target.width <= 96 && view.target.y + view.target.height <= 96)
    // The scale is the same both ways, but for whole pixels.
    let scale = 96 / max(aCase.part.width, aCase.part.height)
    let box = view.pictureRect(CGRect(x: 10, y: 20, width: 30, height: 30))
    #expect(abs(box.width - 30 / scale) < 2 && abs(box.height - 30 / scale) < 2, "\(box)")
  }

  @Test func `a part beside the picture is not seen`() {
    let beside = CGRect(x: 400, y: 0, width: 50, height: 50)
    #expect(SquareView(of: beside, in: picture, turn: .none, side: 96) == nil)
    #expect(SquareView(of: .zero, in: picture, turn: .none, side: 96) == nil)
  }

  @Test func `closer looks cover the picture, and only where they show more`() {
    let wide = CGRect(x: 0, y: 0, width: 1920, height: 1080)
    let tiles = PassRegions.tiles(of: wide, side: 192)
    for size in [1080.0, 540] {
      let level = tiles.filter { $0.width == size && $0.height == size }
      #expect(level.reduce(CGRect.null) { $0.union($1) } == wide)
    }
    for x in stride(from: 0.0, to: 1920, by: 60) {
      let face = CGRect(x: min(x, 1820), y: 500, width: 100, height: 100)
      #expect(tiles.contains { $0.contains(face) }, "a face at \(x) is whole in one of them")
    }
    #expect(PassRegions.tiles(of: CGRect(x: 0, y: 0, width: 200, height: 180), side: 192).isEmpty)
    let square = PassRegions.tiles(of: CGRect(x: 0, y: 0, width: 1000, height: 1000), side: 192)
    #expect(square.count { $0.width == 600 } == 4)
    #expect(square.allSatisfy { $0.width > 230 })
  }

  @Test func `the neighbourhood holds faces that are near each other, else the first`() throws {
    let one = CGRect(x: 100, y: 100, width: 40, height: 40)
    let near = CGRect(x: 200, y: 120, width: 40, height: 40)
    let far = CGRect(x: 1500, y: 900, width: 40, height: 40)
    #expect(PassRegions.neighbourhood(of: []) == nil)
    let both = try #require(PassRegions.neighbourhood(of: [one, near]))
    #expect(both.contains(one) && both.contains(near) && both.width == both.height)
    let first = try #require(PassRegions.neighbourhood(of: [one, far]))
    #expect(first.contains(one) && !first.contains(far))
  }
}
