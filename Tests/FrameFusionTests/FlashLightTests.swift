import CoreVideo
import Foundation
import FrameFusion
import Testing

@Suite("Light of a flash alone")
struct FlashLightTests {
  /// A picture of one linear colour; red, green and blue from 0 to 1.
  private func picture(_ color: SIMD3<Double>, width: Int = 10, height: Int = 6) throws -> CVPixelBuffer {
    var buffer: CVPixelBuffer?
    CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_32BGRA, nil, &buffer)
    let picture = try #require(buffer)
    for y in 0..<height {
      let row = picture.planes[0].row(y)
      for x in 0..<width {
        for (index, light) in [color.z, color.y, color.x].enumerated() { row[4 * x + index] = code(light) }
        row[4 * x + 3] = 255
      }
    }
    return picture
  }

  private func code(_ light: Double) -> UInt8 {
    UInt8(((light <= 0.003_130_8 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055) * 255).rounded())
  }

  private func pixel(_ picture: CVPixelBuffer, _ x: Int, _ y: Int) -> [Int] {
    (0..<4).map { Int(picture.planes[0].row(y)[4 * x + $0]) }
  }

  @Test func `light adds up, so that the difference is what the flash gave`() throws {
    let flash = SIMD3(0.3, 0.2, 0.1)
    for ambient in [SIMD3(0.02, 0.03, 0.04), SIMD3(0.4, 0.2, 0.05)] {
      let target = try picture(.zero)
      let found = try FlashLight.separate(
        picture(flash + ambient), .one, from: picture(ambient), .one, into: target)
      #expect(found != nil)
      for place in [(0, 0), (9, 5)] {
        let pixel = pixel(target, place.0, place.1)
        let wanted = [flash.z, flash.y, flash.x].map { Int(code($0)) }
        #expect(zip(pixel, wanted).allSatisfy { abs($0 - $1) <= 3 }, "\(pixel), \(wanted)")
        #expect(pixel[3] == 255)
      }
    }
  }

  @Test func `factors take white balance and exposure back before`() throws {
    let target = try picture(.zero)
    // Balanced otherwise, and half as long.
    _ = try FlashLight.separate(
      picture(SIMD3(0.4, 0.3, 0.2)), SIMD3(1, 1, 2), from: picture(SIMD3(0.05, 0.05, 0.025)), SIMD3(2, 2, 4),
      into: target)
    let pixel = pixel(target, 5, 3)
    let wanted = [0.3, 0.2, 0.3].map { Int(code($0)) }
    #expect(zip(pixel, wanted).allSatisfy { abs($0 - $1) <= 3 }, "\(pixel), \(wanted)")
  }

  @Test
  func
    `confidence is full in the flash's light, and none in other light, in the dark and where the sensor was full`()
    throws
  {
    func mean(_ flash: Double, _ ambient: Double) throws -> Float {
      let found = try FlashLight.separate(
        picture(SIMD3(repeating: flash + ambient)), .one, from: picture(SIMD3(repeating: ambient)), .one,
        into: picture(.zero))
      let confidence = try #require(found)
      #expect(confidence.map.width == 3 && confidence.map.height == 2)
      let corner = confidence.map.planes[0].row(1)[2]
      #expect(abs(Float(corner) / 255 - confidence.mean) < 0.01)
      return confidence.mean
    }
    #expect(try mean(0.4, 0.05) > 0.99)
    #expect(try mean(0, 0.4) < 0.01)
    #expect(try mean(0.001, 0) < 0.2)
    #expect(try mean(1, 0) == 0)
    let (less, more) = try (mean(0.05, 0.4), mean(0.15, 0.4))
    #expect(less > 0.05 && less < more && more < 0.9, "\(less), \(more)")
  }

  @Test func `what is brighter than the limit is not trusted`() throws {
    func mean(_ light: Double) throws -> Float? {
      try FlashLight.separate(
        picture(SIMD3(repeating: light)), .one, from: picture(.zero), .one, limit: 0.5, into: picture(.zero)
      )?.mean
    }
    let (below, above) = try (mean(0.45), mean(0.55))
    #expect(try #require(below) > 0.99 && above == 0)
  }

  @Test func `the middle counts most`() throws {
    /// The mean where one third of the picture's width is lit.
    func mean(_ columns: Range<Int>) throws -> Float {
      let lit = try picture(SIMD3(repeating: 0.1), width: 48, height: 24)
      for y in 0..<24 {
        let row = lit.planes[0].row(y)
        for x in columns { for index in 0..<3 { row[4 * x + index] = code(0.5) } }
      }
      let dark = try picture(SIMD3(repeating: 0.1), width: 48, height: 24)
      let found = try FlashLight.separate(
        lit, .one, from: dark, .one, into: picture(.zero, width: 48, height: 24))
      return try #require(found).mean
    }
    let (left, middle) = try (mean(0..<16), mean(16..<32))
    #expect(middle > 1.5 * left && middle < 1, "\(left), \(middle)")
  }

  /// A scene of patterns, in linear light that may differ from place to place; moved to the right and down.
  private func scene(
    _ light: (Double, Double) -> Double, movedBy shift: (x: Double, y: Double) = (0, 0)
  ) throws -> CVPixelBuffer {
    let picture = try picture(.zero, width: 160, height: 120)
    for y in 0..<120 {
      let row = picture.planes[0].row(y)
      for x in 0..<160 {
        let (u, v) = (Double(x) - shift.x, Double(y) - shift.y)
        let waves = sin(0.31 * u + 1.7 * sin(0.09 * v)) + sin(0.23 * v + 2.1 * sin(0.07 * u))
        let paint = 0.3 + 0.12 * waves
        for (index, share) in [0.6, 0.8, 1].enumerated() {
          row[4 * x + index] = code(min(1, paint * light(u, v) * share))
        }
      }
    }
    return picture
  }

  @Test(arguments: [(4.0, -3.0), (-2.5, 1.5), (0.0, 6.0), (0.4, 0.3), (0.0, 0.0)])
  func `a camera that moves between the two leaves no edges`(shift: (x: Double, y: Double)) throws {
    // Brighter by the flash in the middle, and not at the sides.
    func flash(_ u: Double, _ v: Double) -> Double {
      0.8 * exp(-(pow(u - 80, 2) + pow(v - 60, 2)) / (2 * 50 * 50))
    }
    let target = try picture(.zero, width: 160, height: 120)
    let found = try FlashLight.separate(
      scene { flash($0, $1) + 0.7 }, .one, from: scene({ _, _ in 0.7 }, movedBy: shift), .one, into: target)
    let wanted = try scene(flash)
    var (sum, count) = (0, 0)
    for y in stride(from: 20, to: 100, by: 3) {
      for x in stride(from: 30, to: 130, by: 3) {
        sum += abs(pixel(target, x, y)[1] - pixel(wanted, x, y)[1])
        count += 1
      }
    }
    #expect(Double(sum) / Double(count) < 3, "\(Double(sum) / Double(count))")
    // What the picture without flash does not show is not trusted.
    let map = try #require(found).map.planes[0]
    if shift.y == 6 { #expect(map.row(29)[20] == 0 && map.row(15)[20] > 200) }
  }

  @Test func `pictures of two scenes are not moved onto each other`() throws {
    let target = try picture(.zero, width: 160, height: 120)
    let other = try picture(.zero, width: 160, height: 120)
    for y in 0..<120 {
      let row = other.planes[0].row(y)
      for x in 0..<160 {
        for index in 0..<3 { row[4 * x + index] = UInt8(20 + (x * x * 7 + y * y * 13) % 61) }
      }
    }
    let lit = try scene { _, _ in 1 }
    _ = try FlashLight.separate(lit, .one, from: other, .one, into: target)
    func linear(_ code: Int) -> Double {
      let value = Double(code) / 255
      return value <= 0.040_45 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    for (x, y) in [(10, 10), (80, 60), (150, 110)] {
      let light = linear(pixel(lit, x, y)[1]) - linear(pixel(other, x, y)[1])
      #expect(abs(pixel(target, x, y)[1] - Int(code(max(0, light)))) <= 2)
    }
  }

  @Test func `pictures that do not fit each other are left alone`() throws {
    let target = try picture(SIMD3(repeating: 0.2))
    let before = pixel(target, 0, 0)
    let other = try picture(.zero, width: 8)
    #expect(try FlashLight.separate(target, .one, from: other, .one, into: target) == nil)
    #expect(pixel(target, 0, 0) == before)
  }
}
