import CoreVideo
import Foundation
import FoundationExtras
import RectangleFinding
import SeededNumbers
import Testing

@Suite("Finding rectangles")
struct RectangleFinderTests {
  /// A gray picture with convex shapes, the later ones in front.
  private func picture(
    width: Int = 640, height: Int = 480, ground: (Int, Int) -> Int = { _, _ in 90 },
    shapes: [(corners: [CGPoint], level: Int)]
  ) throws -> CVPixelBuffer {
    var buffer: CVPixelBuffer?
    CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_OneComponent8, nil, &buffer)
    let pixels = try #require(buffer)
    CVPixelBufferLockBaseAddress(pixels, [])
    defer { CVPixelBufferUnlockBaseAddress(pixels, []) }
    let base = try #require(CVPixelBufferGetBaseAddress(pixels)).assumingMemoryBound(to: UInt8.self)
    let stride = CVPixelBufferGetBytesPerRow(pixels)
    for y in 0..<height {
      for x in 0..<width {
        let point = CGPoint(x: Double(x) + 0.5, y: Double(y) + 0.5)
        let shape = shapes.last { shape in
          shape.corners.indices.allSatisfy { index in
            let (a, b) = (shape.corners[index], shape.corners[(index + 1) % shape.corners.count])
            return (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x) >= 0
          }
        }
        base[y * stride + x] = UInt8(clamping: shape?.level ?? ground(x, y))
      }
    }
    return pixels
  }

  private func corners(_ numbers: [Double]) -> [CGPoint] {
    stride(from: 0, to: numbers.count, by: 2).map { CGPoint(x: numbers[$0], y: numbers[$0 + 1]) }
  }

  /// Clockwise in the picture, from the top left on.
  private static let outlines: [[Double]] = [
    [150, 100, 450, 100, 450, 380, 150, 380],
    [180, 90, 470, 130, 440, 370, 120, 330],
    [220, 120, 400, 110, 520, 400, 90, 410],
  ]

  @Test(arguments: outlines, [(90, 220), (200, 40), (110, 140)])
  func `a rectangle's corners are found to two pixels, upright, turned and in perspective`(
    outline: [Double], levels: (ground: Int, paper: Int)
  ) throws {
    let shape = corners(outline)
    let pixels = try picture(ground: { _, _ in levels.ground }, shapes: [(shape, levels.paper)])
    let found = try RectangleFinder().rectangles(in: pixels)
    let rectangle = try #require(found.first)
    #expect(found.count == 1 && rectangle.score > 0.9)
    for (seen, drawn) in zip(rectangle.corners, shape) {
      #expect(hypot(seen.x - drawn.x, seen.y - drawn.y) < 2, "\(seen), not \(drawn)")
    }
  }

  @Test func `writing on it and light that falls off do not hide it`() throws {
    let paper = corners([150, 90, 480, 110, 470, 400, 140, 390])
    var shapes: [(corners: [CGPoint], level: Int)] = [(paper, 210)]
    for line in 0..<8 {
      let y = 130.0 + 30 * Double(line)
      shapes.append((corners([190, y, 430, y, 430, y + 10, 190, y + 10]), 60))
    }
    let pixels = try picture(ground: { x, _ in 40 + x / 8 }, shapes: shapes)
    let rectangle = try #require(try RectangleFinder().rectangles(in: pixels, least: 200).first)
    for (seen, drawn) in zip(rectangle.corners, paper) {
      #expect(hypot(seen.x - drawn.x, seen.y - drawn.y) < 3, "\(seen), not \(drawn)")
    }
  }

  @Test func `several are found, the largest first, and small ones are left out when asked`() throws {
    let large = corners([60, 60, 360, 60, 360, 260, 60, 260]),
      small = corners([420, 300, 500, 300, 500, 360, 420, 360])
    let pixels = try picture(shapes: [(large, 220), (small, 20)])
    let finder = RectangleFinder()
    #expect(try finder.rectangles(in: pixels).map { Int($0.aspect * 10 + 0.5) } == [15, 13])
    #expect(try finder.rectangles(in: pixels, least: 150).count == 1)
  }

  @Test func `what is round, three-cornered or cut off by the picture's edge is no rectangle`() throws {
    let disc = (0..<48).map { step in
      let angle = Double(step) / 48 * 2 * .pi
      return CGPoint(x: 320 + 150 * cos(angle), y: 240 + 150 * sin(angle))
    }
    let others = [
      disc, corners([320, 60, 520, 400, 120, 400]), corners([-50, 100, 300, 100, 300, 380, -50, 380]),
      corners([150, 200, 320, 60, 490, 200, 430, 400, 210, 400]),
    ]
    for shape in others {
      #expect(try RectangleFinder().rectangles(in: picture(shapes: [(shape, 220)])).isEmpty, "\(shape[0])")
    }
    #expect(try RectangleFinder().rectangles(in: picture(shapes: [])).isEmpty)
    #expect(try RectangleFinder().rectangles(in: picture(width: 4, height: 4, shapes: [])).isEmpty)
  }

  @Test func `noise is full of patches, and has no rectangles of a size`() throws {
    var numbers = SeededGenerator(seed: 7)
    let pixels = try picture(
      ground: { _, _ in Int(numbers.next() >> 56) }, shapes: [])
    #expect(try RectangleFinder().rectangles(in: pixels, least: 60).isEmpty)
  }
}
