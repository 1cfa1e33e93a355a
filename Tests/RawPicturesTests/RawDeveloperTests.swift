import CMosaics
import CoreVideo
import Foundation
import FoundationExtras
import RawPictures
import SeededNumbers
import Testing

@Suite("RawDeveloper", .serialized)
struct RawDeveloperTests {
  /// The colour of each pixel, in linear sRGB.
  private typealias Scene = @Sendable (_ x: Int, _ y: Int) -> SIMD3<Double>

  private static let matrix = [1.5, -0.3, -0.2, -0.25, 1.45, -0.2, 0.05, -0.5, 1.45]

  /// Facts of a sensor of 12 bits with colours of its own in warm light.
  private static func facts(black: [Double] = [256]) -> RawFacts {
    var facts = RawFacts()
    facts.blackLevels = black
    facts.whiteLevel = 4095
    facts.gains = [1.9, 1, 1.6]
    facts.matrix = matrix
    return facts
  }

  /// The numbers of a sensor with these facts that sees a scene.
  private func mosaic(
    _ width: Int, _ height: Int, _ pattern: MosaicPattern, _ facts: RawFacts, noise: Double = 0,
    _ scene: Scene
  ) throws -> CVPixelBuffer {
    let back = try #require(RawFacts.inverse(facts.matrix))
    var dice = SeededGenerator(seed: 3)
    let buffer = try CVPixelBuffer(format: pattern.pixelFormat, width: width, height: height)
    for y in 0..<height {
      for x in 0..<width {
        let color = pattern.color(x: x, y: y)
        let seen = scene(x, y)
        let balanced =
          back[3 * color] * seen.x + back[3 * color + 1] * seen.y + back[3 * color + 2] * seen.z
        let black = facts.blackLevels.count == 4 ? facts.blackLevels[y % 2 * 2 + x % 2] : facts.blackLevels[0]
        let chance =
          noise == 0 ? 0 : (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &dice) }
        let light = balanced / facts.gains[color] + noise * chance
        let number = min(max((black + light * (4095 - black)).rounded(), 0), 4095)
        buffer.planes[0].row(y).storeBytes(of: UInt16(number), toByteOffset: 2 * x, as: UInt16.self)
      }
    }
    return buffer
  }

  private func developed(
    _ mosaic: CVPixelBuffer, _ facts: RawFacts, _ rendering: RawDeveloper.Rendering = .init()
  ) throws -> CVPixelBuffer {
    let target = try CVPixelBuffer(
      format: kCVPixelFormatType_32BGRA, width: mosaic.width, height: mosaic.height)
    try RawDeveloper.develop(mosaic, facts, rendering, into: target)
    return target
  }

  private func pixel(_ buffer: CVPixelBuffer, _ x: Int, _ y: Int) -> [UInt8] {
    let row = buffer.planes[0].row(y)
    return [row[4 * x + 2], row[4 * x + 1], row[4 * x], row[4 * x + 3]]
  }

  private func codes(_ light: SIMD3<Double>) -> [Int] {
    (0..<3).map { Int((RawDeveloper.coded(min(max(light[$0], 0), 1)) * 255).rounded()) }
  }

  /// Decibels of the differences of coded colours, the outermost pixels left out.
  private func quality(_ buffer: CVPixelBuffer, _ scene: Scene) -> Double {
    var sum = 0.0
    var count = 0.0
    for y in 4..<buffer.height - 4 {
      for x in 4..<buffer.width - 4 {
        for (found, truth) in zip(pixel(buffer, x, y), codes(scene(x, y))) {
          sum += pow(Double(found) - Double(truth), 2)
          count += 1
        }
      }
    }
    return 10 * log10(255 * 255 / max(sum / count, 1e-9))
  }

  /// Soft shapes, a slanted edge and fine stripes.
  private static let scene: Scene = { x, y in
    let (u, v) = (Double(x), Double(y))
    let wave = 0.3 + 0.2 * sin(u / 9) * cos(v / 7)
    let edge = u * 0.6 + v > 60 ? 0.25 : 0
    let stripes = 0.08 * sin(u * 0.9 + v * 0.2)
    return SIMD3(wave + edge + stripes, wave * 0.8 + edge + stripes, 0.25 + edge * 0.6 + stripes)
  }

  @Test(arguments: MosaicPattern.allCases, [true, false])
  func `even colours come out as they were seen, at the edges, too`(pattern: MosaicPattern, isPlain: Bool)
    throws
  {
    _ = mosaics_use_plain_loops(isPlain ? 1 : 0)
    defer { _ = mosaics_use_plain_loops(0) }
    let facts = Self.facts(black: [250, 256, 260, 270])
    for color in [[0.5, 0.5, 0.5], [0.4, 0.1, 0.1], [0.1, 0.35, 0.1], [0.12, 0.15, 0.5], [0, 0, 0]] {
      let light = SIMD3(color[0], color[1], color[2])
      for (width, height) in [(2, 2), (3, 5), (17, 12), (64, 150)] {
        let picture = try developed(try mosaic(width, height, pattern, facts) { _, _ in light }, facts)
        for y in 0..<height {
          for x in 0..<width {
            let found = pixel(picture, x, y)
            // One number of twelve bits is up to two codes in the dark.
            #expect(zip(found, codes(light)).allSatisfy { abs(Int($0) - $1) <= 2 } && found[3] == 255)
          }
        }
      }
    }
  }

  @Test(arguments: MosaicPattern.allCases) func `detail is found again, whichever colour comes first`(
    pattern: MosaicPattern
  ) throws {
    let facts = Self.facts()
    let picture = try developed(try mosaic(160, 140, pattern, facts, Self.scene), facts)
    #expect(quality(picture, Self.scene) > 38)
    let noisy = try developed(try mosaic(160, 140, pattern, facts, noise: 0.01, Self.scene), facts)
    #expect(quality(noisy, Self.scene) > 29)
  }

  /// What averages of like neighbours make of a mosaic of grey things, as codes.
  private func averaged(_ mosaic: CVPixelBuffer, _ facts: RawFacts, _ x: Int, _ y: Int) -> [Int] {
    var (sums, counts) = (SIMD3<Double>.zero, SIMD3<Double>.zero)
    for row in y - 1...y + 1 {
      for column in x - 1...x + 1 {
        let color = MosaicPattern.rggb.color(x: column, y: row)
        if color == MosaicPattern.rggb.color(x: x, y: y), (column, row) != (x, y) { continue }
        let number = mosaic.planes[0].row(row).load(fromByteOffset: 2 * column, as: UInt16.self)
        sums[color] += (Double(number) - 256) / 3839 * facts.gains[color]
        counts[color] += 1
      }
    }
    return codes(sums / counts)
  }

  @Test(arguments: [0.4, 2.2]) func `an edge has far less fringes than averages of neighbours have`(
    slant: Double
  ) throws {
    var facts = Self.facts()
    facts.matrix = RawFacts.identity
    let scene: Scene = { x, y in
      let place = (Double(x) * slant + Double(y) - 90) / (1 + slant * slant).squareRoot()
      return SIMD3(repeating: 0.05 + 0.65 * min(max(place + 0.5, 0), 1))
    }
    let mosaic = try mosaic(96, 80, .rggb, facts, scene)
    let picture = try developed(mosaic, facts)
    func spread(_ colors: [Int]) -> Int { (colors.max() ?? 0) - (colors.min() ?? 0) }
    var (ours, plain, most) = (0, 0, 0)
    for y in 4..<76 {
      for x in 4..<92 {
        let found = spread(pixel(picture, x, y).prefix(3).map(Int.init))
        ours += found
        most = max(most, found)
        plain += spread(averaged(mosaic, facts, x, y))
      }
    }
    #expect(ours * 3 < plain && most < 36)
  }

  @Test func `what is brighter than white stays white, not violet`() throws {
    let facts = Self.facts()
    let mosaic = try mosaic(32, 32, .rggb, facts) { _, _ in [3, 3, 3] }
    #expect(pixel(try developed(mosaic, facts), 16, 16) == [255, 255, 255, 255])
  }

  @Test func `exposure moves light by stops, and a tone curve is applied as it is`() throws {
    let facts = Self.facts()
    let grey: SIMD3<Double> = [0.2, 0.2, 0.2]
    let mosaic = try mosaic(32, 32, .rggb, facts) { _, _ in grey }
    var rendering = RawDeveloper.Rendering()
    rendering.exposure = 1
    let brighter = pixel(try developed(mosaic, facts, rendering), 16, 16)
    #expect(zip(brighter, codes(grey * 2)).allSatisfy { abs(Int($0) - $1) <= 1 })
    rendering.tone = { $0 }
    let linear = pixel(try developed(mosaic, facts, rendering), 16, 16)
    #expect(linear.prefix(3).allSatisfy { abs(Int($0) - 102) <= 1 })
  }

  @Test func `linear pictures keep what a coded one cuts off`() throws {
    let facts = Self.facts()
    let mosaic = try mosaic(32, 32, .gbrg, facts) { _, _ in [0.6, 0.4, 0.2] }
    let target = try CVPixelBuffer(format: kCVPixelFormatType_128RGBAFloat, width: 32, height: 32)
    var rendering = RawDeveloper.LinearRendering()
    rendering.exposure = 2
    func pixel() -> [Float] {
      (0..<4).map { target.planes[0].row(16).load(fromByteOffset: 16 * 16 + 4 * $0, as: Float.self) }
    }
    try RawDeveloper.developLinear(mosaic, facts, rendering, into: target)
    #expect(zip(pixel(), [2.4, 1.6, 0.8, 1]).allSatisfy { abs(Double($0) - $1) < 0.02 })
    rendering.most = 2
    try RawDeveloper.developLinear(mosaic, facts, rendering, into: target)
    #expect(zip(pixel(), [2, 1.6, 0.8, 1]).allSatisfy { abs(Double($0) - $1) < 0.02 })
    // Half the light up to a half, beyond it one and a half times.
    rendering.curve = [0, 0.25, 1]
    rendering.most = .infinity
    try RawDeveloper.developLinear(mosaic, facts, rendering, into: target)
    #expect(zip(pixel(), [3.1, 1.9, 0.7, 1]).allSatisfy { abs(Double($0) - $1) < 0.03 })
  }

  @Test(arguments: MosaicPattern.allCases) func `half a picture has a pixel for each four of the mosaic`(
    pattern: MosaicPattern
  ) throws {
    let facts = Self.facts(black: [250, 256, 260, 270])
    let mosaic = try mosaic(34, 21, pattern, facts) { x, _ in x < 16 ? [0.6, 0.4, 0.2] : [0.1, 0.2, 0.4] }
    let target = try CVPixelBuffer(format: kCVPixelFormatType_128RGBAFloat, width: 17, height: 10)
    try RawDeveloper.developHalf(mosaic, facts, into: target)
    for (x, color) in [
      (0, [0.6, 0.4, 0.2, 1]), (7, [0.6, 0.4, 0.2, 1]), (8, [0.1, 0.2, 0.4, 1]), (16, [0.1, 0.2, 0.4, 1]),
    ] {
      for y in [0, 9] {
        let found = (0..<4).map {
          target.planes[0].row(y).load(fromByteOffset: 16 * x + 4 * $0, as: Float.self)
        }
        #expect(zip(found, color).allSatisfy { abs(Double($0) - $1) < 0.01 })
      }
    }
    let other = try CVPixelBuffer(format: kCVPixelFormatType_128RGBAFloat, width: 16, height: 10)
    #expect(throws: (any Error).self) { try RawDeveloper.developHalf(mosaic, facts, into: other) }
  }

  @Test func `both variants of the loops find the same picture`() throws {
    let facts = Self.facts()
    let mosaic = try mosaic(131, 90, .bggr, facts, noise: 0.02, Self.scene)
    _ = mosaics_use_plain_loops(1)
    let plain = try developed(mosaic, facts)
    _ = mosaics_use_plain_loops(0)
    let wide = try developed(mosaic, facts)
    for y in 0..<90 {
      for x in 0..<131 {
        #expect(zip(pixel(plain, x, y), pixel(wide, x, y)).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
      }
    }
  }

  @Test func `the mean of a mosaic says which gains make it grey`() throws {
    var facts = Self.facts()
    let mosaic = try mosaic(64, 64, .grbg, facts) { _, _ in [0.3, 0.3, 0.3] }
    facts.gains = .one
    let gains = MosaicStatistics.greyGains(of: mosaic, facts)
    #expect(abs(gains.x - 1.9) < 0.02 && gains.y == 1 && abs(gains.z - 1.6) < 0.02)
    let dark = try CVPixelBuffer(format: kCVPixelFormatType_14Bayer_RGGB, width: 8, height: 8)
    #expect(MosaicStatistics.greyGains(of: dark, facts) == .one)
  }

  @Test func `a camera's matrix leads back to what was seen, and white stays white`() throws {
    let colors = [0.8, -0.25, -0.08, -0.45, 1.25, 0.22, -0.08, 0.2, 0.55]
    let matrix = try #require(RawFacts.matrix(fromXYZ: colors))
    for row in 0..<3 { #expect(abs(matrix[3 * row..<3 * row + 3].reduce(0, +) - 1) < 1e-9) }
    #expect(RawFacts.matrix(fromXYZ: Array(repeating: 1, count: 9)) == nil)
    #expect(RawFacts.matrix(fromXYZ: [1]) == nil)
    // Of the sensor's answer to sRGB's red, beside that to white, the matrix makes red.
    let (red, white) = ([0.412_390_799, 0.212_639_006, 0.019_330_819], [0.950_456, 1, 1.089_058])
    func seen(_ light: [Double]) -> [Double] {
      (0..<3).map { row in (0..<3).reduce(0) { $0 + colors[3 * row + $1] * light[$1] } }
    }
    let balanced = zip(seen(red), seen(white)).map { $0 / $1 }
    let found = (0..<3).map { row in (0..<3).reduce(0) { $0 + matrix[3 * row + $1] * balanced[$1] } }
    #expect(zip(found, [1, 0, 0]).allSatisfy { abs($0 - $1) < 1e-3 })
  }

  @Test func `other pixel formats and sizes are refused`() throws {
    let mosaic = try CVPixelBuffer(format: kCVPixelFormatType_14Bayer_RGGB, width: 8, height: 8)
    let picture = try CVPixelBuffer(format: kCVPixelFormatType_32BGRA, width: 8, height: 8)
    let smaller = try CVPixelBuffer(format: kCVPixelFormatType_32BGRA, width: 6, height: 8)
    let facts = RawFacts()
    #expect(throws: (any Error).self) { try RawDeveloper.develop(picture, facts, into: picture) }
    #expect(throws: (any Error).self) { try RawDeveloper.develop(mosaic, facts, into: smaller) }
    #expect(throws: (any Error).self) { try RawDeveloper.develop(mosaic, facts, into: mosaic) }
    let line = try CVPixelBuffer(format: kCVPixelFormatType_14Bayer_RGGB, width: 8, height: 1)
    let floats = try CVPixelBuffer(format: kCVPixelFormatType_128RGBAFloat, width: 8, height: 1)
    #expect(throws: (any Error).self) { try RawDeveloper.developLinear(line, facts, into: floats) }
  }
}
