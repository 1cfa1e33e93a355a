import CFusion
import CoreVideo
import FoundationExtras
import FrameFusion
import SeededNumbers
import Testing

/// A scene that two cameras see at the same moment: one softly and whole, the other sharply and its middle alone.
struct TwoLenses {
  var width = 320
  var height = 240
  var format = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
  /// The part of the sides that the longer lens sees.
  var share = 0.8
  /// How far the longer lens looks past the middle, in pixels of the wide picture.
  var aside = (x: 2.3, y: -1.6)
  var noise = 1.5
  /// Over how many pixels of its own picture the longer lens is blurred.
  var blur = 0.3
  /// Its brightness.
  var gain = 1.0
  /// Whether its luma goes from 16 to 235.
  var isOfVideoRange = false
  /// Where a square of 44 pixels is for the longer lens, which the other does not see.
  var visitor: (x: Double, y: Double)?

  private var burst: TestBurst {
    TestBurst(width: width, height: height, format: format, noise: noise)
  }

  /// Luma of the scene in pixels of the wide picture: waves, and bricks with hard edges.
  func luma(_ x: Double, _ y: Double) -> Double {
    // No two places look alike.
    let brick = Int((x / 11).rounded(.down)) &* 7919 ^ Int((y / 7).rounded(.down)) &* 104_729
    let fine = (1.45 * x + 0.4 * y).remainder(dividingBy: 6.283185307179586)
    return 0.5 * burst.luma(0.2 * x, 0.2 * y) + ((brick ^ brick >> 5) & 3 == 0 ? 75 : 30) + 14
      * (fine > 0 ? 1 - fine / 1.6 : 1 + fine / 1.6)
  }

  private func mean(_ x: Double, _ y: Double, over reach: Double, _ value: (Double, Double) -> Double)
    -> Double
  {
    var sum = 0.0
    for v in -1...1 { for u in -1...1 { sum += value(x + Double(u) * reach, y + Double(v) * reach) } }
    return sum / 9
  }

  private func picture(
    _ seed: UInt64, gain: Double = 1, _ luma: (Double, Double) -> Double, _ chroma: (Double, Double) -> Double
  ) -> CVPixelBuffer {
    var generator = SeededGenerator(usual: seed)
    func noisy(_ value: Double) -> Double {
      var sum = -2.0
      for _ in 0..<4 { sum += Double(generator.next() >> 11) / 9_007_199_254_740_992 }
      return value * gain + sum * 1.7320508 * noise
    }
    return burst.filled { x, y in
      let (u, v) = (Double(x), Double(y))
      let color = chroma(u, v)
      let (luma, scale) = (noisy(luma(u, v)), isOfVideoRange ? 224.0 / 255 : 1)
      return (
        isOfVideoRange ? 16 + luma * 219 / 255 : luma, { 128 + noisy(color - 128) * scale },
        { 128 + noisy(128 - color) * scale }
      )
    }
  }

  private func chroma(_ x: Double, _ y: Double) -> Double { 128 + 0.3 * (burst.luma(0.4 * x, 0.4 * y) - 120) }

  /// As the wide lens sees it: each pixel is a mean over more than two.
  func wide(seed: UInt64 = 1) -> CVPixelBuffer {
    picture(seed, { mean($0, $1, over: 1, luma) }, chroma)
  }

  /// As the longer lens sees it.
  func long(seed: UInt64 = 2) -> CVPixelBuffer {
    func place(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
      (
        (x + 0.5 - Double(width) / 2) * share + Double(width) / 2 - 0.5 + aside.x,
        (y + 0.5 - Double(height) / 2) * share + Double(height) / 2 - 0.5 + aside.y
      )
    }
    return picture(
      seed, gain: gain,
      { x, y in
        let middle = place(x, y)
        if let visitor, abs(middle.x - visitor.x) < 22, abs(middle.y - visitor.y) < 22 {
          return luma(middle.x + 57, middle.y + 31) + 40
        }
        return mean(middle.x, middle.y, over: blur, luma)
      }, { chroma(place($0, $1).x, place($0, $1).y) })
  }

  func fused(threads: Int = 1) throws -> CVPixelBuffer? {
    try DetailFuser(threads: threads).fuse(wide(), detail: long(), share: share)
  }

  /// The mean square of a picture's difference from the scene.
  func error(_ picture: CVPixelBuffer, x: Range<Int>, y: Range<Int>) -> Double {
    difference(picture, x: x, y: y) { luma(Double($0), Double($1)) }
  }

  func difference(
    _ picture: CVPixelBuffer, x: Range<Int>, y: Range<Int>, from value: (Int, Int) -> Double
  ) -> Double {
    CVPixelBufferLockBaseAddress(picture, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(picture, .readOnly) }
    var sum = 0.0
    for row in y {
      for column in x {
        let d = burst.sample(picture, plane: 0, column, row) - value(column, row)
        sum += d * d
      }
    }
    return sum / Double(x.count * y.count)
  }

  /// The mean square of the difference of two pictures.
  func difference(_ one: CVPixelBuffer, _ other: CVPixelBuffer, x: Range<Int>, y: Range<Int>) -> Double {
    CVPixelBufferLockBaseAddress(other, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(other, .readOnly) }
    return difference(one, x: x, y: y) { burst.sample(other, plane: 0, $0, $1) }
  }
}

@Suite("The detail of another camera's picture", .serialized)
struct DetailTests {
  /// Inside what the longer lens sees.
  private let middle = (x: 88..<232, y: 72..<168)

