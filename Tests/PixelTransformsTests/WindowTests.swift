import CoreVideo
import FoundationExtras
import PixelTransforms
import Testing

@Suite("PixelTransformer: a part of a picture, enlarged")
struct WindowTests {
  /// A picture whose luma grows by 3 levels from column to column and by 1 from row to row; its chroma by 4 from sample to sample.
  private func slope(_ format: Format = .biplanarFull, width: Int = 64, height: Int = 48) throws
    -> TestPicture
  {
    let picture = try TestPicture(format, width: width, height: height)
    for y in 0..<height {
      for x in 0..<width { picture.buffer.planes[0].row(y)[x] = UInt8(3 * x + y) }
    }
    for y in 0..<(height + 1) / 2 {
      for x in 0..<(width + 1) / 2 {
        picture.buffer.planes[1].row(y)[2 * x] = UInt8(4 * x + 20)
        picture.buffer.planes[1].row(y)[2 * x + 1] = UInt8(4 * y + 30)
      }
    }
    return picture
  }

  private func shown(
    _ part: PixelPlace, of source: TestPicture, in place: PixelRect? = nil, width: Int = 64, height: Int = 48
  ) throws -> TestPicture {
    let target = try TestPicture(source.format, width: width, height: height)
    target.fill(seed: 5)
    try PixelTransformer().show(part, of: source.buffer, in: place, of: target.buffer)
    return target
  }

  /// Where the middle of an output's sample lies in a source of twice the size, which begins at `start`.
  private func middle(_ index: Int, from start: Double) -> Double { start + (Double(index) + 0.5) / 2 - 0.5 }

  @Test func `a slope stays one, to a fraction of a pixel`() throws {
    let result = try shown(PixelPlace(x: 10.3, y: 6.7, width: 32, height: 24), of: try slope())
    for y in 0..<48 {
      for x in 0..<64 {
        let luma = 3 * middle(x, from: 10.3) + middle(y, from: 6.7)
        #expect(abs(result.luma(x, y) - luma) < 1.2, "\(x) \(y)")
        // Samples of chroma are those of two pixels each, and lie in their middle.
        let blue = 4 * middle(x / 2, from: 5.15) + 20, red = 4 * middle(y / 2, from: 3.35) + 30
        let chroma = result.chroma(x, y)
        #expect(abs(chroma.cb - blue) < 1.2 && abs(chroma.cr - red) < 1.2, "\(x) \(y)")
      }
    }
  }

  @Test func `a part that moves by a fraction of a pixel moves what it shows by as much`() throws {
    let source = try slope()
    let levels = try (0..<20).map { step in
      try shown(PixelPlace(x: 8 + Double(step) * 0.2, y: 8, width: 32, height: 24), of: source).luma(30, 20)
    }
    #expect(zip(levels, levels.dropFirst()).allSatisfy { (0...1).contains($1 - $0) }, "\(levels)")
    #expect((11...12).contains(levels[19] - levels[0]))
  }

  @Test func `all of a picture is the picture`() throws {
    let source = try TestPicture(.biplanar, width: 66, height: 50)
    source.fill(seed: 3)
    let whole = PixelPlace(x: 0, y: 0, width: 66, height: 50)
    #expect(try shown(whole, of: source, width: 66, height: 50).samples == source.samples)
  }

  @Test(arguments: [Format.biplanar, .biplanarFull]) func `around the place it is shown in is black`(
    _ format: Format
  ) throws {
    let source = try slope(format)
    let place = PixelRect(x: 16, y: 12, width: 32, height: 24)
    let result = try shown(PixelPlace(x: 0, y: 0, width: 64, height: 48), of: source, in: place)
    let black = format.isFullRange ? 0.0 : 16
    for y in 0..<48 {
      for x in 0..<64 {
        if (16..<48).contains(x), (12..<36).contains(y) {
          // Four pixels become one.
          let across = 2 * Double(x - 16) + 0.5, down = 2 * Double(y - 12) + 0.5
          #expect(abs(result.luma(x, y) - (3 * across + down)) < 1.2, "\(x) \(y)")
        } else {
          #expect(result.luma(x, y) == black && result.chroma(x, y) == (128, 128))
        }
      }
    }
  }

  @Test func `beyond the picture its edge goes on`() throws {
    let result = try shown(PixelPlace(x: -32, y: 0, width: 64, height: 48), of: try slope())
    #expect((0..<32).allSatisfy { abs(result.luma($0, 20) - 20) < 1.2 })
    #expect(abs(result.luma(40, 20) - 44) < 1.2)
  }

  @Test(arguments: [(65, 49), (3, 3), (1, 1)]) func `odd and tiny sizes are filled to their last pixel`(
    _ width: Int, _ height: Int
  ) throws {
    let source = try TestPicture(.biplanarFull, width: width, height: height)
    for plane in source.buffer.planes {
      for y in 0..<plane.height { for index in 0..<plane.bytesPerRow { plane.row(y)[index] = 77 } }
    }
    let part = PixelPlace(x: 0.1, y: 0.2, width: Double(width) / 2, height: Double(height) / 2)
    let result = try shown(part, of: source, width: width, height: height)
    #expect(result.samples.allSatisfy { $0 == 77 })
  }

  @Test func `what cannot be shown is refused`() throws {
    let source = try slope()
    let whole = PixelPlace(x: 0, y: 0, width: 64, height: 48)
    #expect(throws: PixelTransformError.destinationUnsuitable) {
      try PixelTransformer().show(whole, of: source.buffer, of: source.buffer)
    }
    #expect(throws: PixelTransformError.destinationUnsuitable) {
      try shown(PixelPlace(x: 0, y: 0, width: 0, height: 48), of: source)
    }
    for place in [
      PixelRect(x: 1, y: 0, width: 8, height: 8), PixelRect(x: 60, y: 0, width: 8, height: 8),
      PixelRect(x: 0, y: -2, width: 8, height: 8),
    ] {
      #expect(throws: PixelTransformError.destinationUnsuitable) { try shown(whole, of: source, in: place) }
    }
    let packed = try TestPicture(.yuvs, width: 64, height: 48)
    #expect(throws: PixelTransformError.formatUnsupported(Format.yuvs.code)) {
      try shown(whole, of: packed)
    }
  }
}
