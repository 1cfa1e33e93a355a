import CoreVideo
import Foundation
import FoundationExtras
import PixelTransforms
import Testing
import VideoEffects

@Suite("Red eyes")
struct RedEyesTests {
  /// Skin with a disc of a colour about its middle.
  private func face(
    _ disc: [UInt8], radius: Double, format: OSType = kCVPixelFormatType_32BGRA
  ) throws -> CVPixelBuffer {
    let picture = try CVPixelBuffer(format: kCVPixelFormatType_32BGRA, width: 80, height: 80)
    for y in 0..<80 {
      for x in 0..<80 {
        let color = hypot(Double(x) - 40, Double(y) - 40) < radius ? disc : [110, 140, 200]
        for (index, value) in (color + [255]).enumerated() { picture.planes[0].row(y)[4 * x + index] = value }
      }
    }
    return format == picture.format
      ? picture : try PixelTransformer().apply(FrameTransform(pixelFormat: format), to: picture)
  }

  private func middle(_ picture: CVPixelBuffer) throws -> [Int] {
    let seen = try PixelTransformer().apply(
      FrameTransform(pixelFormat: kCVPixelFormatType_32BGRA), to: picture)
    return (0..<3).map { Int(seen.planes[0].row(40)[4 * 40 + $0]) }
  }

  private let eye = RedEyes.Eye(center: CGPoint(x: 40, y: 40), distance: 60)

  @Test(arguments: RedEyes.formats.sorted())
  func `a red pupil becomes dark and grey, and skin stays`(format: OSType) throws {
    let picture = try face([20, 24, 210], radius: 5, format: format)
    #expect(RedEyes.mend(picture, [eye]) == 1)
    let found = try middle(picture)
    #expect(found.allSatisfy { $0 < 60 } && found[2] < found[0] + 25, "\(found)")
    let seen = try PixelTransformer().apply(
      FrameTransform(pixelFormat: kCVPixelFormatType_32BGRA), to: picture)
    #expect(abs(Int(seen.planes[0].row(5)[4 * 5 + 2]) - 200) < 6)
  }

  @Test func `brown eyes, skin alone, and what is red all over stay as they are`() throws {
    for (disc, radius) in [
      ([20, 40, 70], 5.0), ([40, 75, 130], 5.0), ([110, 140, 200], 5.0), ([20, 24, 210], 30.0),
    ]
      as [([UInt8], Double)]
    {
      let picture = try face(disc, radius: radius)
      let before = try middle(picture)
      #expect(RedEyes.mend(picture, [eye]) == 0)
      #expect(try middle(picture) == before)
    }
  }

  @Test func `an eye beyond the edge, or nowhere, does no harm`() throws {
    let picture = try face([20, 24, 210], radius: 5)
    for center in [
      CGPoint(x: -100, y: 40), CGPoint(x: 79, y: 79), CGPoint(x: Double.nan, y: 0), CGPoint(x: 1e9, y: 1),
    ] {
      #expect(RedEyes.mend(picture, [RedEyes.Eye(center: center, distance: 60)]) == 0)
    }
  }
}