  @Test("Brings the middle nearer to the scene, and leaves what lies outside")
  func nearer() throws {
    let lenses = TwoLenses()
    let wide = lenses.wide()
    let fused = try #require(try lenses.fused())
    let (before, after) = (
      lenses.error(wide, x: middle.x, y: middle.y), lenses.error(fused, x: middle.x, y: middle.y)
    )
    #expect(after < before / 2, "\(before) → \(after)")
    for rows in [0..<24, 216..<240] { #expect(lenses.difference(fused, wide, x: 0..<320, y: rows) == 0) }
    for columns in [0..<32, 288..<320] {
      #expect(lenses.difference(fused, wide, x: columns, y: 0..<240) == 0)
    }
  }

  @Test(
    "Is used in pictures of limited range and of ten bits, too",
    arguments: [
      kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr10BiPlanarFullRange,
    ])
  func formats(format: OSType) throws {
    let lenses = TwoLenses(format: format)
    let (before, after) = (
      lenses.error(lenses.wide(), x: middle.x, y: middle.y),
      lenses.error(try #require(try lenses.fused()), x: middle.x, y: middle.y)
    )
    #expect(after < before / 2, "\(before) → \(after)")
  }

  @Test("May be coded in another range")
  func ranges() throws {
    let lenses = TwoLenses()
    let long = TwoLenses(format: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, isOfVideoRange: true).long()
    let fused = try DetailFuser(threads: 1).fuse(lenses.wide(), detail: long, share: lenses.share)
    let after = lenses.error(try #require(fused), x: middle.x, y: middle.y)
    #expect(after < lenses.error(lenses.wide(), x: middle.x, y: middle.y) / 2)
  }

  @Test("Does not change the brightness, however bright the other picture is", arguments: [0.8, 1.2])
  func brightness(gain: Double) throws {
    let lenses = TwoLenses(gain: gain)
    let wide = lenses.wide()
    let fused = try #require(try lenses.fused())
    #expect(lenses.error(fused, x: middle.x, y: middle.y) < lenses.error(wide, x: middle.x, y: middle.y) / 2)
    func mean(_ picture: CVPixelBuffer, _ x: Int, _ y: Int) -> Double {
      // From the mean square around two values follows the mean.
      let zero = lenses.difference(picture, x: x..<x + 32, y: y..<y + 32) { _, _ in 0 }
      let one = lenses.difference(picture, x: x..<x + 32, y: y..<y + 32) { _, _ in 1 }
      return (zero - one + 1) / 2
    }
    for y in stride(from: 0, to: 208, by: 32) {
      for x in stride(from: 0, to: 288, by: 32) {
        #expect(abs(mean(fused, x, y) - mean(wide, x, y)) < 1, "\(x), \(y)")
      }
    }
  }

  @Test("Has no part in what only the other camera sees")
  func ghost() throws {
    let lenses = TwoLenses(visitor: (160, 120))
    let wide = lenses.wide()
    let fused = try #require(try lenses.fused())
    #expect(lenses.difference(fused, wide, x: 140..<180, y: 100..<140) < 0.05)
    // And its neighbourhood is no worse than before, while the rest gains.
    #expect(
      lenses.error(fused, x: 124..<196, y: 84..<156) <= lenses.error(wide, x: 124..<196, y: 84..<156))
    #expect(
      lenses.error(fused, x: 70..<110, y: 60..<180) < lenses.error(wide, x: 70..<110, y: 60..<180) * 0.6)
  }

  @Test("Is not taken from a picture that is out of focus")
  func outOfFocus() throws {
    let lenses = TwoLenses(blur: 4)
    let wide = lenses.wide()
    let fused = try lenses.fused() ?? wide
    let (before, after) = (
      lenses.error(wide, x: middle.x, y: middle.y), lenses.error(fused, x: middle.x, y: middle.y)
    )
    #expect(after < before * 1.02, "\(before) → \(after)")
  }

  @Test("Is not taken from a picture of another scene")
  func otherScene() throws {
    let (lenses, other) = (TwoLenses(), TwoLenses(aside: (900, 500)))
    let wide = lenses.wide()
    let fused = try DetailFuser(threads: 1).fuse(wide, detail: other.long(), share: lenses.share)
    #expect(lenses.difference(fused ?? wide, wide, x: 0..<320, y: 0..<240) < 0.05)
    let dark = TwoLenses(gain: 0.1).long()
    #expect(try DetailFuser(threads: 1).fuse(wide, detail: dark, share: lenses.share) == nil)
  }

  @Test("Needs a view inside the picture, one size, and rows of chroma that are shared")
  func unsuitable() throws {
    let lenses = TwoLenses()
    let fuser = DetailFuser(threads: 1)
    #expect(try fuser.fuse(lenses.wide(), detail: lenses.long(), share: 1) == nil)
    #expect(try fuser.fuse(lenses.wide(), detail: lenses.long(), share: 0.3) == nil)
    for format in [kCVPixelFormatType_422YpCbCr8_yuvs, kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange] {
      #expect(try TwoLenses(format: format).fused() == nil)
    }
    #expect(try fuser.fuse(lenses.wide(), detail: TwoLenses(width: 256).long(), share: 0.8) == nil)
  }

  @Test("Gives the same bytes with any number of threads, and with the plain loops")
  func sameBytes() throws {
    let lenses = TwoLenses()
    let one = TestBurst.bytes(try #require(try lenses.fused()))
    #expect(TestBurst.bytes(try #require(try lenses.fused(threads: 4))) == one)
    _ = fusion_use_plain_loops(1)
    defer { _ = fusion_use_plain_loops(0) }
    #expect(TestBurst.bytes(try #require(try lenses.fused())) == one)
  }
}
