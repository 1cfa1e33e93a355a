import CoreVideo
import Foundation
import FoundationExtras
import PixelTransforms
import Testing
import VideoEffects

@Suite("Heads at the edge of a wide picture")
struct WidePortraitsTests {
  private let size = (width: 960, height: 720)
  /// A straight lens of 108°.
  private var lens: WideProjection {
    WideProjection(size: CGSize(width: 960, height: 720), viewWidth: 960, fieldOfView: 108)
  }

  /// A white ball of some degrees before a grey ground with lines, as a straight lens shows it; and its middle.
  private func ball(
    x: Double, degrees: Double = 6, format: OSType = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
  ) throws -> CVPixelBuffer {
    let picture = try CVPixelBuffer(
      format: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, width: size.width, height: size.height)
    let focal = 480 / tan(54 * Double.pi / 180)
    let axis = (x: (x - 480) / focal, y: 0.0)
    let length = (axis.x * axis.x + 1).squareRoot()
    for row in 0..<size.height {
      for column in 0..<size.width {
        let ray = ((Double(column) + 0.5 - 480) / focal, (Double(row) + 0.5 - 360) / focal)
        let cosine =
          (ray.0 * axis.x + ray.1 * axis.y + 1) / length / (ray.0 * ray.0 + ray.1 * ray.1 + 1).squareRoot()
        let isLine = row % 90 < 3
        picture.planes[0].row(row)[column] = cosine > cos(degrees * .pi / 180) ? 230 : isLine ? 40 : 110
      }
      for column in 0..<size.width { picture.planes[1].row(row / 2)[column] = 128 }
    }
    return format == picture.format
      ? picture : try PixelTransformer().apply(FrameTransform(pixelFormat: format), to: picture)
  }

  /// The ball's length by its width, and its middle, from the moments of what is bright.
  private func shape(_ picture: CVPixelBuffer) throws -> (aspect: Double, x: Double, area: Double) {
    let seen = try PixelTransformer().apply(
      FrameTransform(pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange), to: picture)
    var (count, x, y, xx, yy) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for row in 0..<size.height {
      for column in 0..<size.width where seen.planes[0].row(row)[column] > 170 {
        let place = (Double(column), Double(row))
        (count, x, y) = (count + 1, x + place.0, y + place.1)
        (xx, yy) = (xx + place.0 * place.0, yy + place.1 * place.1)
      }
    }
    let across = xx / count - x / count * x / count
    let down = yy / count - y / count * y / count
    return ((across / down).squareRoot(), x / count, count)
  }

  private func face(x: Double, radius: Double = 60) -> CGRect {
    CGRect(x: x - radius, y: 360 - radius, width: 2 * radius, height: 2 * radius)
  }

  @Test(arguments: [130.0, 830], WidePortraits.formats.sorted())
  func `become round, where they were and as large`(x: Double, format: OSType) throws {
    let picture = try ball(x: x, format: format)
    let before = try shape(picture)
    // 1 / cos of 45°.
    #expect(before.aspect > 1.3)
    let copy = try PixelTransformer().copy(picture)
    #expect(WidePortraits.correct(picture, faces: [face(x: before.x)], of: lens, into: copy))
    let after = try shape(copy)
    #expect(abs(after.aspect - 1) < 0.03, "\(after.aspect)")
    #expect(abs(after.x - before.x) < 8 && abs(after.area / before.area - 1) < 0.08)
  }

  @Test func `all else stays to the byte, and lines away from heads straight`() throws {
    let picture = try ball(x: 830)
    let copy = try PixelTransformer().copy(picture)
    #expect(WidePortraits.correct(picture, faces: [face(x: 830)], of: lens, into: copy))
    var changed = 0
    for row in 0..<size.height {
      let (one, other) = (picture.planes[0].row(row), copy.planes[0].row(row))
      for column in 0..<size.width where one[column] != other[column] {
        changed += 1
        #expect(hypot(Double(column) - 830, Double(row) - 360) < 60 * 3.2 + 12)
      }
    }
    #expect(changed > 1000)
  }

  @Test func `stay as they are in the middle, and so does a picture without any`() throws {
    let picture = try ball(x: 480)
    for faces in [[face(x: 500)], [], [face(x: 900, radius: 1)]] {
      let copy = try PixelTransformer().copy(picture)
      #expect(!WidePortraits.correct(picture, faces: faces, of: lens, into: copy))
      #expect(picture.planes[0].bytes.elementsEqual(copy.planes[0].bytes))
    }
    let other = try CVPixelBuffer(format: kCVPixelFormatType_32RGBA, width: 960, height: 720)
    #expect(!WidePortraits.correct(other, faces: [face(x: 830)], of: lens, into: other))
  }

  @Test func `at the very edge and overlapping nothing breaks`() throws {
    let picture = try ball(x: 900)
    let copy = try PixelTransformer().copy(picture)
    let faces = [face(x: 955), face(x: 900), face(x: 840, radius: 60), face(x: 2000)]
    #expect(WidePortraits.correct(picture, faces: faces, of: lens, into: copy))
    // All that is shown was in the picture.
    for row in 0..<size.height {
      #expect(copy.planes[0].row(row)[0..<size.width].allSatisfy { (40...230).contains($0) })
    }
  }

  @Test func `a bent lens's heads become round, too, and a part of a view is told from the whole`() throws {
    let bent = WideProjection(
      size: CGSize(width: 960, height: 720), viewWidth: 960, fieldOfView: 108, bending: 0.12, corner: 1.1875)
    let picture = try ball(x: 830)
    let part = WideProjection(size: CGSize(width: 960, height: 720), viewWidth: 4800, fieldOfView: 108)
    let copy = try PixelTransformer().copy(picture)
    // Enlarged five times, the edge is some 11° off the axis.
    #expect(!WidePortraits.correct(picture, faces: [face(x: 830)], of: part, into: copy))
    #expect(WidePortraits.correct(picture, faces: [face(x: 830)], of: bent, into: copy))
    #expect(try shape(copy).aspect < shape(picture).aspect - 0.05)
  }
}
