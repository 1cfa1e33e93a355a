import CoreVideo
import PixelTransforms
import Testing

@Suite("PixelTransformer: drawing")
struct DrawingTests {
  private static let bgra = kCVPixelFormatType_32BGRA

  /// A BGRA picture whose green is `light(x, y)`.
  private func picture(_ width: Int, _ height: Int, _ light: (Int, Int) -> UInt8) throws -> CVPixelBuffer {
    let buffer = try PixelTransformer().makeBuffer(
      size: PixelSize(width: width, height: height), pixelFormat: Self.bgra)
    CVPixelBufferLockBaseAddress(buffer, [])
    defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
    let base = try #require(CVPixelBufferGetBaseAddress(buffer))
    for y in 0..<height {
      for x in 0..<width {
        let pixel = (base + y * CVPixelBufferGetBytesPerRow(buffer) + 4 * x).assumingMemoryBound(
          to: UInt8.self)
        (pixel[0], pixel[1], pixel[2], pixel[3]) = (7, light(x, y), 9, 255)
      }
    }
    return buffer
  }

  /// The greens of a picture, row by row; −1 where a pixel is not opaque.
  private func greens(_ buffer: CVPixelBuffer) throws -> [[Int]] {
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
    let base = try #require(CVPixelBufferGetBaseAddress(buffer))
    return (0..<CVPixelBufferGetHeight(buffer)).map { y in
      (0..<CVPixelBufferGetWidth(buffer)).map { x in
        let pixel = (base + y * CVPixelBufferGetBytesPerRow(buffer) + 4 * x).assumingMemoryBound(
          to: UInt8.self)
        return pixel[3] == 255 ? Int(pixel[1]) : -1
      }
    }
  }

  private func drawn(
    _ source: CVPixelBuffer, rotation: QuarterTurn = .none, isMirrored: Bool = false,
    over place: PixelPlace, width: Int, height: Int
  ) throws -> [[Int]] {
    // What was there before must not shine through.
    let target = try picture(width, height) { _, _ in 99 }
    try PixelTransformer().draw(source, rotation: rotation, isMirrored: isMirrored, over: place, of: target)
    return try greens(target)
  }

  @Test func `a picture at its own size is copied, turned and mirrored`() throws {
    let source = try picture(3, 2) { x, y in UInt8(10 * (y * 3 + x) + 10) }
    let whole = PixelPlace(x: 0, y: 0, width: 3, height: 2)
    #expect(try drawn(source, over: whole, width: 3, height: 2) == [[10, 20, 30], [40, 50, 60]])
    #expect(
      try drawn(source, isMirrored: true, over: whole, width: 3, height: 2) == [[30, 20, 10], [60, 50, 40]])
    let tall = PixelPlace(x: 0, y: 0, width: 2, height: 3)
    #expect(
      try drawn(source, rotation: .clockwise90, over: tall, width: 2, height: 3) == [
        [40, 10], [50, 20], [60, 30],
      ])
  }

  @Test func `what the picture does not cover is black`() throws {
    let source = try picture(2, 2) { _, _ in 200 }
    #expect(
      try drawn(source, over: PixelPlace(x: 1, y: 1, width: 2, height: 2), width: 4, height: 4) == [
        [0, 0, 0, 0], [0, 200, 200, 0], [0, 200, 200, 0], [0, 0, 0, 0],
      ])
    #expect(
      try drawn(source, over: PixelPlace(x: 50, y: 0, width: 2, height: 2), width: 2, height: 2) == [
        [0, 0], [0, 0],
      ])
  }

  @Test func `places between pixels mix by their share`() throws {
    // A white column from 4 to 8; drawn at half size and shifted by a quarter of a pixel it covers 2.25 to 4.25.
    let source = try picture(12, 4) { x, _ in (4..<8).contains(x) ? 200 : 0 }
    let rows = try drawn(source, over: PixelPlace(x: 0.25, y: 0, width: 6, height: 2), width: 6, height: 2)
    #expect(rows == [[0, 0, 150, 200, 50, 0], [0, 0, 150, 200, 50, 0]])
  }

  @Test func `a place larger than the target shows its part`() throws {
    let source = try picture(4, 4) { x, _ in x < 2 ? 0 : 200 }
    // Four times as large: the edge at 2 lies at 8, less 6.
    let rows = try drawn(source, over: PixelPlace(x: -6, y: -6, width: 16, height: 16), width: 4, height: 1)
    #expect(rows[0][0] < rows[0][1] && rows[0][1] < rows[0][2] && rows[0][2] < rows[0][3])
    #expect(rows[0][1] + rows[0][2] == 200, "even around the edge")
  }

  @Test func `only BGRA is drawn on, and only places with a size`() throws {
    let source = try picture(2, 2) { _, _ in 1 }
    let gray = try PixelTransformer().makeBuffer(
      size: PixelSize(width: 2, height: 2), pixelFormat: kCVPixelFormatType_OneComponent8)
    #expect(throws: PixelTransformError.destinationUnsuitable) {
      try PixelTransformer().draw(source, over: PixelPlace(x: 0, y: 0, width: 2, height: 2), of: gray)
    }
    #expect(throws: PixelTransformError.destinationUnsuitable) {
      _ = try drawn(source, over: PixelPlace(x: 0, y: 0, width: 0, height: 2), width: 2, height: 2)
    }
  }
}
